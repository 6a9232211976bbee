// A contract and its result on one line, for a hand of which nothing else was noted: "4s 1 +1", "3ntx ana 8".
"use strict";

import { _ } from "./texts.js";

export const CONTRACT_HELP = _("Write the contract, who plays it, and the result: 4S 1 10, or 3NTx 2 -1, or 2H 4 =.");
const LINE = /^([1-7]) ?(c|d|h|s|nt?) ?(x{0,2}) (\S.*?) (=|[+\u2212-]?\d{1,2})$/i;
const BOOK = 6; // tricks that a contract does not count

/** Read {contract, declarer, tricks} from a line; null if it is none. `each` is the number of tricks of a hand. */
export function readContract(text, players, each) {
  const [, level, strain, doubles, who, result] = LINE.exec(text.trim().replace(/\s+/g, " ")) ?? [];
  if (!level) return null;
  const declarer = seatOf(who, players);
  const over = /^[=+\u2212-]/.test(result);
  const number = result === "=" ? 0 : Number(result.replace("\u2212", "-"));
  const tricks = over ? BOOK + Number(level) + number : number;
  if (declarer < 0 || tricks < 0 || tricks > each) return null;
  const suit = strain.toUpperCase().startsWith("N") ? "NT" : strain.toUpperCase();
  return { contract: `${level}${suit}${doubles.toUpperCase()}`, declarer, tricks };
}

// A seat is said by its number, by the name of its player, or by a beginning that only one name has.
function seatOf(who, players) {
  if (/^\d$/.test(who)) return Number(who) <= players.length ? Number(who) - 1 : -1;
  const said = who.toLowerCase();
  const names = players.map((name) => name.toLowerCase());
  const begun = names.flatMap((name, seat) => (name.startsWith(said) ? [seat] : []));
  return names.includes(said) ? names.indexOf(said) : begun.length === 1 ? begun[0] : -1;
}
