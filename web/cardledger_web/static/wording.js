// How pages show what a game calls things, as web/cardledger_web/views/wording.py does: its calls (1♥ for 1H), and the names of seats.
"use strict";

const PLAIN = { calls: {}, seats: [], bottom: 0, rows: [], values: {} };

/** The wording of a page, from the JSON that its server sent; without any, calls are shown as they are recorded. */
export const wordingOf = (json) => (json ? JSON.parse(json) : PLAIN);

/** A call or a contract as it is shown; `calls` has the longest first. */
export function shownCall({ calls } = PLAIN, said) {
  const begun = Object.keys(calls).find((call) => said.startsWith(call));
  return begun ? calls[begun] + said.slice(begun.length) : said;
}

/** A text with its calls as they are shown; a call that is an English word only where somebody calls it. */
export function inText(wording, text) {
  const calls = Object.keys(wording.calls);
  if (!calls.length) return text;
  const found = new RegExp(`\\b((?:says|calls?) )?((?:${calls.join("|")})X*)\\b`, "g");
  return text.replace(found, (all, before = "", said) => (/^[a-z]+$/i.test(said) && !before ? all : before + shownCall(wording, said)));
}

/** The value of a fact, a text, as people say it. */
export const shownValue = ({ values } = PLAIN, key, text) => values[key]?.[text] ?? text;

/** The name of a seat, in full and in short; null if the game has none. */
export const seatName = ({ seats } = PLAIN, seat) => seats[seat] ?? null;
