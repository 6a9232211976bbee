// Where the pages of this ledger are: a server may have them below a path, and those of other ledgers beside them.
"use strict";

/** The path of the first page, `/` or `/c/ulm/`, as the page says it. */
const ROOT = globalThis.document?.documentElement.dataset.root ?? "/";

/** The path of a page or an answer, from one without a slash in front. */
export const at = (path) => ROOT + path;

/** The name under which this browser keeps something for this ledger alone. */
export const own = (name) => (ROOT === "/" ? name : `${name} ${ROOT}`);
