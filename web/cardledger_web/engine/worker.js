// The engine in a worker: the interpreter, then the archive of the rules. A page sends {id, asked}, a question in JSON, and gets
// {id, answer}; before the first answer {ready: true} comes, or {failed: why}. The server puts VERSION and START in front.
"use strict";

const wire = globalThis.fetch;
const HERE = globalThis.cardledgerEngine ?? location.href; // a page may run this within a worker of its own
const MIME = { wasm: "application/wasm", zip: "application/zip" };

/** The bytes of a file, unpacked on their way if they are packed. */
async function file(name, mime) {
  const answer = await wire(new URL(`${VERSION}/${name}`, HERE));
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  const body = name.endsWith(".gz") ? answer.body.pipeThrough(new DecompressionStream("gzip")) : answer.body;
  return new Response(body, { headers: { "Content-Type": mime ?? "application/octet-stream" } });
}

async function start() {
  const [{ loadPyodide }, { default: createPyodideModule }] = await Promise.all(
    ["pyodide.mjs", "python.mjs"].map((name) => import(new URL(`${VERSION}/${name}`, HERE).href)),
  );
  const rules = file("rules.zip.gz").then((answer) => answer.arrayBuffer());
  const msgspec = file("msgspec.zip").then((answer) => answer.arrayBuffer());
  // The interpreter asks for two files by these names; here they are packed.
  const packed = { "pyodide.asm.wasm": ["python.wasm.gz", MIME.wasm], "python_stdlib.zip": ["python.zip.gz", MIME.zip] };
  globalThis.fetch = (address, options) => {
    const known = packed[String(address).split("/").pop()];
    return known ? file(...known) : wire(address, options);
  };
  const python = await loadPyodide({
    createPyodideModule,
    indexURL: new URL(`${VERSION}/`, HERE).href,
    lockFileContents: await (await file("lock.json")).text(),
  });
  globalThis.fetch = wire;
  python.unpackArchive(await msgspec, "wheel");
  python.FS.writeFile("/rules.zip", new Uint8Array(await rules));
  return python.runPython(`
import sys

sys.path.insert(0, "/rules.zip")
from ${START} import begin

begin()
`);
}

const asked = [];
let answer = null;
addEventListener("message", ({ data }) => {
  if (answer) postMessage({ id: data.id, answer: answer(data.asked) });
  else asked.push(data);
});

start().then(
  (found) => {
    answer = found;
    postMessage({ ready: true });
    for (const { id, asked: question } of asked.splice(0)) postMessage({ id, answer: answer(question) });
  },
  (error) => postMessage({ failed: String(error).slice(0, 500) }),
);
