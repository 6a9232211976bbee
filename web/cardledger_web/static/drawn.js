// Tables of cards that the server has drawn (templates/card_table.html), shown in a page.
"use strict";

/**
 * Show a drawn table in `root`: seats that look the same stay as they are, and the focus stays on its card.
 *
 * `change` is called with the table before it is shown.
 */
export function showDrawn(root, html, change = () => {}) {
  const focused = root.contains(document.activeElement) ? keyOf(document.activeElement) : null;
  const template = document.createElement("template");
  template.innerHTML = html;
  const [old, now] = [root.firstElementChild, template.content.firstElementChild];
  change(now);
  if (old?.className !== now.className) {
    root.replaceChildren(now);
  } else {
    Object.assign(old.dataset, now.dataset);
    const parts = [...now.children];
    [...old.children].forEach((part, place) => part.isEqualNode(parts[place]) || part.replaceWith(parts[place]));
  }
  if (focused && document.activeElement === document.body) {
    [...root.querySelectorAll("button")].find((button) => keyOf(button) === focused)?.focus();
  }
}

const keyOf = (element) => `${element.dataset.seat}/${element.dataset.face}`;
