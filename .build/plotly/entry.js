// Of plotly.js what the figures of the pages use: lines, points and bars, error bars, names and hovering.
"use strict";

const registry = require("plotly.js/src/registry");
const api = require("plotly.js/src/plot_api/plot_api");
const plots = require("plotly.js/src/plots/plots");

for (const name of Object.keys(api)) registry.register({ moduleType: "apiMethod", name, fn: api[name] });
registry.register([
  require("plotly.js/src/traces/scatter"),
  require("plotly.js/src/traces/bar"),
  require("plotly.js/src/components/annotations"), // drawing counts annotations, selections, shapes and images, though there are none
  require("plotly.js/src/components/selections"),
  require("plotly.js/src/components/shapes"),
  require("plotly.js/src/components/images"),
  require("plotly.js/src/components/errorbars"),
  require("plotly.js/src/components/legend"),
  require("plotly.js/src/components/fx"),
  require("plotly.js/src/components/modebar"),
  require("plotly.js/src/locale-en"),
  require("plotly.js/src/locale-en-us"),
]);

module.exports = { react: api.react, Plots: { resize: plots.resize } };
