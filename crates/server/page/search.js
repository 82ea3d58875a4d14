// The search: a question, its neighbours, and how one of them differs.

import * as address from "./address.js";
import { ask } from "./ask.js";
import { card, compare, copyButton, idButton } from "./documents.js";
import { $, busy, grouped, make, none, of, percent, show, table, told } from "./kit.js";

const KINDS = {
  text: ["Text", "Paste a text, or drop a file here"],
  html: ["HTML", "Paste the source of a page, or drop a file here"],
  fingerprint: ["Fingerprint", "Hexadecimal digits, made by the store's recipe"],
  id: ["Id of a stored document", "The id of a stored document"],
};

let store = { k: 3, width: 64 };
let asked = 0, compared = 0; // Answers to an earlier question, or about an earlier neighbour, are not shown.
let question, chosen, neighbors = [];

const choice = () => document.querySelector("input[name=kind]:checked");
const kind = () => choice().value;
const isLine = (name) => name === "id" || name === "fingerprint";
/** Where a question of the chosen kind is written. */
export const field = () => $(isLine(kind()) ? "line" : "content");
const subject = () => ({ [question.kind]: question.value });

/** Takes the store's figures. */
export function know(stats) {
  store = stats;
}

/** What the store's recipe takes, and its radius. */
export function knowRecipe(recipe) {
  // By similarity there is no radius to ask for, and a fingerprint alone tells too little.
  const alike = recipe.k === undefined;
  const radius = recipe.k ?? (recipe.width * 3) / 64;
  $("k").closest("label").hidden = alike;
  $("k").max = Math.max(radius, recipe.width / 4);
  $("k").value = radius;
  const texts = !!recipe.name && !/^weights = "given"/m.test(recipe.toml);
  const pages = texts && /^content = "html/m.test(recipe.toml);
  for (const [name, on] of [["text", texts], ["html", pages], ["fingerprint", !alike]]) {
    const input = document.querySelector(`input[name=kind][value=${name}]`);
    input.disabled = !on;
    input.parentElement.title = on ? "" : "The store's recipe does not take this";
  }
  if (choice().disabled) chooseKind(alike ? "id" : "fingerprint");
  switchKind();
  noteRadius();
}

function chooseKind(name) {
  document.querySelector(`input[name=kind][value=${name}]`).checked = true;
  switchKind();
}

export function switchKind() {
  const [label, hint] = KINDS[kind()];
  $("content").hidden = isLine(kind());
  $("line").hidden = !isLine(kind());
  $("ctrl").hidden = isLine(kind());
  $("content-label").textContent = label;
  $("content-label").htmlFor = field().id;
  field().placeholder = hint;
}

export function noteRadius() {
  const far = $("k").valueAsNumber > store.k;
  $("radius-note").hidden = !far;
  $("radius-note").textContent = far ? `Beyond ${of(store.k, "bit")} the server compares every stored document, which takes longer.` : "";
}

/** Asks what the form says. */
export function submit() {
  const name = kind();
  const value = isLine(name) ? field().value.trim() : field().value;
  if (!value.trim()) {
    clear();
    show("answer", none(isLine(name) ? "Write something above first." : "Paste something above first."));
    return field().focus();
  }
  const number = (id) => ($(id).value === "" ? undefined : $(id).valueAsNumber);
  const wanted = { kind: name, value, k: store.k === undefined ? undefined : number("k"), limit: number("limit") };
  address.write({ question: wanted });
  return find(wanted);
}

/** Looks for the neighbours of a stored document. */
export function look(id) {
  chooseKind("id");
  field().value = id;
  $("search").scrollIntoView();
  return submit();
}

/** Shows what the address says: a question with its chosen neighbour, or none. */
export async function restore({ question: wanted, near }) {
  if (!wanted) return clear();
  if (JSON.stringify(wanted) !== JSON.stringify(question)) {
    chooseKind(wanted.kind);
    field().value = wanted.value;
    if (wanted.k !== undefined) $("k").value = wanted.k;
    if (wanted.limit !== undefined) $("limit").value = wanted.limit;
    noteRadius();
    if (!(await find(wanted))) return;
  }
  const at = neighbors.findIndex((one) => one.id === near);
  mark(at);
  if (near === undefined) show("difference");
  else await differ(near);
}

function clear() {
  asked++;
  compared++;
  [question, chosen, neighbors] = [undefined, undefined, []];
  for (const place of ["answer", "document", "difference"]) show(place);
}

async function find(wanted) {
  clear();
  const turn = asked;
  question = wanted;
  show("answer", busy("Looking…"));
  $("answer").setAttribute("aria-busy", "true");
  try {
    const { k, limit } = wanted;
    const begun = performance.now();
    const found = await ask("/v1/query", { ...subject(), k, limit, explain: true });
    const time = performance.now() - begun;
    const stored = wanted.kind === "id" ? await ask("/v1/get", subject()) : undefined;
    if (turn === asked) answered(found, stored, time);
  } catch (problem) {
    if (turn === asked) show("answer", told(problem));
  }
  $("answer").setAttribute("aria-busy", "false");
  return turn === asked;
}

function answered(found, stored, time) {
  // A document is its own nearest neighbour.
  neighbors = stored ? found.neighbors.filter((near) => near.id !== stored.id) : found.neighbors;
  const count = neighbors.length ? of(neighbors.length, "neighbour") : "No neighbour";
  const within = found.k === undefined ? ` at similarity ${found.similarity} or more to ` : ` within ${of(found.k, "bit")} of `;
  const summary = make("p", { class: "summary" }, make("b", {}, count), within, make("code", {}, found.fingerprint), " ", copyButton(found.fingerprint, "fingerprint"), make("span", { class: "note" }, ` ${time.toFixed(time < 10 ? 1 : 0)} ms`));
  if (stored) show("document", card(stored));
  if (!neighbors.length) {
    const farther = found.k < store.width / 4 ? " A larger radius looks farther." : "";
    return show("answer", summary, none(`No stored document is this near.${farther}`));
  }
  const row = (near, at) => ({
    attributes: { "data-id": near.id, "aria-selected": "false" },
    cells: [idButton(near.id, () => choose(at)), grouped(near.distance), likeness(near.similarity)],
  });
  show("answer", summary, table([["Stored document"], ["Distance", "number"], ["Similarity", "number"]], neighbors.map(row), { id: "neighbors" }));
}

function likeness(similarity) {
  if (similarity === null || similarity === undefined) return make("span", { class: "note", title: "It needs the texts of both documents" }, "not known");
  const meter = make("span", { class: "meter", "aria-hidden": "true" }, make("i"));
  meter.firstChild.style.width = `${Math.round(similarity * 100)}%`;
  return make("span", {}, meter, percent(similarity));
}

/** Shows a neighbour with its difference. */
function choose(at) {
  const near = neighbors[at].id;
  address.write({ question, near }, chosen !== undefined);
  mark(at);
  return differ(near);
}

/** The next neighbour, or the one before. */
export function step(by) {
  if (neighbors.length) choose(Math.min(neighbors.length - 1, Math.max(0, (chosen ?? (by > 0 ? -1 : 1)) + by)));
}

function mark(at) {
  chosen = at < 0 ? undefined : at;
  const rows = [...document.querySelectorAll("#neighbors tbody tr")];
  rows.forEach((row, index) => row.setAttribute("aria-selected", String(index === at)));
  rows[at]?.scrollIntoView({ block: "nearest" });
}

function differ(id) {
  const turn = ++compared;
  const outdated = () => turn !== compared;
  return compare($("difference"), subject(), id, question.kind === "id" ? question.value : "What you gave", { store, look, outdated });
}

$("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  submit();
});
$("ask").addEventListener("change", switchKind);
$("ask").addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === "Enter") {
    event.preventDefault();
    $("ask").requestSubmit();
  }
});
$("k").addEventListener("input", noteRadius);
$("content").addEventListener("dragover", (event) => event.preventDefault());
$("content").addEventListener("drop", async (event) => {
  const [file] = event.dataTransfer.files;
  if (!file) return;
  event.preventDefault();
  $("content").value = await file.text();
});
