// Stored documents: their ids, a card of what is stored, and where one differs from another.

import { ask, may } from "./ask.js";
import { busy, date, gap, grouped, make, none, note, of, percent, show, sure, told } from "./kit.js";

/** A link to the page that an id names, if it names one. */
export function pageOf(id, ...children) {
  if (!/^https?:\/\//i.test(id) || !URL.canParse?.(id)) return undefined;
  const name = children.length ? undefined : `Open ${id}`;
  return make("a", { class: "open", href: id, target: "_blank", rel: "noopener noreferrer", title: "Open in a new tab", "aria-label": name }, ...(children.length ? children : ["↗"]));
}

/** An id that does something, with a link if it names a page. */
export function idButton(id, click) {
  return [make("button", { type: "button", class: "link", click }, id), pageOf(id)].filter(Boolean);
}

/** A button that copies a text. */
export function copyButton(text, name) {
  const button = make("button", { type: "button", class: "copy", "aria-label": `Copy the ${name}`, title: `Copy the ${name}` }, "Copy");
  button.addEventListener("click", async () => {
    button.textContent = (await copy(text)) ? "Copied" : "Not copied";
    setTimeout(() => (button.textContent = "Copy"), 1500);
  });
  return button;
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Without TLS, or against the user's settings, there is no clipboard; a selection can be copied.
    const field = make("textarea", { class: "hidden", readonly: true });
    field.value = text;
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}

/** What is stored of a document, under a heading of a level. */
export function card(stored, level = "h2") {
  const fact = (name, value, ...more) => make("span", {}, `${name} `, make("b", {}, value), ...more);
  const facts = [fact("Fingerprint", stored.fingerprint, " ", copyButton(stored.fingerprint, "fingerprint")), fact("Stored", date(stored.time))];
  if (stored.flags) facts.push(fact("Compared by its content, because it is", stored.flags.join(", ")));
  const metadata = stored.metadata ? make("pre", {}, JSON.stringify(stored.metadata, null, 2)) : note("It has no metadata.");
  const open = !!stored.metadata && JSON.stringify(stored.metadata).length < 600;
  const sheet = make("div", { class: "sheet" }, make(level, {}, pageOf(stored.id, stored.id) ?? stored.id, " ", copyButton(stored.id, "id")), make("p", { class: "facts" }, ...facts), make("details", { open }, make("summary", {}, "Metadata"), metadata));
  if (may("admin")) sheet.append(make("p", { class: "row" }, make("button", { type: "button", class: "danger", click: () => remove(stored.id, sheet, level) }, "Delete…")));
  return sheet;
}

async function remove(id, sheet, level) {
  if (!(await sure("Delete this document?", `The store forgets ${id}, with its metadata. Later checks no longer find it.`, "Delete"))) return;
  try {
    await ask("/v1/delete", { id });
    show(sheet, make(level, {}, id), note("This document was deleted."));
    const rows = [...document.querySelectorAll("#neighbors tr[data-id]")].filter((row) => row.dataset.id === id);
    for (const row of rows) row.querySelector("button").disabled = true;
  } catch (problem) {
    sheet.append(told(problem));
  }
}

/** Shows in `place` how the document `id` differs from `a`, unless `outdated` says that nobody waits for it. */
export async function compare(place, a, id, name, { store, look, outdated = () => false }) {
  show(place, busy("Comparing…"));
  try {
    const [both, stored] = await Promise.all([ask("/v1/compare", { a, b: { id }, difference: true }), ask("/v1/get", { id })]);
    if (outdated()) return;
    const level = place.closest("#clusters") ? "h3" : "h2";
    const next = make("button", { type: "button", click: () => look(id) }, "Its own neighbours");
    show(place, difference(both, name, id, store, level), card(stored, level), make("p", { class: "row" }, next));
  } catch (problem) {
    if (!outdated()) show(place, told(problem));
  }
}

function difference(both, left, right, store, level) {
  const fact = (name, value) => make("span", {}, `${name} `, make("b", {}, value));
  const facts = [fact("Distance", of(both.distance, "bit") + ` of ${both.width}`), fact("", both.near_duplicates ? "near-duplicates" : "not near-duplicates")];
  if (both.jaccard === null) facts.push(fact("Cosine, estimated from the distance", `about ${both.cosine_estimated.toFixed(2)}`));
  else facts.push(fact("Jaccard", percent(both.jaccard)), fact("Containment", percent(both.containment)), fact("Cosine", both.cosine.toFixed(3)), fact("Different features", grouped(both.different_features)));
  const found = both.difference;
  const nodes = [make(level, {}, "Difference"), make("p", { class: "facts" }, ...facts)];
  if (!found) {
    const why = both.a.features === null && both.b.features !== null ? "what you gave has no text" : "the server has no text of the stored document";
    const advice = store.keep_text ? "The document was stored without its text, or the text is too long to be kept." : "This server keeps no texts.";
    return make("div", { class: "sheet" }, ...nodes, none(`The words cannot be compared: ${why}. ${advice}`));
  }
  const side = (pieces, mark, name) => make("div", { class: "text", dir: "auto", "data-side": name }, ...pieces.map((piece) => {
    if ("alike" in piece) return piece.alike;
    if ("changed" in piece) return make(mark, {}, piece.changed);
    return make("em", {}, `… ${grouped(piece.left_out)} more characters …`);
  }));
  nodes.push(make("div", { class: "sides" }, make("span", { class: "side-name" }, left), make("span", { class: "side-name" }, right)));
  if (!found.rows.length) nodes.push(gap(found.cut ? "No word differs in the parts that were compared" : "No word differs"));
  for (const row of found.rows) {
    if (row.gap) nodes.push(gap(`${of(row.gap, "word")} alike`));
    nodes.push(make("div", { class: "sides" }, side(row.left, "del", left), side(row.right, "ins", right)));
  }
  if (found.more) nodes.push(gap(of(found.more, "further difference")));
  else if (found.rest && found.rows.length) nodes.push(gap(`${of(found.rest, "word")} alike`));
  if (found.cut) nodes.push(gap("The texts are long: only their beginnings were compared"));
  return make("div", { class: "sheet" }, ...nodes);
}
