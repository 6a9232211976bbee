// A link to a place within a folded part of the page opens that part; not every browser does so by itself.
"use strict";

function unfold() {
  const place = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let part = place && place.closest("details"); part; part = part.parentElement.closest("details")) part.open = true;
  if (place) place.scrollIntoView();
}

addEventListener("hashchange", unfold);
unfold();
