// The engine's files from the server, which puts VERSION in front. A page may run this within a worker of its own.
"use strict";

const PLACE = new URL(`${VERSION}/`, globalThis.cardledgerEngine ?? location.href).href;
const network = globalThis.fetch;

async function bytesOf(name) {
  const answer = await network(PLACE + name);
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return answer.body;
}

async function interpreter() {
  const [{ loadPyodide }, { default: createPyodideModule }] = await Promise.all(["pyodide.mjs", "python.mjs"].map((name) => import(PLACE + name)));
  return { loadPyodide, createPyodideModule };
}
