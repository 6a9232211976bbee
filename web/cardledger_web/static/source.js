// Where the answers of a page come from, and where its addresses lead: the server, or the file in which the page lies (in-file.js).
"use strict";

const SERVER = {
  /** The answer to an address of this site; null if none comes. */
  ask: (address) => fetch(address).catch(() => null),
  /** The address of this page. */
  get address() {
    return location.href;
  },
  /** Leave this page for another. */
  open: (address) => location.assign(address),
  /** Let the browser show another address of this page: as a new place to come back from, or (`replaceState`) in place of this one. */
  put: (way, state, address) => history[way](state, "", address),
};

export const source = globalThis.cardledgerFile ?? SERVER;
