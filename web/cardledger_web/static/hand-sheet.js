// The score sheet of a match: the server checks it as it is typed, rows are added as they are needed.
"use strict";

import { _ } from "./texts.js";

const form = document.querySelector(".hand-sheet");
const sheet = form.querySelector(".hands");
let asked = 0;

/** Take the number that follows from the others where nothing is typed. */
function take(field) {
  if (field.value.trim() || !field.placeholder) return;
  field.value = field.placeholder;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

const typed = (hand) => [...hand.querySelectorAll("input")].some((field) => field.value.trim());

/** Keep an empty hand at the end, so that nobody who types fast waits for the server; it says whether there is such a hand. */
function oneMore() {
  const last = [...sheet.tBodies].at(-1);
  const number = Number(last.id.slice("hand-".length));
  if (!typed(last) || number >= Number(sheet.dataset.most)) return;
  const next = last.cloneNode(true);
  const renumbered = (text) => text.replace(String(number), String(number + 1));
  next.id = renumbered(next.id);
  next.className = "empty";
  next.querySelector("[scope=rowgroup]").textContent = number + 1;
  for (const field of next.querySelectorAll("input")) {
    field.value = field.placeholder = "";
    field.setAttribute("aria-label", renumbered(field.getAttribute("aria-label")));
    if (field.name !== "line") field.removeAttribute("aria-describedby");
  }
  for (const cell of next.querySelectorAll("[data-cell]")) {
    cell.dataset.cell = renumbered(cell.dataset.cell);
    if (cell.id) cell.id = renumbered(cell.id);
    cell.textContent = "";
  }
  sheet.append(next);
}

/** Have the sheet checked; with the `button` of a player who takes everything, the server writes these numbers. */
async function check(button = null) {
  const mine = (asked += 1);
  const body = new FormData(form);
  body.set("check", "");
  if (button) body.set(button.name, button.value);
  let answer;
  try {
    answer = await fetch(form.action, { method: "POST", body });
  } catch {
    return; // without a connection the sheet is checked when it is recorded
  }
  if (mine !== asked || !answer.ok) return;
  const checked = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const hand of checked.querySelectorAll(".hands tbody")) {
    const shown = document.getElementById(hand.id);
    if (!shown) {
      sheet.append(hand);
      continue;
    }
    shown.className = hand.className;
    for (const field of hand.querySelectorAll("input")) {
      const there = shown.querySelector(`[name="${field.name}"]`);
      there.placeholder = field.placeholder;
      there.setAttribute("aria-label", field.getAttribute("aria-label"));
      if (button) there.value = field.value;
    }
    for (const cell of hand.querySelectorAll("[data-cell]")) {
      const place = shown.querySelector(`[data-cell="${cell.dataset.cell}"]`);
      if (place.innerHTML !== cell.innerHTML) place.innerHTML = cell.innerHTML; // the server's own template, escaped there
    }
  }
  for (const hand of [...sheet.tBodies]) {
    if (checked.getElementById(hand.id) || typed(hand)) continue;
    if (hand.contains(document.activeElement)) form.querySelector("[name=record]").focus(); // the match is over
    hand.remove();
  }
  // A match that has ended meanwhile asks neither.
  document.getElementById("all").replaceChildren(...(checked.getElementById("all")?.childNodes ?? []));
  for (const id of ["ends", "as-written"]) document.getElementById(id).hidden = checked.getElementById(id)?.hidden ?? true;
}

if (form.querySelector("[name=record]")) {
  form.querySelector("[name=check]").hidden = true;
  let later;
  form.addEventListener("input", () => {
    oneMore();
    clearTimeout(later);
    later = setTimeout(check, 150);
  });

  // A tap on a name fills the hand in; it is recorded with the others.
  form.addEventListener("click", (event) => {
    const button = event.target.closest("[name=all]");
    if (!button) return;
    event.preventDefault();
    check(button);
  });

  // Enter goes on to the next field, as the key of a phone says.
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.target.matches(".hands input")) return;
    event.preventDefault();
    take(event.target);
    // A hand on one line is whole: its numbers follow, so the next hand comes.
    const whole = event.target.name === "line" && event.target.value.trim();
    const fields = [...form.querySelectorAll(`.hands ${whole ? "[name=line]" : "input"}, [name=record]`)];
    fields[fields.indexOf(event.target) + 1].focus();
  });

  // A scorer who presses the button has seen the grey numbers.
  form.addEventListener("submit", () => form.querySelectorAll(".hands input").forEach(take));

  // Number pads of phones have no minus: it is for the field typed last.
  const minus = form.querySelector("#minus");
  let last = null;
  minus.hidden = !form.querySelector("[name^=points]");
  form.addEventListener("focusin", (event) => {
    if (!event.target.matches("[name^=points]")) return;
    last = event.target;
    minus.setAttribute("aria-label", _("%(name)s, plus or minus", { name: last.getAttribute("aria-label") }));
  });
  minus.addEventListener("click", () => {
    if (!last) return;
    const text = last.value.trim();
    last.value = /^[-\u2212]/.test(text) ? text.slice(1) : `-${text}`;
    last.focus();
    last.dispatchEvent(new Event("input", { bubbles: true }));
  });
}
