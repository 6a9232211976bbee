// The quiz of a hand in a file: its questions and answers come from the engine there, one after the other.
"use strict";

const part = document.getElementById("quiz");
const begin = part.innerHTML;

async function show() {
  const { pathname, search, searchParams } = new URL(cardledgerFile.address);
  part.innerHTML = searchParams.has("seat") ? await (await cardledgerFile.ask(pathname + search)).text() : begin; // the server's own template, escaped there
  const next = part.querySelector("[autofocus], h2, form");
  if (!next?.hasAttribute("autofocus")) next?.setAttribute("tabindex", "-1");
  if (searchParams.has("seat")) next?.focus();
}

part.addEventListener("submit", async (event) => {
  event.preventDefault();
  cardledgerFile.put("pushState", {}, `?${new URLSearchParams(new FormData(event.target, event.submitter))}`);
  await show();
});
addEventListener("popstate", show);
if (new URL(cardledgerFile.address).searchParams.has("seat")) show();
