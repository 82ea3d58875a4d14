// Activity: what was checked since the server started, and what happens while the page is open.

import { bars, lines } from "./charts.js";
import { idButton } from "./documents.js";
import { look } from "./search.js";
import { date, grouped, none, note, percent, rounded, say, show, table, tiles, $ } from "./kit.js";

/** Samples of the chart. */
const SAMPLES = 120;
/** Documents with fewer duplicates are no spikes; spikes that are shown. */
const SPIKE = 3, SPIKES = 10;

const rates = { checks: [], added: [] };
let before, spiked;

/** The next sample is not compared with the last one: requests failed between them. */
export function interrupted() {
  before = undefined;
}

export function draw(stats, duplicates) {
  const now = { time: performance.now(), checks: duplicates.checked, added: stats.documents };
  if (before) {
    for (const [name, values] of Object.entries(rates)) {
      values.push(Math.max(0, ((now[name] - before[name]) * 1000) / (now.time - before.time)));
      if (values.length > SAMPLES) values.shift();
    }
  }
  before = now;
  drawTraffic(duplicates);
  drawRates();
  drawDistances(stats, duplicates);
  drawSpikes(duplicates);
}

function drawTraffic({ checked, answered, since }) {
  const seconds = Math.max(1, (Date.now() - since) / 1000);
  say($("since"), `Since the server started, ${date(since)}.`);
  const share = checked ? percent(answered / checked) : "–";
  show("traffic", ...tiles([["checks", grouped(checked)], ["checks a second, on average", rounded(checked / seconds)], ["duplicates", grouped(answered)], ["of checks were duplicates", share]]));
}

function drawRates() {
  const [checks, added] = [rates.checks.at(-1), rates.added.at(-1)];
  if (checks === undefined) return show("rate", note("Measuring…"));
  const now = `now ${rounded(checks)} checks and ${rounded(added)} new documents a second`;
  say($("rate-note"), `While this page is open; ${now}.`);
  show("rate", lines([["added", rates.added], ["checks", rates.checks]], SAMPLES, `Checks and added documents a second, ${now}`));
}

function drawDistances({ k }, { by_distance: counts, answered }) {
  if (!answered) return show("distances", note("No duplicate yet."));
  const last = Math.max(k ?? 0, ...counts.map((row) => row.distance));
  const count = new Map(counts.map((row) => [row.distance, row.count]));
  const named = [...Array(last + 1).keys()].map((distance) => [String(distance), count.get(distance) ?? 0]);
  show("distances", bars(named, (distance, number) => `${number} at distance ${distance}`));
}

function drawSpikes({ most, missed }) {
  // Whoever has reached a row by keys stays there.
  const key = JSON.stringify([most, missed]);
  if (key === spiked) return;
  spiked = key;
  const spikes = most.filter((row) => row.count >= SPIKE).slice(0, SPIKES);
  if (!spikes.length) return show("spikes", none(`No stored document had ${SPIKE} duplicates or more.`));
  const rows = spikes.map((row) => [idButton(row.id, () => look(row.id)), grouped(row.count)]);
  show("spikes", table([["Stored document"], ["Duplicates", "number"]], rows), missed && note(`Each count may be up to ${grouped(missed)} too low.`));
}
