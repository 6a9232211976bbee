// How pages show what a game calls things, as web/cardledger_web/views/wording.py does: 1♥ for 1H.
"use strict";

/** A call or a contract as it is shown; `calls` has the longest first. */
export function shownCall({ calls }, said) {
  const begun = Object.keys(calls).find((call) => said.startsWith(call));
  return begun ? calls[begun] + said.slice(begun.length) : said;
}
