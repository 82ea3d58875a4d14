const asked = JSON.parse(document.getElementById("pairs").textContent);
const pairs = asked.pairs;
const fit = makeFit(pairs.map((pair) => pair.similarity));
const at = (id) => document.getElementById(id);
const make = (name, className, text) => {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
};
const STORE = "nearprint-tune-" + asked.id;
// Of each pair by its number: true, false, or null where it was skipped. In the order of the answers.
let answers = new Map();
let shown = -1;

function restore() {
  const number = new Map(pairs.map((pair, at) => [JSON.stringify([pair.a.id, pair.b.id]), at]));
  for (const row of asked.answers) {
    const place = number.get(JSON.stringify([row.a, row.b]));
    if (place !== undefined) answers.set(place, row.same);
  }
  if (asked.serves) return;
  try {
    for (const [place, same] of JSON.parse(localStorage.getItem(STORE) || "[]"))
      if (place < pairs.length) answers.set(place, same);
  } catch { /* A browser that keeps nothing asks anew. */ }
}

// One after the other: an answer that is taken back may not arrive before it was given.
let saving = Promise.resolve();
function keep(place) {
  if (asked.serves) {
    saving = saving.then(() => save(place));
    return;
  }
  try { localStorage.setItem(STORE, JSON.stringify([...answers])); } catch { /* As above. */ }
}

async function save(place) {
  const same = answers.has(place) ? answers.get(place) : null;
  const body = JSON.stringify({ a: pairs[place].a.id, b: pairs[place].b.id, same });
  try {
    const answer = await fetch("answers", { method: "POST", headers: { "content-type": "application/json" }, body });
    if (!answer.ok) throw new Error(await answer.text());
    at("trouble").textContent = "";
  } catch (error) {
    at("trouble").textContent = `The answer is not saved: ${error.message}. Is nearprint tune still running? Answer again, or copy the labels.`;
  }
}

const given = () => [...answers].filter(([, same]) => same !== null)
  .map(([place, same]) => ({ place, similarity: pairs[place].similarity, same }));

function rows() {
  return given().map(({ place, same, similarity }) =>
    JSON.stringify({ a: pairs[place].a.id, b: pairs[place].b.id, same, similarity }) + "\n").join("");
}

function side(pieces, mark) {
  const text = make("div", "text");
  text.dir = "auto";
  for (const piece of pieces) {
    if ("alike" in piece) text.append(piece.alike);
    else if ("changed" in piece) text.append(make(mark, "", piece.changed));
    else text.append(make("em", "", `… ${piece.left_out.toLocaleString("en")} more characters …`));
  }
  return text;
}

function gap(count) {
  return make("p", "gap", `${count.toLocaleString("en")} word${count === 1 ? "" : "s"} alike`);
}

function show(place) {
  shown = place;
  const sides = at("sides");
  sides.replaceChildren();
  const open = place >= 0;
  for (const id of ["same", "different", "skip"]) at(id).disabled = !open;
  if (!open) {
    at("question").textContent = pairs.length === 0 ? "There is no pair to decide." : "All pairs are decided.";
    return;
  }
  const { a, b, difference } = pairs[place];
  at("question").textContent = "Are these two the same?";
  const heads = make("div", "sides");
  for (const one of [a, b]) {
    const head = make("h2", "name");
    const id = make("code", "", one.name);
    id.dir = "auto";
    const source = one.source === null ? "" : `${one.source}, `;
    head.append(id, " ", make("small", "", `${source}${one.bytes.toLocaleString("en")} bytes`));
    heads.append(head);
  }
  sides.append(heads);
  if (a.cut || b.cut) sides.append(make("p", "gap", "The first 8,192 bytes are compared."));
  if (difference.rows.length === 0) sides.append(make("p", "gap", "No word differs."));
  for (const row of difference.rows) {
    if (row.gap > 0) sides.append(gap(row.gap));
    const both = make("div", "sides");
    both.append(side(row.left, "del"), side(row.right, "ins"));
    sides.append(both);
  }
  if (difference.more > 0) sides.append(make("p", "gap", `${difference.more} further difference${difference.more === 1 ? "" : "s"}`));
  else if (difference.rest > 0 && difference.rows.length > 0) sides.append(gap(difference.rest));
}

// The similarity of a pair would lead who answers: it is told of the pair before.
function tell() {
  const last = [...answers.keys()].pop();
  if (last === undefined) {
    at("likeness").textContent = "The measured similarity of each pair is shown after you have answered.";
    return;
  }
  const said = { true: "same", false: "not the same", null: "skipped" }[answers.get(last)];
  at("likeness").textContent = `The last pair: ${said}, similarity ${pairs[last].similarity.toFixed(3)}`;
}

const X = (similarity) => 48 + 322 * (similarity - asked.from) / (1 - asked.from);
const Y = (share) => 186 - 166 * share;
const SVG = "http://www.w3.org/2000/svg";
function shape(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

function draw(weights, threshold, decided) {
  const curve = at("curve");
  curve.replaceChildren();
  for (const share of [0, 0.5, 1]) {
    curve.append(shape("line", { x1: X(asked.from), x2: X(1), y1: Y(share), y2: Y(share), class: "rule" }));
    curve.append(shape("text", { x: 40, y: Y(share) + 4, "text-anchor": "end" }, `${100 * share} %`));
  }
  for (let tenth = Math.ceil(10 * asked.from); tenth <= 10; tenth++)
    curve.append(shape("text", { x: X(tenth / 10), y: 206, "text-anchor": "middle" }, (tenth / 10).toFixed(1)));
  curve.append(shape("text", { x: X((1 + asked.from) / 2), y: 226, "text-anchor": "middle" }, "similarity"));
  curve.append(shape("text", { x: 0, y: 10 }, "answers that are “same”"));
  if (decided) {
    const [low, high] = [threshold.low, threshold.high].map((one) => X(Math.max(asked.from, one)));
    curve.append(shape("rect", { x: low, width: Math.max(1, high - low), y: Y(1), height: Y(0) - Y(1), class: "range" }));
    const place = X(Math.max(asked.from, threshold.value));
    curve.append(shape("line", { x1: place, x2: place, y1: Y(1), y2: Y(0), class: "chosen" }));
  }
  // Without a threshold a curve would look like a result.
  if (decided) {
    const points = [];
    for (let step = 0; step <= 70; step++) {
      const similarity = asked.from + (1 - asked.from) * step / 70;
      points.push(`${X(similarity).toFixed(1)},${Y(fit.chance(weights, similarity)).toFixed(1)}`);
    }
    curve.append(shape("polyline", { points: points.join(" "), class: "line" }));
  }
  for (const { similarity, same } of given())
    curve.append(shape("circle", { cx: X(similarity), cy: Y(same ? 1 : 0), r: 4, class: same ? "yes" : "no" }));
}

function table() {
  const bands = new Map();
  for (const { similarity, same } of given()) {
    const band = Math.min(19, Math.floor(similarity / 0.05 + 1e-9));
    const [yes, all] = bands.get(band) || [0, 0];
    bands.set(band, [yes + same, all + 1]);
  }
  const body = at("bands");
  body.replaceChildren();
  for (const band of [...bands.keys()].sort((a, b) => a - b)) {
    const [yes, all] = bands.get(band);
    const row = make("tr");
    const head = make("th", "", `${(band / 20).toFixed(2)} to ${((band + 1) / 20).toFixed(2)}`);
    head.scope = "row";
    row.append(head, make("td", "", yes), make("td", "", all - yes));
    body.append(row);
  }
}

/** Answers of each source. A pair of two sources counts for both. */
function sources() {
  const body = at("sources");
  if (body === null) return;
  const told = new Map();
  pairs.forEach((pair, place) => {
    for (const name of new Set([pair.a.source, pair.b.source])) {
      const counts = told.get(name) || [0, 0, 0];
      const same = answers.get(place);
      told.set(name, [counts[0] + (same === true), counts[1] + (same === false), counts[2] + 1]);
    }
  });
  body.replaceChildren();
  for (const [name, counts] of told) {
    const row = make("tr");
    const head = make("th", "", name === null ? "none" : name);
    head.scope = "row";
    row.append(head, ...counts.map((count) => make("td", "", count)));
    body.append(row);
  }
}

// A command breaks between its words, never within a flag.
function words(command) {
  const parts = command.split(" ").filter((word) => word !== "").flatMap((word) => [make("span", "", word), " "]);
  at("command").replaceChildren(...parts.slice(0, -1));
}

function update() {
  const all = given();
  const weights = fit.weigh(all);
  const threshold = fit.threshold(weights);
  const lacks = fit.lacks(all, threshold);
  const decided = lacks === "";
  const hundredths = (one) => one.toFixed(2);
  at("count").textContent = `${all.length} of ${pairs.length} pairs answered`;
  at("threshold").textContent = decided
    ? `Similarity ${hundredths(threshold.value)} (${hundredths(threshold.low)} to ${hundredths(threshold.high)})`
    : lacks;
  at("brief").textContent = decided ? `threshold ${hundredths(threshold.value)}` : "";
  words(decided ? asked.command.replaceAll("{similarity}", hundredths(threshold.value)) : "");
  at("copy-command").disabled = !decided;
  at("undo").disabled = answers.size === 0;
  at("save").disabled = at("copy").disabled = all.length === 0;
  draw(weights, threshold, decided);
  table();
  sources();
  tell();
  show(fit.next(weights, (place) => !answers.has(place)));
}

function answer(same) {
  if (shown < 0) return;
  const place = shown;
  answers.set(place, same);
  update();
  keep(place);
}

function undo() {
  const last = [...answers.keys()].pop();
  if (last === undefined) return;
  answers.delete(last);
  keep(last);
  update();
  show(last);
}

at("same").addEventListener("click", () => answer(true));
at("different").addEventListener("click", () => answer(false));
at("skip").addEventListener("click", () => answer(null));
at("undo").addEventListener("click", undo);
async function copy(text, otherwise) {
  try {
    await navigator.clipboard.writeText(text);
    at("said").textContent = "Copied.";
  } catch { at("said").textContent = `This browser does not copy: ${otherwise}.`; }
}
at("copy").addEventListener("click", () => copy(rows(), "save the file"));
at("copy-command").addEventListener("click", () => copy(at("command").textContent, "mark the command and copy it"));
at("save").addEventListener("click", () => {
  const link = make("a");
  link.href = URL.createObjectURL(new Blob([rows()], { type: "application/x-ndjson" }));
  link.download = "labels.jsonl";
  link.click();
  URL.revokeObjectURL(link.href);
  at("said").textContent = "Saved as labels.jsonl.";
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  const act = { s: () => answer(true), n: () => answer(false), k: () => answer(null), u: undo }[event.key.toLowerCase()];
  if (act) { event.preventDefault(); act(); }
});
restore();
update();
