// The page of the service: what begins when, keys, and the token. `kit` builds, `ask` sends requests, `address`
// keeps what is shown; each section has a file of its own.

import * as activity from "./activity.js";
import * as address from "./address.js";
import { ask, token, whenRefused } from "./ask.js";
import * as clusters from "./clusters.js";
import { $, say } from "./kit.js";
import * as search from "./search.js";
import * as store from "./store.js";

/** Milliseconds between two samples, and before the second one. */
const PAUSE = 2000, FIRST = 500;

let begun = false; // Whether the sections are shown.

function banner(text) {
  say($("banner"), text);
  $("banner").hidden = !text;
}

/** Takes the figures once. */
async function sample() {
  try {
    const [stats, duplicates] = await Promise.all([ask("/v1/stats"), ask("/v1/duplicates")]);
    for (const section of [search, clusters]) section.know(stats);
    store.draw(stats);
    activity.draw(stats, duplicates);
    banner("");
    return true;
  } catch (problem) {
    activity.interrupted();
    if (problem.status === 401) return false;
    banner(problem.title ? `${problem.title}: ${problem.message}` : problem.message);
    if (begun) store.lost();
    return false;
  }
}

async function watch() {
  // A page in the background asks for nothing.
  if (!document.hidden && $("token-form").hidden) await (begun ? sample() : begin());
  setTimeout(watch, PAUSE);
}

/** Loads what the page asks for once, and shows what the address says. */
async function begin() {
  if (!(await sample())) return;
  try {
    const recipe = await ask("/v1/recipe");
    for (const section of [store, search, clusters]) section.knowRecipe(recipe);
  } catch (problem) {
    return banner(problem.message);
  }
  begun = true;
  $("token-form").hidden = true;
  $("sections").hidden = $("links").hidden = false;
  $("forget").hidden = !token.get();
  await clusters.clusters(true);
  await restore();
  setTimeout(sample, FIRST);
}

/** Shows what the address says. */
async function restore() {
  const state = address.read();
  const section = document.getElementById(location.hash.slice(1));
  if (state.cluster !== undefined) return clusters.open(state.cluster);
  await search.restore(state);
  if (section?.matches("section")) section.scrollIntoView();
}

/** The server wants a token, or another one. */
whenRefused((sent) => {
  token.forget();
  begun = false;
  $("sections").hidden = $("links").hidden = $("forget").hidden = true;
  $("token-form").hidden = false;
  $("token").setAttribute("aria-invalid", String(sent));
  say($("token-problem"), sent ? "This token is not known." : "");
  $("token").focus();
});

$("token-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const secret = $("token").value.trim();
  if (!secret) return $("token").focus();
  token.keep(secret);
  begin().then(() => begun && ($("token").value = ""));
});
$("forget").addEventListener("click", () => {
  token.forget();
  location.reload();
});

// The sections are one page: their links move, and leave the address as it is.
$("links").addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const section = document.querySelector(link.hash);
  section.scrollIntoView();
  section.focus({ preventScroll: true });
});
window.addEventListener("popstate", () => begun && restore());
$("show-keys").addEventListener("click", () => $("keys").showModal());
$("close-keys").addEventListener("click", () => $("keys").close());

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input:not([type=radio]), textarea, dialog");
  if (typing || event.ctrlKey || event.metaKey || event.altKey || !begun) return;
  const jump = (id, focus) => {
    $(id).scrollIntoView();
    focus?.focus({ preventScroll: true });
  };
  const keys = {
    "/": () => jump("search", search.field()),
    c: () => jump("clusters", $("clusters-k")),
    s: () => jump("store"),
    j: () => search.step(1),
    k: () => search.step(-1),
    "?": () => $("keys").showModal(),
  };
  if (!keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
});

begin().finally(() => setTimeout(watch, PAUSE));
