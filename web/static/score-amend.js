// What an amendment would change, told before it is recorded.
"use strict";

/** Ask the server; returns {problem} or {lines}: what would be otherwise, in words, with the rule broken first. */
export async function changes(sender, { players, card }, about, event) {
  const alone = await sender.tryOut([event], about - 1);
  const after = await sender.tryOut([{ type: "amend", about, event }], sender.table.seq);
  if (after.problem) return after;
  const lines = [];
  const broken = alone.table?.violations.find((found) => found.seq === about);
  if (broken) lines.push(`It breaks ${broken.rule}: ${card.rules[broken.rule]}`);
  const [old, now] = [sender.table, after.table];
  const bySeat = { totals: "points", tricks_taken: "tricks", bids: "bid" };
  for (const [key, word] of Object.entries(bySeat)) {
    players.forEach((name, seat) => {
      const [one, other] = [old[key]?.[seat] ?? 0, now[key]?.[seat] ?? 0];
      if (one !== other) lines.push(`${name}: ${word} ${one} → ${other}`);
    });
  }
  if (old.turn !== now.turn) lines.push(`Next: ${who(players, old)} → ${who(players, now)}`);
  if (old.status !== now.status) lines.push(`The match: ${old.status} → ${now.status}`);
  if (!lines.length) lines.push("Tricks, points and turn stay as they are.");
  return { lines };
}

function who(players, { turn, phase }) {
  return turn === null ? phase : players[turn];
}
