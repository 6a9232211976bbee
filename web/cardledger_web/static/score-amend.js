// The effects of an amendment, shown before it is recorded.
"use strict";

import { _ } from "./texts.js";

/**
 * Try it on the table `old`, after the events that wait; returns {problem} or {lines}: the differences in words, with a
 * broken rule first.
 */
export async function changes(judge, { players, card }, about, event, old, waiting) {
  const alone = await judge.tried([event], about - 1, waiting);
  const after = await judge.tried([{ type: "amend", about, event }], old.seq, waiting);
  if (after.problem) return after;
  const lines = [];
  const broken = alone.table?.violations.find((found) => found.seq === about);
  if (broken) lines.push(_("It breaks %(rule)s: %(words)s", { rule: broken.rule, words: card.rules[broken.rule] }));
  for (const doubt of after.table.warnings) lines.push(_("%(code)s: in hand %(hand)s %(detail)s", doubt));
  const now = after.table;
  const bySeat = { totals: _("points"), tricks_taken: _("tricks"), bids: _("bid") };
  for (const [key, word] of Object.entries(bySeat)) {
    players.forEach((name, seat) => {
      const [one, other] = [old[key]?.[seat] ?? 0, now[key]?.[seat] ?? 0];
      if (one !== other) lines.push(`${name}: ${word} ${one} → ${other}`);
    });
  }
  if (old.turn !== now.turn) lines.push(_("Next: %(before)s → %(after)s", { before: who(players, old), after: who(players, now) }));
  if (old.status !== now.status) lines.push(_("The match: %(before)s → %(after)s", { before: old.status, after: now.status }));
  if (!lines.length) lines.push(_("Tricks, points and turn stay as they are."));
  return { lines };
}

function who(players, { turn, phase }) {
  return turn === null ? phase : players[turn];
}
