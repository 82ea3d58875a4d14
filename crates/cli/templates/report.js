"use strict";
// Shows the clusters and pairs that say all the words that are looked for.
const input = document.getElementById("search");
const clusters = [...document.querySelectorAll(".cluster")].map((one) => [one, one.textContent.toLowerCase()]);
input.addEventListener("input", () => {
  const words = input.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
  let shown = 0;
  for (const [one, text] of clusters) {
    one.hidden = !words.every((word) => text.includes(word));
    shown += one.hidden ? 0 : 1;
  }
  document.getElementById("found").textContent = words.length === 0 ? "" : `${shown} of ${clusters.length}`;
});
document.querySelector(".search").hidden = false;
