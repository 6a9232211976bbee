// A line of what-if events in an address: `#what-if=play.1.9S~bid.2.3`. It needs the position that the address has.
"use strict";

/** The keys of each type of event of the game, in their order in an address. */
const KEYS = JSON.parse(document.getElementById("replayer").dataset.kinds);
const MOST = 60;

/** The part of an address after `#` that holds these events; empty for none. */
export function lineToHash(events) {
  const words = events.map((event) => [event.type, ...KEYS[event.type].filter((key) => event[key] !== undefined).map((key) => word(event[key]))].join("."));
  return words.length ? `#what-if=${words.join("~")}` : "";
}

function word(value) {
  return (Array.isArray(value) ? value : [value]).map((one) => encodeURIComponent(one)).join("+");
}

/** The events that an address holds, none if it was altered. */
export function hashToLine(hash) {
  const events = hash.match(/^#what-if=(.+)$/)?.[1].split("~").slice(0, MOST).map(eventOf) ?? [];
  return events.includes(null) ? [] : events;
}

function eventOf(text) {
  const [type, ...words] = text.split(".");
  const keys = Object.hasOwn(KEYS, type) ? KEYS[type] : null;
  if (!keys || words.length > keys.length || !words.length) return null;
  try {
    return Object.fromEntries([["type", type], ...words.map((each, place) => [keys[place], valueOf(keys[place], each)])]);
  } catch {
    return null; // no way to decode it
  }
}

function valueOf(key, text) {
  if (key === "cards") return text.split("+").map(decodeURIComponent);
  const said = decodeURIComponent(text);
  return /^\d+$/.test(said) ? Number(said) : said; // no card and no call is only digits
}
