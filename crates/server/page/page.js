// The page of the service. What documents say enters the page as text of nodes, never as markup.

const $ = (id) => document.getElementById(id);
const TOKEN = "nearprint-token";
const SAMPLES = 120, PAUSE = 2000;

/** An element with attributes, listeners (functions) and children (nodes or text). */
function make(tag, attributes = {}, ...children) {
  const svg = ["svg", "rect", "path", "text", "line"].includes(tag);
  const element = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== undefined && child !== null));
  return element;
}
const show = (id, ...nodes) => $(id).replaceChildren(...nodes.filter(Boolean));
const grouped = (number) => number.toLocaleString("en");
const of = (number, one, many = one + "s") => `${grouped(number)} ${number === 1 ? one : many}`;
const date = (time) => new Date(time).toLocaleString();

function bytes(number) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let at = 0;
  for (; number >= 1024 && at < units.length - 1; at++) number /= 1024;
  return `${at && number < 100 ? number.toFixed(1) : Math.round(number)} ${units[at]}`;
}

/** A problem, as the server tells it. */
class Problem extends Error {
  constructor(status, problem) {
    super(problem.detail || problem.title || `status ${status}`);
    Object.assign(this, { status, title: problem.title, field: problem.field });
  }
}

/** The answer to a request; throws a Problem. */
async function ask(path, body) {
  const token = sessionStorage.getItem(TOKEN);
  const headers = {};
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body) headers["Content-Type"] = "application/json";
  let response;
  try {
    response = await fetch(path, { method: body ? "POST" : "GET", headers, body: body && JSON.stringify(body) });
  } catch {
    throw new Problem(0, { title: "No answer", detail: "The server does not answer." });
  }
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  const problem = new Problem(response.status, answer);
  if (problem.status === 401) $("token-form").hidden = false;
  throw problem;
}

function told(problem) {
  const field = problem.field ? ` (${problem.field})` : "";
  return make("p", { class: "problem", role: "alert" }, make("b", {}, problem.title || "Something failed"), `: ${problem.message}${field}`);
}
const busy = (what) => make("p", { class: "busy" }, what);
const none = (what) => make("p", { class: "none" }, what);

function table(heads, rows, attributes = {}) {
  const head = heads.map(([name, kind]) => make("th", { scope: "col", class: kind }, name));
  const cell = (value, at) => make("td", { class: heads[at][1] }, value);
  const body = rows.map((row) => make("tr", row.attributes || {}, ...(row.cells || row).map(cell)));
  return make("div", { class: "scroll" }, make("table", attributes, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...body)));
}

// The search.

let store = { k: 3, width: 64 };
let asked = 0; // Answers to an earlier question are not shown.
let subject, chosen, neighbors = [];

const kind = () => new FormData($("ask")).get("kind");
const KINDS = {
  text: ["Text", "Paste a text, or drop a file here"],
  html: ["HTML", "Paste the source of a page, or drop a file here"],
  fingerprint: ["Fingerprint", "Hexadecimal digits, made by the store's recipe"],
  id: ["Id of a stored document", "The id of a stored document"],
};

function switchKind() {
  const [label, hint] = KINDS[kind()];
  $("content-label").textContent = label;
  $("content").placeholder = hint;
}

async function find() {
  const turn = ++asked;
  const value = $("content").value;
  const name = kind();
  if (!value.trim()) {
    show("answer", none("Paste something above first."));
    return $("content").focus();
  }
  subject = { [name]: name === "text" || name === "html" ? value : value.trim() };
  show("answer", busy("Looking…"));
  show("document");
  show("difference");
  $("answer").setAttribute("aria-busy", "true");
  try {
    const [k, limit] = [$("k").valueAsNumber, $("limit").valueAsNumber];
    const begun = performance.now();
    const within = store.k === undefined ? {} : { k };
    const found = await ask("/v1/query", { ...subject, ...within, limit, explain: true });
    const time = performance.now() - begun;
    const stored = name === "id" ? await ask("/v1/get", subject) : undefined;
    if (turn === asked) answered(found, stored, time);
  } catch (problem) {
    if (turn === asked) show("answer", told(problem));
  }
  $("answer").setAttribute("aria-busy", "false");
}

function answered(found, stored, time) {
  chosen = undefined;
  // A document is its own nearest neighbour.
  neighbors = stored ? found.neighbors.filter((near) => near.id !== stored.id) : found.neighbors;
  const count = neighbors.length ? of(neighbors.length, "neighbour") : "No neighbour";
  const summary = make("p", { class: "summary" }, make("b", {}, count), found.k === undefined ? ` at similarity ${found.similarity} or more to ` : ` within ${of(found.k, "bit")} of `, make("code", {}, found.fingerprint), make("span", { class: "note" }, ` · ${time.toFixed(time < 10 ? 1 : 0)} ms`));
  if (stored) show("document", card(stored));
  if (!neighbors.length) {
    const farther = found.k < store.width / 4 ? " A larger radius looks farther." : "";
    return show("answer", summary, none(`No stored document is as near as this.${farther}`));
  }
  const row = (near, at) => ({
    attributes: { "data-id": near.id, "aria-selected": "false" },
    cells: [make("button", { type: "button", class: "link", click: () => choose(at) }, near.id), grouped(near.distance), likeness(near.similarity)],
  });
  show("answer", summary, table([["Stored document"], ["Distance", "number"], ["Similarity", "number"]], neighbors.map(row), { id: "neighbors" }));
}

function likeness(similarity) {
  if (similarity === null || similarity === undefined) return make("span", { class: "note", title: "It needs the texts of both documents" }, "not known");
  const meter = make("span", { class: "meter", "aria-hidden": "true" }, make("i"));
  meter.firstChild.style.width = `${Math.round(similarity * 100)}%`;
  return make("span", {}, meter, `${(similarity * 100).toFixed(1)} %`);
}

function card(stored) {
  const facts = [["Fingerprint", stored.fingerprint], ["Stored", date(stored.time)]];
  if (stored.flags) facts.push(["Compared by its content, because it is", stored.flags.join(", ")]);
  const lines = facts.map(([name, value]) => make("span", {}, `${name} `, make("b", {}, value)));
  const metadata = stored.metadata ? make("pre", {}, JSON.stringify(stored.metadata, null, 2)) : make("p", { class: "note" }, "It has no metadata.");
  return make("div", { class: "sheet" }, make("h3", {}, stored.id), make("p", { class: "facts" }, ...lines), make("details", { open: !!stored.metadata && JSON.stringify(stored.metadata).length < 600 }, make("summary", {}, "Metadata"), metadata));
}

/** Shows a neighbour with its difference. */
function choose(at) {
  chosen = at;
  const rows = [...document.querySelectorAll("#neighbors tbody tr")];
  rows.forEach((row, index) => row.setAttribute("aria-selected", String(index === at)));
  rows[at].scrollIntoView({ block: "nearest" });
  return compare("difference", subject, neighbors[at].id, subject.id ?? "What you gave");
}

async function compare(place, a, id, name) {
  show(place, busy("Comparing…"));
  const turn = asked;
  try {
    const [both, stored] = await Promise.all([ask("/v1/compare", { a, b: { id }, difference: true }), ask("/v1/get", { id })]);
    if (turn !== asked && place === "difference") return;
    show(place, difference(both, name, id), card(stored), make("p", { class: "row" }, make("button", { type: "button", click: () => look(id) }, "Its own neighbours")));
  } catch (problem) {
    show(place, told(problem));
  }
}

function difference(both, left, right) {
  const fact = (name, value) => make("span", {}, `${name} `, make("b", {}, value));
  const share = (value) => `${(value * 100).toFixed(1)} %`;
  const facts = [fact("Distance", of(both.distance, "bit") + ` of ${both.width}`), fact("", both.near_duplicates ? "near-duplicates" : "not near-duplicates")];
  if (both.jaccard === null) facts.push(fact("Cosine, estimated from the distance", `about ${both.cosine_estimated.toFixed(2)}`));
  else facts.push(fact("Jaccard", share(both.jaccard)), fact("Containment", share(both.containment)), fact("Cosine", both.cosine.toFixed(3)), fact("Different features", grouped(both.different_features)));
  const found = both.difference;
  const nodes = [make("h3", {}, "Difference"), make("p", { class: "facts" }, ...facts)];
  if (!found) {
    const why = both.a.features === null && both.b.features !== null ? "what you gave has no text" : "the server has no text of the stored document";
    const advice = store.keep_text ? "The document was stored without its text, or the text is too long to be kept." : "This server keeps no texts.";
    return make("div", { class: "sheet" }, ...nodes, none(`The words cannot be compared: ${why}. ${advice}`));
  }
  const side = (pieces, mark) => make("div", { class: "text", dir: "auto" }, ...pieces.map((piece) => {
    if ("alike" in piece) return piece.alike;
    if ("changed" in piece) return make(mark, {}, piece.changed);
    return make("em", {}, `… ${grouped(piece.left_out)} more characters …`);
  }));
  const gap = (text) => make("p", { class: "gap" }, text);
  nodes.push(make("div", { class: "sides" }, make("span", { class: "side-name" }, left), make("span", { class: "side-name" }, right)));
  if (!found.rows.length) nodes.push(gap(found.cut ? "The parts that were compared are equal" : "The texts are equal"));
  for (const row of found.rows) {
    if (row.gap) nodes.push(gap(`${of(row.gap, "word")} alike`));
    nodes.push(make("div", { class: "sides" }, side(row.left, "del"), side(row.right, "ins")));
  }
  if (found.more) nodes.push(gap(of(found.more, "further difference")));
  else if (found.rest && found.rows.length) nodes.push(gap(`${of(found.rest, "word")} alike`));
  if (found.cut) nodes.push(gap("The texts are long: only their beginnings were compared"));
  return make("div", { class: "sheet" }, ...nodes);
}

/** Looks for the neighbours of a stored document. */
function look(id) {
  document.querySelector("input[name=kind][value=id]").checked = true;
  switchKind();
  $("content").value = id;
  $("search").scrollIntoView();
  return find();
}

// Clusters.

let waiting;

async function clusters(first) {
  clearTimeout(waiting);
  try {
    const state = await ask("/v1/clusters?limit=50");
    const button = $("find-clusters").querySelector("button");
    button.disabled = !!state.running;
    $("clusters-state").textContent = state.running ? `Looking ${reach(state.running)}, since ${date(state.running.begun)}…` : state.failed ? `The last search failed: ${state.failed}` : "";
    if (state.running) waiting = setTimeout(clusters, 700);
    if (!state.running || first === true) found(state.found);
  } catch (problem) {
    show("clusters-found", told(problem));
  }
}

function reach({ k, similarity }) {
  return similarity === undefined ? `within ${of(k, "bit")}` : `at similarity ${similarity} or more`;
}

function found(result) {
  if (!result) return show("clusters-found", none("Nobody has looked for clusters since the server started."));
  const summary = make("p", { class: "summary" }, make("b", {}, of(result.clusters, "cluster")), ` of ${of(result.clustered, "document")}, among ${grouped(result.documents)} ${reach(result)}`, make("span", { class: "note" }, ` · ${date(result.begun)}, in ${result.seconds.toFixed(2)} s`));
  const rows = result.largest.map((row) => {
    const inside = make("div");
    const open = ({ target }) => target.open && !inside.firstChild && members(inside, row);
    return make("details", { class: "cluster", toggle: open }, make("summary", {}, make("b", {}, grouped(row.size)), make("code", {}, row.examples.join(" · ") || "all its documents were removed")), inside);
  });
  const more = result.clusters > rows.length ? make("p", { class: "gap" }, of(result.clusters - rows.length, "smaller cluster")) : undefined;
  show("clusters-found", summary, ...(rows.length ? rows : [none("No two documents are as near as this.")]), more);
}

async function members(place, cluster) {
  place.replaceChildren(busy("Looking…"));
  try {
    const all = await ask(`/v1/clusters/${cluster.cluster}?limit=100`);
    const first = all.members[0]?.id;
    const beside = make("div", { id: `members-${cluster.cluster}` });
    const button = (id) => make("button", { type: "button", class: "link", click: () => (id === first ? look(id) : compare(beside.id, { id: first }, id, first)) }, id);
    const rows = all.members.map((member) => [button(member.id), member.id === first ? "oldest" : grouped(member.distance)]);
    const left = all.size - all.members.length;
    place.replaceChildren(table([["Document"], ["Distance from the oldest", "number"]], rows), left > 0 ? make("p", { class: "gap" }, `${of(left, "document")} more`) : "", beside);
  } catch (problem) {
    place.replaceChildren(told(problem));
  }
}

async function findClusters(event) {
  event.preventDefault();
  try {
    const k = $("clusters-k");
    await ask("/v1/clusters", k.closest("label").hidden ? {} : { k: k.valueAsNumber });
    clusters();
  } catch (problem) {
    $("clusters-state").textContent = "";
    show("clusters-found", told(problem));
  }
}

// Figures.

const rates = [];
let before;

const W = 480, H = 150, LEFT = 46, BOTTOM = 20, TOP = 10;
/** A round number that is at least `value`. */
function above(value) {
  const power = 10 ** Math.floor(Math.log10(value || 1));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= value);
}
function chart(most, label, nodes) {
  const line = (y, text) => [make("line", { x1: LEFT, x2: W, y1: y, y2: y }), make("text", { x: LEFT - 6, y: y + 4, "text-anchor": "end" }, text)];
  return make("svg", { viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": label }, ...line(TOP, grouped(most)), ...line(H - BOTTOM, "0"), ...nodes);
}
const height = (value, most) => (value / most) * (H - BOTTOM - TOP);

function drawRate() {
  const most = above(Math.max(1, ...rates));
  const x = (at) => LEFT + ((W - LEFT) * (at + SAMPLES - rates.length)) / (SAMPLES - 1);
  const points = rates.map((rate, at) => `${at ? "L" : "M"}${x(at).toFixed(1)} ${(H - BOTTOM - height(rate, most)).toFixed(1)}`);
  const last = rates.at(-1) ?? 0;
  const text = make("text", { x: W, y: H - 4, "text-anchor": "end" }, `now ${grouped(Math.round(last))} a second`);
  show("rate", chart(most, `Documents added a second, now ${Math.round(last)}`, [make("path", { d: points.join("") || "M0 0" }), text]));
}

function drawDistances({ by_distance: counts, answered: all, since }) {
  $("distances-note").textContent = `${of(all, "duplicate")} answered since ${date(since)}.`;
  if (!all) return show("distances", none("No duplicate yet."));
  const last = Math.max(store.k ?? 0, ...counts.map((row) => row.distance));
  const most = above(Math.max(...counts.map((row) => row.count)));
  const step = (W - LEFT) / (last + 1);
  const count = new Map(counts.map((row) => [row.distance, row.count]));
  const bars = [...Array(last + 1).keys()].flatMap((distance) => {
    const tall = height(count.get(distance) || 0, most);
    const bar = make("rect", { x: LEFT + step * (distance + 0.12), y: H - BOTTOM - tall, width: step * 0.76, height: tall });
    return [bar, make("text", { x: LEFT + step * (distance + 0.5), y: H - 5, "text-anchor": "middle" }, String(distance))];
  });
  show("distances", chart(most, counts.map((row) => `${row.count} at distance ${row.distance}`).join(", "), bars));
}

function drawSpikes({ most, missed }) {
  if (!most.length) return show("spikes", none("No duplicate yet."));
  const rows = most.map((row) => [make("button", { type: "button", class: "link", click: () => look(row.id) }, row.id), grouped(row.count)]);
  const note = missed ? make("p", { class: "note" }, `Each count may be up to ${grouped(missed)} too low.`) : undefined;
  show("spikes", table([["Stored document"], ["Duplicates", "number"]], rows), note);
}

function drawStore(stats) {
  const health = $("health");
  health.className = `health ${stats.read_only ? "bad" : "good"}`;
  const said = stats.read_only ? "Read-only: writes fail at the moment. The server's log says why. Checks still work." : "Takes writes.";
  if (health.textContent !== said) health.textContent = said;
  const gone = stats.segments.reduce((sum, segment) => sum + segment.gone, 0);
  const tiles = [
    ["documents", grouped(stats.documents)], ["in no segment yet", grouped(stats.recent)],
    ["segments", grouped(stats.segments.length)], ["removed, still in segments", grouped(gone)],
    ["on disk", bytes(stats.bytes)], ["of that, in the database", bytes(stats.database_bytes)],
    ["merges since the start", grouped(stats.merges)], ["segments made since the start", grouped(stats.flushes)],
    ["groups of writes", grouped(stats.commits)], ["writes waiting", grouped(stats.waiting)],
    [stats.k === undefined ? `bits, similarity ${stats.finds.similarity}, ${stats.finds.measure}` : "bits, within " + stats.k, grouped(stats.width)], ["release", stats.version],
  ];
  show("tiles", ...tiles.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value))));
  const rows = stats.segments.map((segment) => [grouped(segment.documents), grouped(segment.gone), bytes(segment.bytes)]);
  show("segments", rows.length && table([["Documents of a segment", "number"], ["Removed", "number"], ["Bytes", "number"]], rows));
}

async function sample() {
  try {
    const [stats, duplicates] = await Promise.all([ask("/v1/stats"), ask("/v1/duplicates")]);
    const now = performance.now();
    store = stats;
    if (before) {
      rates.push(Math.max(0, ((stats.documents - before.documents) * 1000) / (now - before.now)));
      if (rates.length > SAMPLES) rates.shift();
    }
    before = { documents: stats.documents, now };
    drawRate();
    drawDistances(duplicates);
    drawSpikes(duplicates);
    drawStore(stats);
    $("banner").hidden = true;
    return true;
  } catch (problem) {
    $("banner").textContent = `${problem.title}: ${problem.message}`;
    $("banner").hidden = false;
    before = undefined;
    return false;
  }
}

async function watch() {
  // A page in the background asks for nothing.
  if (!document.hidden && $("token-form").hidden) await sample();
  setTimeout(watch, PAUSE);
}

/** Loads what the page asks for once, and again with another token. */
async function begin() {
  $("forget").hidden = !sessionStorage.getItem(TOKEN);
  if (!(await sample())) return;
  $("token-form").hidden = true;
  try {
    const recipe = await ask("/v1/recipe");
    $("store-name").textContent = recipe.name ? `recipe ${recipe.name}, ${recipe.width} bits` : `ready fingerprints, ${recipe.width} bits`;
    $("recipe").querySelector("pre").textContent = recipe.toml ?? "The store has no recipe: fingerprints come ready-made.";
    // By similarity there is no radius to ask for, and a fingerprint alone tells too little.
    const alike = recipe.k === undefined;
    const radius = recipe.k ?? (recipe.width * 3) / 64;
    for (const k of [$("k"), $("clusters-k")]) k.closest("label").hidden = alike;
    $("k").max = Math.max(radius, recipe.width / 4);
    $("clusters-k").max = radius;
    $("k").value = $("clusters-k").value = radius;
    const texts = !!recipe.name && !/^weights = "given"/m.test(recipe.toml);
    const pages = texts && /^content = "html/m.test(recipe.toml);
    for (const [name, on] of [["text", texts], ["html", pages], ["fingerprint", !alike]]) {
      const input = document.querySelector(`input[name=kind][value=${name}]`);
      input.disabled = !on;
      input.parentElement.title = on ? "" : "The store's recipe does not take this";
    }
    if (!texts && kind() === "text") document.querySelector("input[name=kind][value=fingerprint]").checked = true;
    switchKind();
    noteRadius();
  } catch (problem) {
    $("banner").textContent = problem.message;
    $("banner").hidden = false;
  }
  clusters(true);
}

function noteRadius() {
  const far = $("k").valueAsNumber > store.k;
  $("radius-note").hidden = !far;
  $("radius-note").textContent = far ? `Beyond ${of(store.k, "bit")} the server compares every stored document, which takes longer.` : "";
}

// Events.

$("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  find();
});
$("ask").addEventListener("change", switchKind);
$("k").addEventListener("input", noteRadius);
$("find-clusters").addEventListener("submit", findClusters);
$("show-keys").addEventListener("click", () => $("keys").showModal());
$("token-form").addEventListener("submit", (event) => {
  event.preventDefault();
  sessionStorage.setItem(TOKEN, $("token").value.trim());
  $("token").value = "";
  begin();
});
$("forget").addEventListener("click", () => {
  sessionStorage.removeItem(TOKEN);
  location.reload();
});
$("content").addEventListener("dragover", (event) => event.preventDefault());
$("content").addEventListener("drop", async (event) => {
  const [file] = event.dataTransfer.files;
  if (!file) return;
  event.preventDefault();
  $("content").value = await file.text();
});

document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === "Enter" && $("ask").contains(event.target)) {
    event.preventDefault();
    return $("ask").requestSubmit();
  }
  const typing = event.target.closest?.("input:not([type=radio]), textarea, dialog");
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const jump = (id, focus) => {
    $(id).scrollIntoView();
    $(focus).focus({ preventScroll: true });
  };
  const step = (by) => neighbors.length && choose(Math.min(neighbors.length - 1, Math.max(0, (chosen ?? (by > 0 ? -1 : 1)) + by)));
  const keys = {
    "/": () => jump("search", "content"),
    c: () => jump("clusters", "clusters-k"),
    s: () => $("store").scrollIntoView(),
    j: () => step(1),
    k: () => step(-1),
    "?": () => $("keys").showModal(),
  };
  if (!keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
});

drawRate();
begin().finally(() => setTimeout(watch, PAUSE));
