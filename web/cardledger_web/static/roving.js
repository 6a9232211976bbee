// A row of buttons, such as a hand of cards, is one stop of the Tab key: the arrow keys lead within it. A row is an
// element with the role of a toolbar, whenever it comes into the page.
"use strict";

const ROW = "[role=toolbar]";
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const members = (row) => [...row.querySelectorAll("button:not(:disabled), input[type=checkbox]")].filter((one) => one.checkVisibility());

// Lets the Tab key stop at one member: the one named, or the one where it stopped before, or the first.
function settle(row, chosen = null) {
  const all = members(row);
  const stop = chosen ?? all.find((one) => one.tabIndex === 0 && one.hasAttribute("tabindex")) ?? all[0];
  for (const one of all) {
    const index = one === stop ? "0" : "-1";
    if (one.getAttribute("tabindex") !== index) one.setAttribute("tabindex", index);
  }
}

// The next member along the row; in a row that is broken, the nearest one in the line above or below.
function next(all, from, [across, down]) {
  if (across) return all[all.indexOf(from) + across];
  const middle = (one) => one.getBoundingClientRect().left;
  const top = (one) => one.getBoundingClientRect().top;
  const apart = from.getBoundingClientRect().height / 2;
  const there = all.filter((one) => down * (top(one) - top(from)) > apart);
  const line = Math.min(...there.map((one) => down * top(one)));
  const near = (one) => Math.abs(middle(one) - middle(from));
  return there.filter((one) => down * top(one) - line < apart).sort((one, other) => near(one) - near(other))[0];
}

function onKey(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const row = event.target.closest?.(ROW);
  if (!row) return;
  const all = members(row);
  if (!all.includes(event.target)) return;
  const ends = { Home: all[0], End: all.at(-1) };
  const target = ends[event.key] ?? (event.key in STEPS ? next(all, event.target, STEPS[event.key]) : null);
  if (target) {
    settle(row, target);
    target.focus();
  } else if (!["ArrowLeft", "ArrowRight"].includes(event.key)) return; // up and down are free where there is one line
  event.preventDefault();
}

const settleAll = () => document.querySelectorAll(ROW).forEach((row) => settle(row));

document.addEventListener("keydown", onKey);
document.addEventListener("focusin", ({ target }) => {
  const row = target.closest(ROW);
  if (row && members(row).includes(target)) settle(row, target);
});
new MutationObserver(settleAll).observe(document.body, { childList: true, subtree: true });
addEventListener("resize", settleAll);
settleAll();
