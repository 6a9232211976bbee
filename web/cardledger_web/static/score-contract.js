// A contract and its result on one line, for a hand of which nothing else was noted: "4S N 10", "3ntx west -1", "pass".
//
// Every reading of a line is found. What can be read in two ways is asked about, never guessed.
"use strict";

import { _ } from "./texts.js";

export const CONTRACT_HELP = _("Write the contract, who plays it, and the result: 4S N 10, or 3NTx W -1, or 2H E =. For a board passed out, write pass.");
const RESULT = /^( ?)(\S.*?) ?(=|[+-]\d{1,2}|(?<![\d+-])\d{1,2})$/;
const BOOK = 6; // tricks that a contract does not count
const PASSED = new Set(["p", "pass", "passed", "passed out", "all pass"]);
const SEATS = [["north", "n"], ["east", "e"], ["south", "s"], ["west", "w"]];
const DOUBLES = { "": "", x: "X", "*": "X", xx: "XX", "**": "XX" };
const STRAINS = {
  c: ["C"], clubs: ["C"], "♣": ["C"], "♧": ["C"], d: ["D"], diamonds: ["D"], "♦": ["D"], "♢": ["D"], h: ["H"], hearts: ["H"], "♥": ["H"], "♡": ["H"],
  s: ["S"], spades: ["S"], "♠": ["S"], "♤": ["S"], n: ["NT"], nt: ["NT"],
};
// Elsewhere C is also the letter of hearts.
const ELSEWHERE = {
  de: { t: ["C"], treff: ["C"], k: ["D"], karo: ["D"], herz: ["H"], p: ["S"], pik: ["S"], sa: ["NT"], c: ["C", "H"] },
  fr: { t: ["C"], k: ["D"], p: ["S"], sa: ["NT"], c: ["C", "H"] },
};

/**
 * Read {contract, declarer, tricks} from a line, {passed: true} for a board passed out, or {error} with what is wrong.
 * `card` is the scorecard of the page: its players, the names of their seats, and the tricks of a hand.
 */
export function readContract(text, card, language = document.documentElement.lang) {
  const said = text.trim().replace(/\s+/g, " ").replace("\u2212", "-").replaceAll("\ufe0f", "").toLowerCase();
  if (PASSED.has(said) || said === _("pass").toLowerCase()) return { passed: true };
  const lines = readings(said, { ...STRAINS, ...ELSEWHERE[language] });
  const found = new Map();
  for (const { level, strain, doubles, who, glued, result } of lines) {
    for (const declarer of seatsOf(who, card, glued)) {
      const one = { contract: `${level}${strain}${doubles}`, declarer, tricks: tricksOf(level, result), result };
      found.set(JSON.stringify(one), one);
    }
  }
  const [one, other] = found.values();
  if (!one) return { error: lines.length ? _("“%(who)s” is nobody here. Write N, E, S or W, or a name.", { who: lines.at(-1).who }) : CONTRACT_HELP };
  if (other) {
    const [first, second] = [one, other].map(({ contract, declarer }) => `${contract} ${card.players[declarer]}`);
    return { error: _("This may be %(first)s or %(second)s. Write it in another way.", { first, second }) };
  }
  const { result, ...event } = one;
  if (/^[0-6]$/.test(result)) return { error: _("%(number)s may be tricks, or tricks over the book. Write it with + or -, or = if the contract was just made.", { number: result }) };
  if (event.tricks < 0 || event.tricks > card.deal.each) return { error: _("A hand has %(each)s tricks. With this result it would have %(tricks)s.", { each: card.deal.each, tricks: event.tricks }) };
  return event;
}

// Every way to take a line apart.
function readings(said, strains) {
  const [, level, line] = /^([1-7]) ?(.*)$/.exec(said) ?? [];
  const parts = [];
  for (const [word, suits] of Object.entries(strains)) {
    if (!level || !line.startsWith(word)) continue;
    for (const [sign, doubles] of Object.entries(DOUBLES)) {
      const rest = line.slice(word.length);
      const blank = sign && rest.startsWith(` ${sign}`) ? 1 : 0;
      if (!rest.startsWith(sign, blank)) continue;
      const [, gap, who, result] = RESULT.exec(rest.slice(blank + sign.length)) ?? [];
      if (who) parts.push(...suits.map((strain) => ({ level, strain, doubles, who, glued: !gap, result })));
    }
  }
  return parts;
}

function tricksOf(level, result) {
  if (result === "=") return BOOK + Number(level);
  return /^[+-]/.test(result) ? BOOK + Number(level) + Number(result) : Number(result);
}

// The seats that a word may mean: a number from 1, a direction, or a name; else, after a blank, what only begins a name
// or a direction. A letter of a direction is the direction, whatever names begin with it.
function seatsOf(who, { players, wording }, glued) {
  if (/^\d$/.test(who)) return Number(who) >= 1 && Number(who) <= players.length ? [Number(who) - 1] : [];
  const words = players.map((name, seat) => [name, ...(wording.seats[seat] ?? []), ...(wording.seats.length === SEATS.length ? SEATS[seat] : [])].map((word) => word.toLowerCase()));
  const those = (fits) => words.flatMap((some, seat) => (some.some(fits) ? [seat] : []));
  const exact = those((word) => word === who);
  return exact.length || glued ? exact : those((word) => word.startsWith(who));
}
