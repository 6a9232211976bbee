// Hands of a match: the hand in the address's anchor is opened, and its tricks are fetched if missing.

async function fill(hand) {
  const address = hand.dataset.hand;
  delete hand.dataset.hand;
  const answer = await fetch(address);
  if (!answer.ok) return; // the link to the hand's own page stays
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const whole = page.querySelector("main .whole");
  if (whole) hand.lastElementChild.replaceWith(document.adoptNode(whole));
}

function open() {
  const hand = document.getElementById(location.hash.slice(1));
  if (hand instanceof HTMLDetailsElement) {
    hand.open = true;
    hand.scrollIntoView();
  }
}

for (const hand of document.querySelectorAll("details[data-hand]")) {
  hand.addEventListener("toggle", () => hand.open && hand.dataset.hand && fill(hand));
}
addEventListener("hashchange", open);
open();
