// The store: its health, its figures and its recipe, and what an empty store offers.

import { ask, may, token } from "./ask.js";
import { copyButton } from "./documents.js";
import { $, bytes, grouped, make, note, say, show, sure, table, tiles, told } from "./kit.js";

/** What a store that has documents shows. */
const FILLED = ["search", "clusters", "activity"];

let lostAt;

export function draw(stats) {
  lostAt = undefined;
  $("store").classList.remove("stale");
  const [bad, health] = healthOf(stats);
  $("health").className = `health ${bad ? "bad" : "good"}`;
  say($("health"), health);
  const gone = stats.segments.reduce((sum, segment) => sum + segment.gone, 0);
  const { similarity, measure } = stats.finds;
  show("tiles", ...tiles([
    ["documents", grouped(stats.documents)], [`fingerprints, ${stats.k === undefined ? `similarity ${similarity}, ${measure}` : `k = ${stats.k}`}`, `${stats.width}-bit`],
    ["in no segment yet", grouped(stats.recent)], ["segments", grouped(stats.segments.length)],
    ["removed, still in segments", grouped(gone)], ["on disk, all", bytes(stats.bytes)],
    ["on disk, the database", bytes(stats.database_bytes)], ["commits", grouped(stats.commits)],
    ["writes waiting", grouped(stats.waiting)], ["release", stats.version],
  ]));
  const rows = stats.segments.map((segment) => [grouped(segment.documents), grouped(segment.gone), bytes(segment.bytes)]);
  show("segments", rows.length && table([["Documents of a segment", "number"], ["Removed", "number"], ["Bytes", "number"]], rows));
  const empty = !stats.documents;
  $("compact").hidden = empty || !may("admin");
  if (empty && !$("first").firstChild) show("first", ...first(stats));
  for (const id of FILLED) $(id).hidden = empty;
  for (const id of [...FILLED, "store"]) document.querySelector(`nav a[href="#${id}"]`).hidden = empty;
  $("empty").hidden = !empty;
  for (const hint of $("empty").querySelectorAll(".adding")) hint.hidden = Boolean(stats.follows);
}

/** Whether something is wrong with the store, and what to say of it. */
function healthOf({ read_only: readOnly, follows }) {
  if (readOnly) return [true, "Read-only: writes fail at the moment. The server's log says why. Checks still work."];
  if (!follows) return [false, "Takes writes."];
  const copy = `A copy of ${follows.leader}, which takes the writes.`;
  if (follows.different) return [true, `${copy} It has diverged from its leader, and does not follow it: ${follows.error}`];
  if (!follows.connected) return [true, `${copy} It does not reach its leader: ${follows.error ?? "still trying"}. Checks still work.`];
  return [false, `${copy} It is ${follows.lag_seconds.toFixed(1)} s and ${grouped(follows.lag_groups)} groups of writes behind.`];
}

/** How to store a first document. */
function first(stats) {
  if (stats.follows) return [note(`This store is a copy: its documents come from ${stats.follows.leader}; add documents there.`)];
  const content = stats.recipe === null ? `"fingerprint":"${"0f".repeat(stats.width / 8)}"` : '"text":"The first text that this store knows."';
  const secret = token.get() ? ` -H "Authorization: Bearer $TOKEN"` : "";
  const command = `curl ${location.origin}/v1/add${secret} \\\n  -H 'Content-Type: application/json' \\\n  -d '{"id":"first",${content}}'`;
  return [make("pre", {}, command), make("p", { class: "row" }, copyButton(command, "command"), make("span", { class: "note" }, secret && "TOKEN is a token of scope write."))];
}

/** The server does not answer: the figures are old. */
export function lost() {
  lostAt ??= new Date();
  $("store").classList.add("stale");
  $("health").className = "health";
  say($("health"), `Unknown since ${lostAt.toLocaleTimeString("en-GB")}. The figures are older.`);
}

/** Shows the recipe. */
export function knowRecipe(recipe) {
  say($("store-name"), recipe.name ? `recipe ${recipe.name}, ${recipe.width} bits` : `ready fingerprints, ${recipe.width} bits`);
  say($("recipe").querySelector("pre"), recipe.toml ?? "The store has no recipe: fingerprints come ready-made.");
}

$("compact").addEventListener("click", async () => {
  if (!(await sure("Compact the store?", "The server makes one segment of all, which takes minutes for millions of documents. Other requests go on meanwhile.", "Compact"))) return;
  try {
    await ask("/v1/compact", {});
    show("compacting", note("The compaction has begun. It is done when there is one segment."));
  } catch (problem) {
    show("compacting", told(problem));
  }
});
