// The receipt of a match in a file, checked by the engine that is in it.
"use strict";

const form = document.getElementById("check-receipt");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const keys = form.elements.keys.value.split("\n").map((key) => key.trim()).filter(Boolean);
  const query = new URLSearchParams(keys.map((key) => ["key", key]));
  const { status, lines } = await (await cardledgerFile.ask(`receipt/checked?${query}`)).json();
  const { fits, wrong, unsure, says } = form.dataset;
  const [kind, verdict] = [["verdict-fits", fits], ["alarm", wrong], ["warn", unsure]][status];
  const head = Object.assign(document.createElement("p"), { className: kind });
  head.append(Object.assign(document.createElement("b"), { textContent: verdict }));
  const words = Object.assign(document.createElement("pre"), { className: "note", lang: "en", tabIndex: 0, textContent: lines.join("\n") });
  words.setAttribute("role", "region");
  words.setAttribute("aria-label", says);
  document.getElementById("checked").replaceChildren(head, words);
});
