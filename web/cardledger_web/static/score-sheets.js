// Sheets: the dialogues that ask for numbers by seat, for words, or for a yes; each answers with a promise, null for
// no.
"use strict";

import { _ } from "./texts.js";

/**
 * Ask for one number a seat. With `sum` they must add up to it; `given` are the numbers to begin with.
 *
 * `follows` is asked which number follows from the others, when one is missing: it is proposed in grey, and taken with
 * Enter or the button. `all` are the numbers if one of the players takes everything: a tap on a name fills them in.
 */
export function askNumbers({ title, hint, players, sum = null, given = [], follows = null, all = [], yes = _("Record") }) {
  return ask(title, (form, done) => {
    if (hint) form.append(paragraph(hint, "hint"));
    const inputs = players.map((name, seat) => {
      const label = document.createElement("label");
      const input = document.createElement("input");
      input.inputMode = "numeric";
      input.autocomplete = "off";
      input.value = given[seat] ?? "";
      label.append(Object.assign(document.createElement("bdi"), { textContent: name }), input);
      const row = Object.assign(document.createElement("div"), { className: "row" });
      row.append(label, ...(sum === null ? [minus(name, input)] : []));
      form.append(row);
      return input;
    });
    if (all.some(Boolean)) form.append(takers(players, all, inputs));
    const total = paragraph("", "sum");
    total.setAttribute("aria-live", "polite");
    form.append(total);
    const read = () => inputs.map((input) => whole(input.value || input.placeholder));
    const propose = async () => {
      const numbers = inputs.map((input) => whole(input.value));
      for (const input of inputs) input.placeholder = "";
      if (!follows || inputs.filter(({ value }) => !value.trim()).length !== 1) return;
      const found = await follows(numbers);
      if (!found || inputs.some((input, at) => whole(input.value) !== numbers[at])) return; // typed on meanwhile
      inputs.forEach((input, at) => {
        if (!input.value.trim()) input.placeholder = String(found[at] ?? "").replace("-", "\u2212");
      });
      check();
    };
    const check = () => {
      const numbers = read();
      const added = numbers.reduce((one, other) => one + (other ?? 0), 0);
      if (sum === null) total.textContent = numbers.some((number) => number !== null) ? _("Together %(number)s", { number: added }).replace("-", "\u2212") : "";
      if (sum !== null) total.textContent = _("%(part)s of %(whole)s", { part: added, whole: sum });
      const wrong = numbers.includes(null) || (sum !== null && (added !== sum || numbers.some((number) => number < 0)));
      total.classList.toggle("warn", sum !== null && added !== sum);
      done.disabled = wrong;
      return wrong ? null : numbers;
    };
    form.addEventListener("input", () => {
      propose();
      check();
    });
    check();
    return check;
  }, yes);
}

/** The buttons of the players who may take everything. */
function takers(players, all, inputs) {
  const line = paragraph(_("One player takes everything:"), "takers");
  players.forEach((name, taker) => {
    if (!all[taker]) return;
    const button = Object.assign(document.createElement("button"), { type: "button", className: "plain" });
    button.append(Object.assign(document.createElement("bdi"), { textContent: name }));
    button.addEventListener("click", () => {
      inputs.forEach((input, at) => (input.value = String(all[taker][at]).replace("-", "\u2212")));
      inputs[0].dispatchEvent(new Event("input", { bubbles: true }));
    });
    line.append(" ", button);
  });
  return line;
}

// Number pads of telephones have no minus.
function minus(name, input) {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "plain minus", textContent: "\u00b1" });
  button.setAttribute("aria-label", _("%(name)s: plus or minus", { name }));
  button.addEventListener("click", () => {
    input.value = /^[-\u2212]/.test(input.value.trim()) ? input.value.trim().slice(1) : `-${input.value.trim()}`;
    input.focus();
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });
  return button;
}

function whole(text) {
  const trimmed = text.trim().replace("\u2212", "-");
  return /^-?\d{1,12}$/.test(trimmed) ? Number(trimmed) : null;
}

/** Ask for words; with `wanted` they are required. */
export function askWords({ title, hint, label, wanted = false, given = "", yes = _("Record") }) {
  return ask(title, (form, done) => {
    if (hint) form.append(paragraph(hint, "hint"));
    const name = document.createElement("label");
    const input = document.createElement("input");
    input.value = given;
    input.maxLength = 500;
    input.autocomplete = "off";
    name.append(label, input);
    form.append(name);
    const check = () => {
      done.disabled = wanted && !input.value.trim();
      return done.disabled ? null : input.value.trim();
    };
    form.addEventListener("input", check);
    check();
    return check;
  }, yes);
}

/** Ask for a yes; null is no. */
export function askYes({ title, hint, yes }) {
  return ask(title, (form) => {
    form.append(paragraph(hint, "hint"));
    return () => true;
  }, yes);
}

// One for all, and never taken out of the page: the focus goes back to where it was, without a gap for fast fingers.
const dialog = document.createElement("dialog");
dialog.className = "sheet";
dialog.setAttribute("aria-labelledby", "sheet-title");
document.body.append(dialog);

function ask(title, build, yes = _("Record")) {
  const form = document.createElement("form");
  form.method = "dialog";
  const heading = Object.assign(document.createElement("h2"), { textContent: title, id: "sheet-title" });
  const done = Object.assign(document.createElement("button"), { textContent: yes, value: "yes" });
  const no = Object.assign(document.createElement("button"), { textContent: _("Cancel"), type: "button", className: "plain" });
  form.append(heading);
  const read = build(form, done);
  const buttons = document.createElement("p");
  buttons.className = "buttons";
  buttons.append(done, no);
  form.append(buttons);
  dialog.replaceChildren(form);
  no.addEventListener("click", () => dialog.close("no"));
  dialog.returnValue = "";
  dialog.showModal();
  form.querySelector("input")?.select();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes" ? read() : null), { once: true });
  });
}

function paragraph(text, name) {
  return Object.assign(document.createElement("p"), { textContent: text, className: name });
}
