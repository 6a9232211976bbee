// Sentences in the language of the page. English is what the code says; other pages bring their sentences along
// (web/cardledger_web/pages/texts.py), so a script that says something looks it up here.
"use strict";

const TEXTS = globalThis.TEXTS ?? {};
export const LANGUAGE = globalThis.document?.documentElement.lang || "en";
const PLURALS = new Intl.PluralRules(LANGUAGE);

/** A sentence in the language of the page; `%(name)s` in it stands for the value `name`. */
export function _(text, values = {}) {
  return (TEXTS[text] ?? text).replace(/%\((\w+)\)s/g, (all, name) => values[name] ?? all);
}

/** A sentence about a number of things, `%(num)s` in it. */
export function ngettext(one, many, num) {
  const forms = TEXTS[one] ?? [one, many];
  return _(forms[PLURALS.select(num) === "one" ? 0 : 1], { num });
}
