// What all parts of the page are built of: elements, numbers, tables. What documents say enters the page as
// text of nodes, never as markup.

export const $ = (id) => document.getElementById(id);

/** An element with attributes, listeners (functions) and children (nodes or text). */
export function make(tag, attributes = {}, ...children) {
  const svg = ["svg", "rect", "path", "text", "line"].includes(tag);
  const element = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== undefined && child !== null));
  return element;
}

/** Shows nodes in place of what an element, or the element with an id, shows. */
export function show(place, ...nodes) {
  const element = typeof place === "string" ? $(place) : place;
  element.replaceChildren(...nodes.filter(Boolean));
}

/** Sets a text if it is another, so that a screen reader says it once. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export const grouped = (number) => number.toLocaleString("en");
export const of = (number, one, many = one + "s") => `${grouped(number)} ${number === 1 ? one : many}`;
export const date = (time) => new Date(time).toLocaleString();
export const percent = (share) => `${(share * 100).toFixed(1)} %`;

/** A number that may be small: 0.3, 7, 1,204. */
export const rounded = (number) => (number > 0 && number < 10 ? String(Number(number.toFixed(1))) : grouped(Math.round(number)));

export function bytes(number) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let at = 0;
  for (; number >= 1024 && at < units.length - 1; at++) number /= 1024;
  return `${at && number < 100 ? number.toFixed(1) : Math.round(number)} ${units[at]}`;
}

export const busy = (what) => make("p", { class: "busy" }, what);
export const none = (what) => make("p", { class: "none" }, what);
export const note = (...what) => make("p", { class: "note" }, ...what);
export const gap = (what) => make("p", { class: "gap" }, what);

/** A problem, as the server tells it. */
export function told(problem) {
  const field = problem.field ? ` (${problem.field})` : "";
  return make("p", { class: "problem", role: "alert" }, make("b", {}, problem.title || "Something failed"), `: ${problem.message}${field}`);
}

export function table(heads, rows, attributes = {}) {
  const head = heads.map(([name, kind]) => make("th", { scope: "col", class: kind }, name));
  const cell = (value, at) => make("td", { class: heads[at][1] }, ...[value].flat());
  const body = rows.map((row) => make("tr", row.attributes || {}, ...(row.cells || row).map(cell)));
  return make("div", { class: "scroll" }, make("table", attributes, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...body)));
}

/** Figures with their names. */
export const tiles = (figures) => figures.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value)));

/** Asks before something that cannot be taken back. Resolves to whether to do it. */
export function sure(title, text, action) {
  const dialog = $("sure");
  say($("sure-title"), title);
  say($("sure-text"), text);
  return new Promise((resolve) => {
    const end = (yes) => () => {
      dialog.close();
      resolve(yes);
    };
    const button = (name, yes, kind) => make("button", { type: "button", class: kind, click: end(yes) }, name);
    show("sure-buttons", button("Cancel", false), button(action, true, "primary"));
    dialog.oncancel = end(false); // The Escape key.
    dialog.showModal();
  });
}
