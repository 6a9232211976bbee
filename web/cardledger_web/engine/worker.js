// The engine in a worker: the interpreter, then the archive of the rules. A page sends {id, asked}, a question in JSON, and gets
// {id, answer}; before the first answer {ready: true} comes, or {failed: why}. What stands in front of this says where the files
// come from: from-server.js, or from-file.js in a file that holds them. MODULE and ANSWERS are filled in (files.py).
"use strict";

const MIME = { wasm: "application/wasm", zip: "application/zip" };

/** A file, unpacked on its way if it is packed. */
async function file(name, mime) {
  const sent = await bytesOf(name);
  const body = name.endsWith(".gz") ? sent.pipeThrough(new DecompressionStream("gzip")) : sent;
  return new Response(body, { headers: { "Content-Type": mime ?? "application/octet-stream" } });
}

async function start() {
  const { loadPyodide, createPyodideModule } = await interpreter();
  const rules = file("rules.zip.gz").then((answer) => answer.arrayBuffer());
  const msgspec = file("msgspec.zip").then((answer) => answer.arrayBuffer());
  // The interpreter asks for two files by these names; here they are packed.
  const packed = { "pyodide.asm.wasm": ["python.wasm.gz", MIME.wasm], "python_stdlib.zip": ["python.zip.gz", MIME.zip] };
  const wire = globalThis.fetch;
  globalThis.fetch = (address, options) => {
    const known = packed[String(address).split("/").pop()];
    return known ? file(...known) : wire(address, options);
  };
  const python = await loadPyodide({
    createPyodideModule,
    indexURL: PLACE,
    lockFileContents: await (await file("lock.json")).text(),
  });
  globalThis.fetch = wire;
  python.unpackArchive(await msgspec, "wheel");
  python.FS.writeFile("/rules.zip", new Uint8Array(await rules));
  return python.runPython(`
import sys

sys.path.insert(0, "/rules.zip")
from ${MODULE} import ${ANSWERS}

${ANSWERS}().answer
`);
}

const asked = [];
let answer = null;
addEventListener("message", ({ data }) => {
  if (!data.asked) return;
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
