// The search of a site of files: a field in the head of each page, which finds players, evenings and matches by parts of their
// words. What can be found comes as a script (publishing/site.py), when somebody first looks for something: it works from a disk.
"use strict";

const own = document.currentScript;
const root = new URL("..", own.src);
const SUFFIX = " · cardledger";
const MOST = 20; // pages that are shown
const box = Object.assign(document.createElement("div"), { className: "find" });
const field = Object.assign(document.createElement("input"), { type: "search", placeholder: own.dataset.label, autocomplete: "off" });
const list = Object.assign(document.createElement("ul"), { hidden: true });
const state = document.createElement("p");
box.setAttribute("role", "search");
field.setAttribute("aria-label", own.dataset.label);
state.setAttribute("role", "status");
box.append(field, list, state);
own.after(box);

let index = null;

/** What can be found, loaded once. */
const loaded = () =>
  (index ??= new Promise((done) => {
    const script = Object.assign(document.createElement("script"), { src: new URL("search-index.js", root).href });
    script.addEventListener("load", () => done(globalThis.cardledgerIndex));
    script.addEventListener("error", () => done([]));
    document.head.append(script);
  }));

/** Words without capitals and accents. */
const plain = (words) => words.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase();

async function find() {
  const wanted = plain(field.value).split(" ").filter(Boolean);
  const pages = await loaded();
  if (wanted.join() !== plain(field.value).split(" ").filter(Boolean).join()) return; // typed on meanwhile
  const found = pages.filter(([title, about]) => wanted.every((word) => plain(`${title} ${about}`).includes(word)));
  const shown = wanted.length ? found.slice(0, MOST) : [];
  list.replaceChildren(
    ...shown.map(([title, about, file]) => {
      const link = Object.assign(document.createElement("a"), { href: new URL(file, root).href, textContent: title.replace(SUFFIX, "") });
      const item = document.createElement("li");
      item.append(link, about ? ` ${about}` : "");
      return item;
    }),
  );
  list.hidden = !shown.length;
  state.textContent = !wanted.length || (shown.length && found.length <= MOST) ? "" : shown.length ? own.dataset.more : own.dataset.none;
}

field.addEventListener("focus", loaded, { once: true });
field.addEventListener("input", find);
