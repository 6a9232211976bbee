// Makes a figure of a page interactive on demand: Plotly takes the place of its picture, in the page's own colours.
//
// Plotly is large: it is fetched when somebody presses "Explore" on the first figure. A box (data-figure: Plotly JSON)
// sends the event `drawn` after drawing.
"use strict";

const CONFIG = { displayModeBar: false, displaylogo: false, responsive: true };
const SOURCE = document.querySelector("script[data-plotly]").dataset.plotly;
let loading = null;

function plotly() {
  loading ??= new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = SOURCE;
    script.onload = done;
    script.onerror = () => {
      loading = null;
      failed(new Error("Plotly cannot be fetched"));
    };
    document.head.append(script);
  });
  return loading;
}

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

// A trace that says its colour has it whatever its place.
function ofOwnColour(trace, colorway) {
  const color = colorway[trace.meta?.colour];
  if (!color) return trace;
  const own = { marker: { ...trace.marker, color }, line: { ...trace.line, color } };
  for (const errors of ["error_x", "error_y"]) if (trace[errors]) own[errors] = { ...trace[errors], color };
  return { ...trace, ...own };
}

async function draw(box) {
  const figure = JSON.parse(box.dataset.figure);
  const layout = inColours(figure.layout);
  const data = figure.data.map((trace) => ofOwnColour(trace, layout.colorway));
  await Plotly.react(box.querySelector(".plot"), data, layout, CONFIG);
  box.dispatchEvent(new CustomEvent("drawn", { bubbles: true }));
}

async function explore(box, button) {
  button.disabled = true;
  try {
    await plotly();
  } catch {
    button.disabled = false; // without a connection the picture stays, and the button can be pressed again
    return;
  }
  const plot = document.createElement("div");
  plot.className = "plot";
  plot.role = "img";
  plot.ariaLabel = box.dataset.label;
  plot.tabIndex = -1;
  box.append(plot);
  box.classList.add("explored");
  await draw(box);
  plot.on("plotly_click", ({ points: [{ data, customdata }] }) => {
    if (data.meta?.linked) location.assign(customdata[data.meta.linked]);
  });
  plot.focus({ preventScroll: true });
}

for (const box of document.querySelectorAll("[data-figure]")) {
  const button = box.querySelector(".explore");
  button.hidden = false;
  button.addEventListener("click", () => explore(box, button));
}
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  document.querySelectorAll(".explored[data-figure]").forEach(draw);
});
