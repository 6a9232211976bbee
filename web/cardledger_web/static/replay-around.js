// Around the replay: links to copy and to send, and news of a match under way.
"use strict";

import { Live } from "./follow.js";
import { _ } from "./texts.js";

export function offerSharing(root, address) {
  const link = document.getElementById("link");
  if (!link) return;
  const snippet = document.getElementById("snippet");
  const [head, tail] = snippet.value.split(/(?<=src=")[^"]*/);
  const write = () => {
    link.value = address();
    const framed = new URL(link.value);
    framed.searchParams.set("embed", "1");
    snippet.value = head + framed.href.replaceAll("&", "&amp;") + tail;
    const seq = framed.pathname.split("/").at(-1);
    for (const field of root.querySelectorAll("[data-of]")) {
      field.value = field.value.replace(/\/replay\/\d+/, `/replay/${seq}`);
      field.parentElement.hidden = Number(seq) < Number(field.dataset.from ?? 0);
    }
  };
  link.addEventListener("position", write);
  write();
  for (const button of root.querySelectorAll("[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", () => copy(button, document.getElementById(button.dataset.copy)));
  }
  for (const button of root.querySelectorAll("[data-copy-text]")) {
    button.hidden = false;
    button.addEventListener("click", () => copyText(button, document.getElementById(button.dataset.copyText)));
  }
  const send = document.getElementById("send");
  if (navigator.share) {
    send.hidden = false;
    send.addEventListener("click", () => navigator.share({ url: link.value, title: document.title }).catch(() => {}));
  }
}

async function copy(button, field) {
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    // Without the clipboard (no https, no permission) the text is selected, ready to be copied by hand.
    field.select();
    return;
  }
  done(button);
}

// Copies what a link leads to; where that cannot be, the link is followed.
async function copyText(button, link) {
  try {
    const answer = await fetch(link.href);
    if (!answer.ok) throw new Error(answer.statusText);
    await navigator.clipboard.writeText(await answer.text());
  } catch {
    location.assign(link.href);
    return;
  }
  done(button);
}

function done(button) {
  const words = (button.dataset.words ??= button.textContent);
  button.textContent = _("Copied");
  setTimeout(() => (button.textContent = words), 1500);
}

/**
 * Follow a match under way: a page at the last event moves to the next one when it comes. `take` takes over what has come
 * and tells whether it could; else the page is loaded again.
 */
export function follow(address, latest, place, take) {
  if (!address) return;
  let news = latest;
  let waiting = null;
  let taking = Promise.resolve();
  const heard = (number) => {
    news = Math.max(news, number);
    clearTimeout(waiting);
    waiting = setTimeout(async () => {
      const followed = place() === "last";
      taking = taking.then(take);
      if (!(await taking) && followed) location.assign(location.pathname.replace(/\d{1,9}$/, news) + location.search);
    }, 150);
  };
  new Live(address, () => news, { news: heard });
}
