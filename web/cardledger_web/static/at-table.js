// A table's phone: the page is read again when something happens at its evening, unless somebody is writing.
"use strict";

import { Engine } from "./engine.js";
import { Live } from "./follow.js";
import { Witness } from "./witness.js";

const root = document.querySelector(".at-table[data-live]");
const writes = () => root.querySelector("details[open]") !== null;

if (root) {
  let position = Number(root.dataset.position);
  new Live(root.dataset.live, () => position, {
    news: (number, data) => {
      position = number;
      if (JSON.parse(data).stream === root.dataset.stream && !writes()) location.reload();
    },
  });
}

const engine = new Engine(); // it is loaded only if there is a new checkpoint to compare
new Witness((question) => engine.asked(question)).watch();
