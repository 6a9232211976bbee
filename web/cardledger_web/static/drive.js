// The sheet of a hand: Enter goes on to the next field, and the tricks of the other pair are shown as they are typed.
"use strict";

const form = document.querySelector(".drive");
const fields = form ? [...form.querySelectorAll("input:not([type=hidden])")] : [];
const whole = Number(form?.dataset.tricks ?? NaN);

/** Show what the other pair has, or nothing while the number cannot be. */
function follow(field) {
  const rest = field.closest("li").querySelector(".rest");
  if (!rest || Number.isNaN(whole)) return;
  const taken = /^\d{1,2}$/.test(field.value.trim()) ? Number(field.value) : -1;
  rest.textContent = taken >= 0 && taken <= whole ? whole - taken : "–";
}

for (const [place, field] of fields.entries()) {
  field.addEventListener("input", () => follow(field));
  field.addEventListener("focus", () => field.select());
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    const next = fields[place + 1] ?? form.querySelector("button");
    next.focus();
    next.closest("li, p").scrollIntoView({ block: "center" });
  });
}

// The first field that is empty or wrong is ready to be typed into, where a keyboard does not cover the page.
if (matchMedia("(pointer: fine)").matches) fields.find((field) => !field.value || field.getAttribute("aria-invalid"))?.focus();
