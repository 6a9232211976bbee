// Around the replay: links to copy and to send, and news of a match under way.
"use strict";

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
  };
  link.addEventListener("position", write);
  write();
  for (const button of root.querySelectorAll("[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", () => copy(button, document.getElementById(button.dataset.copy)));
  }
  const send = document.getElementById("send");
  if (navigator.share) {
    send.hidden = false;
    send.addEventListener("click", () => navigator.share({ url: link.value, title: document.title }).catch(() => {}));
  }
}

async function copy(button, field) {
  const words = button.textContent;
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    // Without the clipboard (no https, no permission) the text is marked, ready to be copied by hand.
    field.select();
    return;
  }
  button.textContent = "Copied";
  setTimeout(() => (button.textContent = words), 1500);
}

// Follows a match under way: whoever looks at the last event is taken to the next when it comes.
export function follow(address, latest, place) {
  if (!address) return;
  const stream = new EventSource(`${address}?after=${latest}`);
  let news = latest;
  let waiting = null;
  stream.addEventListener("message", (event) => {
    news = Math.max(news, Number(event.lastEventId));
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      if (place() === "last") location.assign(location.pathname.replace(/\d+$/, news) + location.search);
    }, 150);
  });
}
