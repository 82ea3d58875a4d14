"use strict";
// Shows the clusters and pairs that say all the words that are looked for, and are of the source that was chosen.
const input = document.getElementById("search");
const select = document.getElementById("source");
const lists = [...document.querySelectorAll(".list")];
const rows = [...document.querySelectorAll(".cluster")].map((row) => ({
  row,
  text: row.textContent.toLowerCase(),
  sources: new Set([...row.querySelectorAll(".source")].map((source) => source.textContent)),
}));
const sources = [...new Set(rows.flatMap((one) => [...one.sources]))].sort();
for (const source of select ? sources : []) select.add(new Option(source));
const find = () => {
  const words = input.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const source = select && select.selectedIndex > 0 ? sources[select.selectedIndex - 1] : null;
  let shown = 0;
  for (const one of rows) {
    const found = words.every((word) => one.text.includes(word)) && (source === null || one.sources.has(source));
    one.row.hidden = !found;
    shown += found ? 1 : 0;
  }
  for (const list of lists) list.querySelector(".nothing").hidden = list.querySelector(".cluster:not([hidden])") !== null;
  const all = words.length === 0 && source === null;
  document.getElementById("found").textContent = all ? "" : `${shown} of ${rows.length}`;
};
input.addEventListener("input", find);
if (select) select.addEventListener("change", find);
document.querySelector(".search").hidden = false;
