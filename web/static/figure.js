// Draws every figure of the page (data-figure: Plotly JSON) in the page's own colours, and again when they change.
"use strict";

const CONFIG = { displayModeBar: false, displaylogo: false, showSendToCloud: false, responsive: true };

function inColours(layout) {
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(name).trim();
  const axis = { gridcolor: colour("--line"), linecolor: colour("--line"), zerolinecolor: colour("--soft") };
  return {
    ...layout,
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { family: getComputedStyle(document.body).fontFamily, size: 13, color: colour("--ink") },
    colorway: Array.from({ length: 8 }, (_, seat) => colour(`--line-${seat}`)),
    hoverlabel: { bgcolor: colour("--raised"), bordercolor: colour("--line"), font: { color: colour("--ink") }, namelength: -1 },
    xaxis: { ...layout.xaxis, ...axis },
    yaxis: { ...layout.yaxis, ...axis },
  };
}

function draw(box) {
  const { data, layout } = JSON.parse(box.dataset.figure);
  Plotly.react(box, data, inColours(layout), CONFIG);
}

const boxes = document.querySelectorAll("[data-figure]");
boxes.forEach(draw);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => boxes.forEach(draw));
