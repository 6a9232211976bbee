// A table's phone: the page is read again when something happens at its evening, unless somebody is writing.
"use strict";

import { Live } from "./follow.js";

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
