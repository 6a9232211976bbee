// The engine in a file: the server's own rules in a worker, started when something is first asked for that they alone can answer.
"use strict";

{
  const said = document.getElementById("engine-status");
  const open = new Map(); // questions without an answer, by number
  let started = null;
  let last = 0;

  function bytesOf(packed) {
    const text = atob(packed);
    const bytes = new Uint8Array(text.length);
    for (let place = 0; place < text.length; place += 1) bytes[place] = text.charCodeAt(place);
    return bytes;
  }

  async function workerOf({ "worker.js.gz": packed, ...files }) {
    const script = await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).blob();
    const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    const worker = new Worker(address);
    worker.postMessage({ files }, Object.values(files).map(({ buffer }) => buffer));
    return worker;
  }

  /** Start it; null if this browser cannot run it. */
  async function start() {
    said.textContent = said.dataset.starts;
    said.hidden = false;
    try {
      const { files, opening } = JSON.parse(document.getElementById("engine").textContent);
      const worker = await workerOf(Object.fromEntries(Object.entries(files).map(([name, packed]) => [name, bytesOf(packed)])));
      await new Promise((ready, failed) => {
        worker.addEventListener("error", failed);
        worker.addEventListener("message", ({ data }) => {
          if (data.ready) ready();
          else if (data.failed) failed(data.failed);
          else open.get(data.id)?.(JSON.parse(data.answer));
          open.delete(data.id);
        });
      });
      await asked(worker, { ask: "open", ...opening });
      said.hidden = true;
      return worker;
    } catch (error) {
      console.warn(error);
      said.textContent = said.dataset.fails;
      return null;
    }
  }

  const asked = (worker, question) =>
    new Promise((answered) => {
      open.set((last += 1), answered);
      worker.postMessage({ id: last, asked: JSON.stringify(question) });
    });

  const KINDS = {
    checked: (_, query) => ({ ask: "checked", keys: query.getAll("key") }),
    knowledge: (at, query) => ({ ask: "known", at, seat: query.get("seat") ?? "" }),
    "what-if": (seq, query) => ({ ask: "tried", seq, line: query.get("line") ?? "", view: query.get("view") ?? "all" }),
  };

  function refused(kind, words) {
    if (kind === "checked") return JSON.stringify({ status: 2, lines: [words] });
    if (kind === "what-if") return JSON.stringify({ moves: [], trouble: words });
    const part = Object.assign(document.createElement("section"), { id: "known", textContent: words });
    return part.outerHTML;
  }

  /** The answer to an address of the pages; null for one that the engine does not answer. */
  globalThis.cardledgerEngine = async ({ pathname, searchParams }) => {
    const [, seq, kind] = pathname.match(/\/(?:replay\/(\d{1,9})\/(?=knowledge|what-if)|receipt\/(?=checked))([a-z-]+)$/) ?? [];
    if (!KINDS[kind]) return null;
    started ??= start();
    const worker = await started;
    const { told, problem } = worker ? await asked(worker, KINDS[kind](Number(seq), searchParams)) : { problem: { detail: said.dataset.fails } };
    if (problem) return new Response(refused(kind, problem.detail));
    return new Response(typeof told === "string" ? told : JSON.stringify(told));
  };
}
