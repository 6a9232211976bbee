// The engine's files from the page, which sends them first; the interpreter's own scripts stand in front of this.
"use strict";

const PLACE = "https://file.invalid/"; // an address that is never asked for anything
const sent = new Promise((done) => {
  addEventListener("message", ({ data }) => done(data.files), { once: true });
});

async function bytesOf(name) {
  return new Blob([(await sent)[name]]).stream();
}

async function interpreter() {
  return { loadPyodide, createPyodideModule };
}
