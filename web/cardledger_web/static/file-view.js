// A hand in a file as one player, or everybody, saw it: the page of all hands, with nothing of what came later or was hidden.
"use strict";

{
  const LATER = "#review, .talk, section[aria-labelledby=course], section[aria-labelledby=tricks]";

  /** Let a replayer show a view from an event on; all hands if the engine cannot answer. */
  globalThis.cardledgerView = async (root, { seq, view }) => {
    const about = root.dataset;
    const address = new URL(about.positions, cardledgerFile.address);
    address.searchParams.set("view", view);
    address.searchParams.set("until", seq);
    const text = view === "all" ? "null" : await (await globalThis.cardledgerEngine?.(address))?.text();
    const begun = JSON.parse(text ?? "null");
    if (!begun) return;
    const steps = begun.end === null;
    const seat = /^\d+$/.test(view);
    cardledgerFile.keep(address, text);
    about.positions = address.pathname + address.search;
    about.stops = JSON.stringify(begun.stops);
    about.on = steps ? "yes" : "";
    about.tried = seat && !begun.hidden ? `${about.tried}?view=${view}` : "";
    for (const part of root.querySelectorAll(steps ? LATER : ".talk")) part.remove();
    root.querySelector("#by-steps").hidden = !steps;
    root.querySelector("#log ol").innerHTML = begun.log.join(""); // the server's own template, escaped there
    root.querySelector("#slider").max = begun.line.length - 1;
    root.querySelector("#view").value = view;
    for (const link of root.querySelectorAll("nav.hands a[href]")) link.hash += `?view=${view}`;
    const knowledge = root.querySelector("#knowledge");
    const of = root.querySelector("#known-of");
    if (!seat) knowledge?.remove();
    else if (of) {
      of.value = view;
      of.parentElement.hidden = true; // what another can know would tell this one
      knowledge.querySelector("summary").textContent = of.selectedOptions[0].dataset.says;
    }
  };
}
