// Clusters: the search for them, the largest ten and more, and the members of one.

import * as address from "./address.js";
import { ask, may } from "./ask.js";
import { compare, idButton } from "./documents.js";
import { bars } from "./charts.js";
import { look } from "./search.js";
import { $, busy, date, gap, grouped, make, none, note, of, say, show, table, told } from "./kit.js";

/** Clusters that are shown at a time; the most that the server answers at once. */
const STEP = 10, MOST = 1000;
/** Characters of a text that are shown of a cluster. */
const BEGINNING = 160;
/** Less than this in common, of all ids and of those in a row, is not worth cutting. */
const OF_ALL = 8, OF_ROW = 3;

let store = {};
let waiting, result;
let rows = []; // What the server says of each cluster that is shown, with its element.

export function know(stats) {
  store = stats;
  $("find-clusters").hidden = !may("admin");
  $("clusters-scope").hidden = may("admin");
}

export function knowRecipe(recipe) {
  $("clusters-k").closest("label").hidden = recipe.k === undefined;
  $("clusters-k").max = $("clusters-k").value = recipe.k ?? "";
}

/** Shows what the last search found, and waits for the one under way. */
export async function clusters(first) {
  clearTimeout(waiting);
  try {
    const state = await ask(`/v1/clusters?limit=${STEP}`);
    $("find-clusters").querySelector("button").disabled = !!state.running;
    const failed = state.failed ? `The last search failed: ${state.failed}` : "";
    say($("clusters-state"), state.running ? `Looking ${reach(state.running)}, since ${date(state.running.begun)}…` : failed);
    if (state.running) waiting = setTimeout(clusters, 700);
    if (!state.running || first === true) found(state.found);
  } catch (problem) {
    show("clusters-found", told(problem));
  }
}

function reach({ k, similarity }) {
  return similarity === undefined ? `within ${of(k, "bit")}` : `at similarity ${similarity} or more`;
}

function found(next) {
  [result, rows] = [next, []];
  if (!result) return show("clusters-found", none("No cluster search yet."));
  const time = make("span", { class: "note" }, ` · ${date(result.begun)}, in ${result.seconds.toFixed(2)} s`);
  const summary = make("p", { class: "summary" }, make("b", {}, of(result.clusters, "cluster")), ` of ${of(result.clustered, "document")}, among ${grouped(result.documents)} ${reach(result)}`, time);
  if (!result.clusters) return show("clusters-found", summary, none("No two documents are this near."));
  const named = result.sizes.map(({ from, to, clusters }) => [from === to ? grouped(from) : `${grouped(from)}–${grouped(to)}`, clusters]);
  const chart = make("figure", { class: "sizes" }, make("figcaption", {}, make("h3", {}, "Sizes"), make("p", {}, "Clusters by their number of documents.")), make("div", { class: "chart" }, bars(named, (size, count) => `${of(count, "cluster")} of ${size} documents`)));
  show("clusters-found", summary, chart, note(make("span", { id: "in-common" })), make("div", { id: "cluster-rows" }), make("p", { id: "more-clusters", class: "row" }));
  add(result.largest);
}

/** Adds rows behind those that are shown. */
function add(largest) {
  const added = largest.map((row) => {
    const [inside, name, beginning] = [make("div"), make("code", { dir: "auto" }), make("span", { class: "beginning", dir: "auto" })];
    const open = ({ target }) => {
      if (!target.open) return;
      address.write({ cluster: row.cluster });
      if (!inside.firstChild) members(inside, row);
    };
    const element = make("details", { class: "cluster", toggle: open }, make("summary", {}, make("b", {}, grouped(row.size)), make("span", {}, name, beginning)), inside);
    return { ...row, element, name, beginning };
  });
  rows.push(...added);
  $("cluster-rows").append(...added.map((row) => row.element));
  nameRows();
  const left = result.kept - rows.length;
  const more = left > 0 && make("button", { type: "button", click: () => load(STEP) }, `${grouped(Math.min(STEP, left))} more`);
  const beyond = result.clusters - result.kept;
  const rest = [left > 0 && `${of(left, "smaller cluster")}`, beyond > 0 && `${of(beyond, "cluster")} that ${beyond === 1 ? "is" : "are"} not kept`];
  show("more-clusters", more, make("span", { class: "note" }, rest.filter(Boolean).join(", and ")));
  if (store.keep_text) begin(added);
}

async function load(count) {
  try {
    const state = await ask(`/v1/clusters?limit=${Math.min(MOST, count)}&offset=${rows.length}`);
    // A later search gives the clusters other numbers.
    if (state.found?.begun !== result.begun) return found(state.found);
    add(state.found.largest);
  } catch (problem) {
    $("more-clusters").append(told(problem));
  }
}

/** How many characters all texts begin with, up to the end of a part such as a folder; 0 if fewer than `least`. */
function inCommon(texts, least) {
  const [first, ...others] = texts;
  if (!others.length) return 0;
  let length = first.length;
  for (const text of others) {
    let at = 0;
    while (at < length && text[at] === first[at]) at++;
    length = at;
  }
  const parts = first.slice(0, length).match(/^.*[^\p{L}\p{N}]/su);
  return parts && parts[0].length >= least ? parts[0].length : 0;
}

/** Shows the ids of all rows without what they have in common. */
function nameRows() {
  const cut = inCommon(rows.flatMap((row) => row.examples), OF_ALL);
  say($("in-common"), cut ? `Their ids begin with ${rows.find((row) => row.examples.length).examples[0].slice(0, cut)}` : "");
  for (const { examples, name } of rows) {
    const [first, ...others] = examples.map((id) => id.slice(cut) || id);
    const same = first === undefined ? 0 : inCommon([first, ...others], OF_ROW);
    const shown = [first, ...others.map((id) => (same ? `…${id.slice(same)}` : id))].filter((id) => id !== undefined);
    say(name, shown.join(" · ") || "all its documents were removed");
    name.title = examples.join("\n");
  }
}

/** Shows how the texts of clusters begin, one after another. */
async function begin(added) {
  for (const { examples, beginning } of added) {
    if (!examples.length || !beginning.isConnected) continue;
    try {
      const { metadata } = await ask("/v1/get", { id: examples[0] });
      if (typeof metadata?.text === "string") say(beginning, metadata.text.slice(0, 4 * BEGINNING).trim().replace(/\s+/g, " ").slice(0, BEGINNING));
    } catch {
      return; // The document may be gone; the next search leaves it out.
    }
  }
}

async function members(place, cluster) {
  show(place, busy("Looking…"));
  try {
    const all = await ask(`/v1/clusters/${cluster.cluster}?limit=100`);
    const first = all.members[0]?.id;
    const beside = make("div");
    const click = (id) => () => (id === first ? look(id) : compare(beside, { id: first }, id, first, { store, look }));
    const line = (member) => [idButton(member.id, click(member.id)), member.id === first ? "oldest" : grouped(member.distance)];
    const left = all.size - all.members.length;
    show(place, table([["Document"], ["Distance from the oldest", "number"]], all.members.map(line)), left > 0 && gap(`${of(left, "document")} more`), beside);
  } catch (problem) {
    show(place, told(problem));
  }
}

/** Opens the cluster of a number. */
export async function open(number) {
  if (result && number >= rows.length && number < result.kept) await load(Math.ceil((number + 1) / STEP) * STEP - rows.length);
  const row = rows[number];
  if (!row) {
    $("clusters").scrollIntoView();
    return say($("clusters-state"), `There is no cluster ${number}: the last search found others.`);
  }
  row.element.open = true;
  row.element.scrollIntoView();
}

$("find-clusters").addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    const k = $("clusters-k");
    await ask("/v1/clusters", k.closest("label").hidden ? {} : { k: k.valueAsNumber });
    clusters();
  } catch (problem) {
    say($("clusters-state"), "");
    show("clusters-found", told(problem));
  }
});
