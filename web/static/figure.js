// Draws the figures of a page (data-figure: Plotly JSON) in the page's own colours, and again when they change.
//
// Plotly is large: it is fetched when a figure comes near the screen, and never before the page is painted. A box that
// has been drawn says so by the event `drawn`; one whose data-figure was changed is drawn again on the event `redraw`.
"use strict";

const CONFIG = { displayModeBar: false, displaylogo: false, showSendToCloud: false, responsive: true };
const SOURCE = document.currentScript.dataset.plotly;
let loading = null;

function painted() {
  return new Promise((done) => {
    new PerformanceObserver((_, observer) => {
      observer.disconnect();
      done();
    }).observe({ type: "paint", buffered: true });
  });
}

function plotly() {
  loading ??= painted().then(() => new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = SOURCE;
    script.onload = done;
    script.onerror = failed;
    document.head.append(script);
  }));
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

async function draw(box) {
  await plotly();
  const { data, layout } = JSON.parse(box.dataset.figure);
  await Plotly.react(box, data, inColours(layout), CONFIG);
  box.classList.add("drawn");
  box.dispatchEvent(new CustomEvent("drawn", { bubbles: true }));
}

const boxes = document.querySelectorAll("[data-figure]");
const near = new IntersectionObserver((seen) => {
  for (const { isIntersecting, target } of seen) {
    if (isIntersecting) {
      near.unobserve(target);
      draw(target);
    }
  }
}, { rootMargin: "300px" });
for (const box of boxes) {
  near.observe(box);
  box.addEventListener("redraw", () => draw(box));
}
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  document.querySelectorAll(".drawn[data-figure]").forEach(draw);
});
