// A phone that votes for the truth: it keeps the checkpoint that it last saw of this ledger, and checks with the engine that
// the next one continues it. A difference is shown until somebody has looked at it, told to nobody, and kept as evidence.
// What is kept are signed notes, keys and proofs: no names, no cards.
"use strict";

import { at, own } from "./root.js";
import { LANGUAGE, _ } from "./texts.js";

const KEPT = own("cardledger-witness");
const ADDRESS = at("api/v1/checkpoint");
const AGAIN = 600_000; // milliseconds between two looks; a checkpoint is made within a minute of anything recorded
const MOST = 20; // differences that are kept, the first ones and the last; and logs, where several servers answer
const FINE = ["first", "grown"];

/** What this phone keeps: the last checkpoint of each log that was at this address, the latest first, and the differences. */
export function remembered() {
  try {
    const { kept = [], differences = [] } = JSON.parse(localStorage.getItem(KEPT)) ?? {};
    return { kept: kept.filter(({ note, keys }) => typeof note === "string" && Array.isArray(keys)), differences };
  } catch {
    return { kept: [], differences: [] };
  }
}

/** The checkpoint of a log that this phone knows, or else of the one that was here before; null for none. */
const promisedBy = (origin) => {
  const { kept } = remembered();
  return kept.find((one) => one.origin === origin) ?? kept[0] ?? null;
};

function remember(known) {
  try {
    localStorage.setItem(KEPT, JSON.stringify(known));
  } catch {
    // No room, or none is allowed: then this phone keeps nothing.
  }
}

/** What happened, in plain words: [what it is, what may be behind it]. */
function said(verdict) {
  switch (verdict) {
    case "key":
      return [
        _("This ledger is signed with another key than this phone knows."),
        _("Everything that was sealed is still there. Compare the new key with the one that your club has published."),
      ];
    case "other":
      return [
        _("Another ledger is at this address now."),
        _("It is so when a demo starts again, or when a club begins a new log after it restored a backup. What was sealed before is not continued by it: ask why."),
      ];
    case "fewer":
      return [
        _("This ledger shows fewer events than it had sealed."),
        _("It may have been restored from a backup, or its end was cut off. What was recorded since may be lost."),
      ];
    case "unsigned":
      return [_("This ledger shows a checkpoint that is not signed with its key."), _("It may be that somebody else answers in its place.")];
    case "unproven":
      return [
        _("This ledger does not prove that it continues what it had sealed."),
        _("A ledger that nobody has changed can always prove it."),
      ];
    default:
      return [
        _("This ledger is not the one that it was: something that was sealed has been changed."),
        _("An event of a match was changed, moved, put in or taken out after this phone had seen it sealed."),
      ];
  }
}

/** What is known of a checkpoint, as words and its root. */
function described({ size, root, at }) {
  if (size === undefined) return _("nothing that can be read");
  const when = new Date(at).toLocaleString(LANGUAGE, { dateStyle: "long", timeStyle: "short" });
  return _("Events: %(many)s, sealed %(when)s, root %(root)s", { many: size.toLocaleString(LANGUAGE), when, root });
}

function made(tag, text = "", about = {}) {
  return Object.assign(document.createElement(tag), { textContent: text }, about);
}

/** The box that says of a difference what was promised, what is shown now, and whom to tell. */
export function boxOf(difference, done = null) {
  const [what, why] = said(difference.verdict);
  const box = made("section", "", { className: "alarm witness" });
  const evidence = made("textarea", JSON.stringify(difference, null, 1), { readOnly: true, rows: 6 });
  evidence.setAttribute("aria-label", _("The evidence"));
  const list = document.createElement("dl");
  list.append(made("dt", _("What this phone was promised")), made("dd", described(difference.promised)));
  list.append(made("dt", _("What is shown now")), made("dd", described(difference.shown)));
  const copy = made("button", _("Copy the evidence"), { type: "button" });
  copy.addEventListener("click", async () => {
    const open = box.querySelector("details");
    open.open = true;
    evidence.select();
    try {
      await navigator.clipboard.writeText(evidence.value);
      copy.textContent = _("Copied");
    } catch {
      evidence.focus(); // selected, so that it can be copied by hand
    }
  });
  const acts = made("p", "", { className: "actions" });
  acts.append(copy);
  if (done) {
    const looked = made("button", _("I have looked at it"), { type: "button" });
    looked.addEventListener("click", done);
    acts.append(" ", looked);
    box.setAttribute("role", "alert");
  }
  const details = document.createElement("details");
  details.append(made("summary", _("The evidence")), evidence);
  const tell = _("Tell the person who runs this ledger, and ask the others at your table what their phones say. This phone has told nobody, and keeps what it was promised.");
  box.append(made("h2", what), made("p", why), list, made("p", tell), acts, details);
  return box;
}

export class Witness {
  /** `ask` asks the engine a question: {told}, or null without an engine. */
  constructor(ask) {
    this.ask = ask;
    this.work = Promise.resolve();
  }

  /** Look now, whenever the page is looked at again, and from time to time; what was not looked at yet is shown at once. */
  watch() {
    const look = () => {
      this.work = this.work.then(() => this.look()).catch(() => {}); // no connection: next time
    };
    this.show();
    look();
    setInterval(look, AGAIN);
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && look());
  }

  /** Compare the checkpoint of now with the one that is kept. */
  async look() {
    const now = await answer(ADDRESS);
    const kept = promisedBy(now?.origin);
    if (now?.refused && kept) this.found(kept, { verdict: "unproven", shown: {}, why: now.refused }, null);
    if (!now?.note || now.note === kept?.note) return;
    const ledger = await answer(`${ADDRESS}/keys`);
    if (!ledger?.keys) return;
    const proof = kept?.size < now.size ? await answer(`${ADDRESS}/consistency?first=${kept.size}&second=${now.size}`) : null;
    if (proof === undefined) return;
    const question = { ask: "looked_at", note: now.note, keys: ledger.keys.map(({ key }) => key), kept, proof: proof && JSON.stringify(proof) };
    const told = (await this.ask(question))?.told;
    if (told) this.found(kept, told, proof);
  }

  /** Keep what was found, unless another window has kept something meanwhile. */
  found(kept, { verdict, shown, why }, proof) {
    if (promisedBy(shown.origin ?? kept?.origin)?.note !== kept?.note) return;
    const known = remembered();
    if (!FINE.includes(verdict)) {
      const difference = { verdict, promised: kept ?? {}, shown, why, proof, found: new Date().toISOString(), looked: false };
      const again = known.differences.some((one) => one.verdict === verdict && one.promised.note === kept?.note && one.shown.note === shown.note);
      if (again) return;
      known.differences = [...known.differences.slice(0, MOST - 1), difference];
    }
    // What cannot be read promises nothing; what differs is what the ledger promises from now on.
    if (shown.root) known.kept = [shown, ...known.kept.filter(({ origin }) => origin !== shown.origin)].slice(0, MOST);
    remember(known);
    this.show();
  }

  /** Show the first difference that nobody has looked at. */
  show() {
    document.querySelector("main > .witness")?.remove();
    const { differences } = remembered();
    const next = differences.find(({ looked }) => !looked);
    if (!next) return;
    const done = () => {
      const known = remembered();
      for (const one of known.differences) if (one.found === next.found) one.looked = true;
      remember(known);
      this.show();
    };
    document.querySelector("main").prepend(boxOf(next, done));
  }
}

/** What an address answers: null without what was asked for, {refused} with the ledger's reason; undefined if it is to be asked again. */
async function answer(address) {
  const found = await fetch(address, { headers: { Accept: "application/json" }, cache: "no-store" });
  if (found.ok) return found.json();
  if (found.status === 409 || found.status === 422) return { refused: (await found.json()).detail ?? String(found.status) };
  return undefined;
}
