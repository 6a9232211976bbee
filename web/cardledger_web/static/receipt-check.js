// Receipts checked in this browser, by the program that anybody can download; the code of a printed one brings its proof along
// behind the # of its address. The page opens without a connection once it was open with one.
"use strict";

import { Engine } from "./engine.js";
import { keepPage } from "./offline.js";
import { _ } from "./texts.js";
import { boxOf, remembered } from "./witness.js";

const form = document.getElementById("check-receipt");
const printed = location.hash.slice(1);

if (form) begin();
else for (const link of document.querySelectorAll(".check-here")) link.hash = printed; // the ledger's own answer leads here

function begin() {
  const engine = new Engine();
  const out = document.getElementById("checked");
  const keys = [...new Set(remembered().kept.flatMap((known) => known.keys))];
  form.elements.keys.value = keys.join("\n");
  showKept();

  const say = (text) => out.replaceChildren(Object.assign(document.createElement("p"), { textContent: text }));
  const check = async () => {
    const [receipt, match] = await Promise.all(["receipt", "match"].map((name) => form.elements[name].files[0]?.text() ?? null));
    if (!receipt && !printed) {
      say(_("Choose the file of the receipt first."));
      return;
    }
    say(_("The checker is being loaded."));
    const given = form.elements.keys.value.split("\n").map((key) => key.trim()).filter(Boolean);
    const found = await engine.asked({ ask: "checked", receipt: receipt ?? printed, keys: given, match });
    if (found?.told) show(out, found.told);
    else say(_("This browser cannot run the checker. check_receipt.py checks the same on any computer with Python."));
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    check();
  });
  keepPage().then(() => (printed ? check() : engine.asked({ ask: "checked", receipt: "", keys: [] }))); // the files of the engine are kept for later
}

/** Show what the command prints, in its own words. */
function show(out, { status, lines }) {
  const [kind, verdict] = [
    ["verdict-fits", _("This receipt fits.")],
    ["alarm", _("This is not what was sealed.")],
    ["warn", _("Not all of it can be checked.")],
  ][status];
  const head = document.createElement("p");
  head.className = kind;
  head.append(Object.assign(document.createElement("b"), { textContent: verdict }));
  const words = Object.assign(document.createElement("pre"), { className: "note", lang: "en", tabIndex: 0, textContent: lines.join("\n") });
  words.setAttribute("role", "region");
  words.setAttribute("aria-label", _("What the checker says"));
  out.replaceChildren(head, words);
}

/** Show the differences that this phone has found at tables. */
function showKept() {
  const { differences } = remembered();
  if (!differences.length) return;
  const heading = Object.assign(document.createElement("h2"), { textContent: _("What this phone has kept") });
  document.getElementById("kept-here").append(heading, ...differences.map((one) => boxOf(one)));
}
