// Charts, as small pictures with what they show in words.

import { grouped, make } from "./kit.js";

const W = 480, H = 150, LEFT = 46, BOTTOM = 20, TOP = 10;
/** Bars that have room for all of their names. */
const ROOMY = 12;

/** A round number that is at least `value`. */
function above(value) {
  const power = 10 ** Math.floor(Math.log10(value || 1));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= value);
}

const height = (value, most) => (value / most) * (H - BOTTOM - TOP);

function chart(most, label, nodes) {
  const line = (y, text) => [make("line", { x1: LEFT, x2: W, y1: y, y2: y }), make("text", { x: LEFT - 6, y: y + 4, "text-anchor": "end" }, text)];
  return make("svg", { viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": label }, ...line(TOP, grouped(most)), ...line(H - BOTTOM, "0"), ...nodes);
}

/** Bars with their names; `told` says one in words. */
export function bars(named, told) {
  const most = above(Math.max(1, ...named.map(([, count]) => count)));
  const step = (W - LEFT) / named.length;
  const every = Math.ceil(named.length / ROOMY);
  const nodes = named.flatMap(([name, count], at) => {
    const tall = height(count, most);
    const bar = make("rect", { x: LEFT + step * (at + 0.12), y: H - BOTTOM - tall, width: step * 0.76, height: tall });
    return [bar, at % every === 0 && make("text", { x: LEFT + step * (at + 0.5), y: H - 5, "text-anchor": "middle" }, name)].filter(Boolean);
  });
  return chart(most, named.filter(([, count]) => count).map(([name, count]) => told(name, count)).join(", "), nodes);
}

/** Lines of the last samples, of which there are at most `room`: pairs of a class and values. */
export function lines(series, room, label) {
  const most = above(Math.max(1, ...series.flatMap(([, values]) => values)));
  const nodes = series.map(([name, values]) => {
    const x = (at) => LEFT + ((W - LEFT) * (at + room - values.length)) / (room - 1);
    const points = values.map((value, at) => `${at ? "L" : "M"}${x(at).toFixed(1)} ${(H - BOTTOM - height(value, most)).toFixed(1)}`);
    return make("path", { class: name, d: points.join("") });
  });
  return chart(most, label, nodes);
}
