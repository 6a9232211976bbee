// The quiz of a hand in a file: its questions and answers come from the engine there, one after the other.
"use strict";

const part = document.getElementById("quiz");
const begin = part.innerHTML;

async function show() {
  const { pathname, search, searchParams } = new URL(cardledgerFile.address);
  if (!searchParams.has("seat")) {
    part.innerHTML = begin;
    return;
  }
  const answer = await cardledgerFile.ask(pathname + search);
  const { body } = new DOMParser().parseFromString(await answer.text(), "text/html"); // the server's own template, escaped there
  const next = body.querySelector("[autofocus]") ?? body.querySelector("h2, .lead, .error");
  if (next?.autofocus) next.autofocus = false; // it takes the focus below, as nothing is loaded
  else next?.setAttribute("tabindex", "-1");
  part.replaceChildren(...body.childNodes);
  next?.focus();
}

part.addEventListener("submit", async (event) => {
  event.preventDefault();
  cardledgerFile.put("pushState", {}, `?${new URLSearchParams(new FormData(event.target, event.submitter))}`);
  await show();
});
addEventListener("popstate", show);
if (new URL(cardledgerFile.address).searchParams.has("seat")) show();
