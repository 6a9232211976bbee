// An evening from a spreadsheet: a file that is dropped or chosen is shown at once.
"use strict";

const form = document.querySelector("form.sheet-file");
const input = form.querySelector("input[type=file]");
const zone = form.querySelector(".drop");

const show = () => {
  form.noValidate = true; // questions about another file need no answer
  form.requestSubmit();
};
input.addEventListener("change", () => {
  if (input.files.length) show();
});
for (const name of ["dragenter", "dragover"]) {
  zone.addEventListener(name, (event) => {
    event.preventDefault();
    zone.classList.add("over");
  });
}
for (const name of ["dragleave", "drop"]) zone.addEventListener(name, () => zone.classList.remove("over"));
zone.addEventListener("drop", (event) => {
  event.preventDefault();
  if (!event.dataTransfer.files.length) return;
  input.files = event.dataTransfer.files;
  show();
});
form.querySelector("button.show").hidden = true;
