// Shows times in the reader's zone; the server has written them in its own.
"use strict";

const LANGUAGE = document.documentElement.lang;
const DAY = new Intl.DateTimeFormat(LANGUAGE === "en" ? "en-GB" : LANGUAGE, { day: "numeric", month: "long", year: "numeric" });
const ZONE = new Intl.DateTimeFormat("en-US", { timeZoneName: "short" });

const two = (number) => String(number).padStart(2, "0");
const dayOf = (at) => DAY.format(at);
const zoneOf = (at) => ZONE.formatToParts(at).find(({ type }) => type === "timeZoneName").value;

/** The day on the calendar here, as a date is written: 2026-11-21. */
export function today() {
  const now = new Date();
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

/** Rewrite the times within `root`: moments with their day, and the clock times of a list, with the day when it changes. */
export function localTimes(root) {
  for (const time of root.querySelectorAll("time[data-time]")) {
    const at = new Date(time.dateTime);
    if (!Number.isNaN(at.getTime())) time.textContent = `${dayOf(at)}, ${two(at.getHours())}:${two(at.getMinutes())} ${zoneOf(at)}`;
  }
  let day = null;
  for (const time of root.querySelectorAll("time[data-clock]")) {
    const at = new Date(time.dateTime);
    if (Number.isNaN(at.getTime())) continue;
    const clock = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
    time.textContent = dayOf(at) === day ? clock : `${dayOf(at)}, ${clock}`;
    day = dayOf(at);
  }
  for (const zone of root.querySelectorAll("[data-zone]")) zone.textContent = zoneOf(new Date());
}

localTimes(document);
