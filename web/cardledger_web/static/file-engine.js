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

  const whole = (query, name) => (query.has(name) ? Number(query.get(name)) : null);
  const KINDS = [
    [/\/receipt\/checked$/, (_, query) => ({ ask: "checked", keys: query.getAll("key") })],
    [/\/replay\/(\d{1,9})\/knowledge$/, ([at], query) => ({ ask: "known", at: Number(at), seat: query.get("seat") ?? "" })],
    [/\/replay\/(\d{1,9})\/what-if$/, ([seq], query) => ({ ask: "tried", seq: Number(seq), line: query.get("line") ?? "", view: query.get("view") ?? "all" })],
    [/\/replay\/(\d{1,9})\/on\/([a-z_]+)$/, ([seq, way], query) => ({ ask: "ahead", seq: Number(seq), view: query.get("view") ?? "all", way })],
    [/\/hands\/(\d{1,9})\/positions$/, ([hand], query) => ({ ask: "positions", hand: Number(hand), view: query.get("view"), until: whole(query, "until"), after: whole(query, "after"), on: query.get("on") ?? "" })],
    [/\/hands\/(\d{1,9})\/quiz$/, ([hand], query) => ({ ask: "quiz", hand: Number(hand), seat: Number(query.get("seat")), stops: query.get("at")?.trim() || query.get("stops") || "each", choices: query.getAll("choice"), see: query.has("see") })],
  ];

  function refused(kind, words) {
    if (["positions", "ahead"].includes(kind)) return "null";
    if (kind === "checked") return JSON.stringify({ status: 2, lines: [words] });
    if (kind === "tried") return JSON.stringify({ moves: [], trouble: words });
    const [name, about] = kind === "quiz" ? ["p", { className: "error" }] : ["section", { id: "known" }];
    return Object.assign(document.createElement(name), about, { textContent: words }).outerHTML;
  }

  /** The answer to an address of the pages; null for one that the engine does not answer. */
  globalThis.cardledgerEngine = async ({ pathname, searchParams }) => {
    const [kind, question] = KINDS.find(([address]) => address.test(pathname)) ?? [];
    if (!kind) return null;
    const asks = question(pathname.match(kind).slice(1), searchParams);
    started ??= start();
    const worker = await started;
    const { told, problem } = worker ? await asked(worker, asks) : { problem: { detail: said.dataset.fails } };
    if (problem) return new Response(refused(asks.ask, problem.detail));
    return new Response(typeof told === "string" ? told : JSON.stringify(told));
  };
}
