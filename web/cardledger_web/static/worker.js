// The service worker. Everything comes from the network if there is one; without it, static files and the scoring
// pages that this browser has seen come from here, and say since when. Nothing else is kept: a ranking is never old.
// They hold names, so the server says until when each may be kept (Kept-Until: as long as the evening may last) and how
// many people it has erased (Erasures): what is kept past that time, from before an erasure, or without either is dropped.
// The server puts VERSION, FILES and TEXTS, by language, in front (web/cardledger_web/pages/offline.py). A classic script cannot import
// texts.js, so it looks sentences up itself.
"use strict";

// The path of this ledger's first page; other ledgers of the server are below other paths, with workers of their own (static/root.js).
const ROOT = new URL(".", location.href).pathname;
const own = (name) => (ROOT === "/" ? name : `${name} ${ROOT}`);
const KEPT = own("cardledger-scoring");
const OPENED = own("cardledger-opened"); // pages of matches that were opened without a connection (static/opening.js)
const STATICS = own("cardledger-static-");
const STATIC = STATICS + VERSION;
const ENGINES = own("cardledger-engine"); // of one version; it holds nobody's data
const SCORING = /^\/matches\/(new|[^/]+\/score)$/; // the form of a new match, too
const EMPTY = `${ROOT}matches/new/score`; // what a match that is opened here fills
const KNOWN = /^\/matches\/[^/]+\/score\/(table|desk)$/; // what the page keeps of a match
const ENGINE = /\/engine\/(?:([0-9a-f]{16})\/)?[\w.]+$/;
const CHECK = `${ROOT}receipts/check`; // the page that checks receipts in the browser; it holds nobody's data
const CHECKS = own("cardledger-check");
const PRINTED = /^\/matches\/[^/]+\/receipt\/check$/; // where the code of a printed receipt leads
const NOT_YOURS = [401, 403]; // what was kept is then no longer this browser's to see
const FOUND = { ignoreVary: true }; // answers vary by cookie; the cache only holds those of the user who is signed in

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(caches.open(STATIC).then((cache) => cache.addAll(FILES)));
  event.waitUntil(caches.open(CHECKS).then((cache) => cache.add(CHECK)).catch(() => {})); // where reading takes a token, say
});

addEventListener("activate", (event) => {
  event.waitUntil(
    caches.keys().then(async (names) => {
      await tidy();
      const old = names.filter((name) => name.startsWith(STATICS) && name !== STATIC);
      await Promise.all(old.map((name) => caches.delete(name)));
      await clients.claim();
    }),
  );
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname, search, searchParams } = new URL(request.url);
  if (origin !== location.origin || !pathname.startsWith(ROOT)) return;
  const path = pathname.slice(ROOT.length - 1);
  // After anybody signs in or out, the cards that another user has seen are not kept.
  if (request.method === "POST" && (path === "/sign-out" || path === "/sign-in")) event.waitUntil(caches.delete(KEPT));
  if (request.method === "POST" && path === "/sign-out") event.waitUntil(caches.delete(OPENED)); // openings that wait make it again
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.waitUntil(tidy());
  if (request.mode === "navigate" && searchParams.has("token")) event.waitUntil(caches.delete(KEPT));
  else if (path.startsWith("/static/")) event.respondWith(orElse(request, () => fileOf(request)));
  else if (SCORING.test(path)) event.respondWith(scoringPage(request, pathname));
  else if (ENGINE.test(path)) event.respondWith(engineFile(request, pathname));
  else if (pathname === CHECK) event.respondWith(checkPage(request));
  else if (request.mode === "navigate" && PRINTED.test(path)) event.respondWith(orElse(request, async () => (await caches.match(CHECK, FOUND)) ?? noConnection()));
  else if (KNOWN.test(path) && !search) event.respondWith(tableOf(request, pathname + search));
  else if (request.mode === "navigate") event.respondWith(orElse(request, noConnection));
});

/** Keep an answer. A browser without room keeps none: the page has it all the same, and an older one is not kept in its place. */
async function put(cache, address, answer) {
  await cache.put(address, answer).catch(() => cache.delete(address));
}

/** Drop what may not be kept any longer: past its time, or from before the server erased somebody. */
async function tidy(erasures = null) {
  for (const name of [KEPT, OPENED]) await tidyOne(await caches.open(name), erasures);
}

async function tidyOne(cache, erasures) {
  for (const request of await cache.keys()) {
    const { headers } = (await cache.match(request, FOUND)) ?? { headers: new Headers() };
    const old = !(Date.parse(headers.get("Kept-Until") ?? "") > Date.now());
    if (old || !headers.has("Erasures") || (erasures !== null && headers.get("Erasures") !== erasures)) await cache.delete(request);
  }
}

/** Return the answer of the network, after dropping what it says may not be kept any longer. */
async function fromServer(request) {
  const answer = await fetch(request);
  if (answer.headers.has("Erasures")) await tidy(answer.headers.get("Erasures"));
  return answer;
}

/** Return the answer of the network, or else another one; without that, the error of the network. */
async function orElse(request, other) {
  try {
    return await fromServer(request);
  } catch (error) {
    const found = await other();
    if (found) return found;
    throw error;
  }
}

const plain = (address) => new URL(address, location).pathname.replace(/\.[0-9a-f]{16}(\.\w+)$/, "$1");

/** Return a kept file; a page that was kept before an update names files of then: those of now take their place. */
async function fileOf({ url }) {
  const address = FILES.find((file) => plain(file) === plain(url));
  return address && caches.match(address, FOUND);
}

async function kept(address) {
  await tidy();
  return (await (await caches.open(KEPT)).match(address, FOUND)) ?? opened(address);
}

/** Return what a match is made of that was opened here, and that the server may not know yet. */
async function opened(address) {
  return (await caches.open(OPENED)).match(address, FOUND);
}

/** Return a file of the engine: those with a version are kept until another version comes, the worker until there is a network. */
async function engineFile(request, pathname) {
  const [, version] = pathname.match(ENGINE);
  const cache = await caches.open(ENGINES);
  const found = await cache.match(pathname);
  if (version && found) return found;
  const answer = await orElse(request, () => found);
  if (answer !== found && answer.ok) {
    if (version) for (const old of await cache.keys()) if ((new URL(old.url).pathname.match(ENGINE)[1] ?? version) !== version) await cache.delete(old);
    await put(cache, pathname, answer.clone());
  }
  return answer;
}

/** Return the page that checks receipts, and keep it; without a connection the one that was kept. */
async function checkPage(request) {
  const cache = await caches.open(CHECKS);
  const answer = await orElse(request, async () => (await cache.match(CHECK, FOUND)) ?? noConnection());
  if (answer.ok && !answer.redirected && answer.url) await put(cache, CHECK, answer.clone());
  return answer;
}

/** Return what is known of a match, which the page keeps itself (static/offline.js). */
async function tableOf(request, address) {
  const answer = await orElse(request, () => kept(address));
  if (NOT_YOURS.includes(answer.status)) await (await caches.open(KEPT)).delete(address);
  return (answer.status === 404 && (await kept(address))) || answer;
}

/** Return the scoring page, and keep it; without a connection the one that was kept, with a notice. */
async function scoringPage(request, pathname) {
  const cache = await caches.open(KEPT);
  let answer;
  try {
    answer = await fromServer(request);
  } catch {
    const page = await kept(pathname);
    return page ? withNotice(page) : noConnection();
  }
  if (answer.ok && !answer.redirected && answer.headers.has("Kept-Until")) {
    const headers = { "Content-Type": "text/html; charset=utf-8", "Kept-At": new Date().toISOString() };
    for (const name of ["Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy", "Kept-Until", "Erasures"]) {
      if (answer.headers.has(name)) headers[name] = answer.headers.get(name);
    }
    await put(cache, pathname, new Response(await answer.clone().text(), { headers }));
    const here = await caches.open(OPENED);
    for (const { url } of await here.keys()) if (new URL(url).pathname.startsWith(pathname)) await here.delete(url); // the server knows the match now
  } else if (answer.ok || NOT_YOURS.includes(answer.status)) {
    await cache.delete(pathname);
  }
  return (answer.status === 404 && (await opened(pathname))) || answer;
}

/** Return the way to say sentences in a language, as in texts.js. */
function speaking(language) {
  return (text, values = {}) => (TEXTS[language]?.[text] ?? text).replace(/%\((\w+)\)s/g, (all, name) => values[name] ?? all);
}

function languageOf(page) {
  return page.match(/<html lang="(\w+)"/)?.[1] ?? "en";
}

async function withNotice(page) {
  const whole = await page.text();
  const language = languageOf(whole);
  const _ = speaking(language);
  const sentence = _("No connection. This page is as it was at %(time)s; what you enter waits here.", { time: clock(page, language) });
  const notice = `<p id="offline" class="alarm" role="status">${sentence}</p>`;
  return new Response(whole.replace(/<main[^<>]*>/, (main) => main + notice), { headers: page.headers });
}

/** Return the page for everything that is not kept, with links to the scoring pages that are. */
async function noConnection() {
  await tidy();
  const scoring = [];
  for (const cache of [await caches.open(KEPT), await caches.open(OPENED)]) {
    for (const request of await cache.keys()) {
      const { pathname } = new URL(request.url);
      if (!SCORING.test(pathname.slice(ROOT.length - 1)) || pathname === EMPTY) continue;
      const page = await cache.match(request, FOUND);
      scoring.push({ pathname, page, text: await page.text() });
    }
  }
  // The language that was chosen for the pages, or else the browser's.
  const language = scoring.length ? languageOf(scoring.at(-1).text) : navigator.language.slice(0, 2) in TEXTS ? navigator.language.slice(0, 2) : "en";
  const _ = speaking(language);
  const pages = scoring.map(({ pathname, page, text }) => {
    const title = text.match(/<title>([^<]*)<\/title>/)?.[1] ?? _("Scoring");
    return `<li><a href="${pathname}">${title.split(" · ")[0]}</a> (${clock(page, language)})</li>`;
  });
  const offered = _("These scoring pages work without one:");
  const links = pages.length ? `<p>${offered}</p><ul>${pages.join("")}</ul>` : "";
  const [heading, why] = [_("No connection"), _("Results are shown only as they are now. Try again when there is a connection.")];
  const text = `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${heading} · cardledger</title><link rel="stylesheet" href="${FILES[0]}"></head>
<body><main><h1>${heading}</h1><p>${why}</p>${links}</main></body></html>`;
  const headers = { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": "default-src 'self'" };
  return new Response(text, { status: 503, headers });
}

function clock(page, language) {
  const at = new Date(page.headers.get("Kept-At"));
  const [hours, minutes] = [at.getHours(), at.getMinutes()].map((number) => String(number).padStart(2, "0"));
  const day = at.toDateString() === new Date().toDateString() ? "" : `${language === "en" ? at.toDateString() : at.toLocaleDateString(language)}, `;
  return `${day}${hours}:${minutes}`;
}
