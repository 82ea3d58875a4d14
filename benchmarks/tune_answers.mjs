// Simulated answers to the questions of the page of `nearprint tune`, with the page's own fit: prints a line of JSON.
//
//     node benchmarks/tune_answers.mjs SEEDS ANSWERS MISTAKES
import { readFileSync } from "node:fs";

const script = readFileSync(new URL("../crates/cli/templates/tune-fit.js", import.meta.url), "utf8");
const makeFit = new Function(`${script}; return makeFit;`)();
const [seeds, most, mistakes] = process.argv.slice(2).map(Number);
let state = 1;
// Mulberry32.
const random = () => {
  state = (state + 0x6d2b79f5) | 0;
  let word = Math.imul(state ^ (state >>> 15), 1 | state);
  word = (word + Math.imul(word ^ (word >>> 7), 61 | word)) ^ word;
  return ((word ^ (word >>> 14)) >>> 0) / 4294967296;
};
const found = [];
for (let seed = 1; seed <= seeds; seed++)
  for (const rule of [0.55, 0.62, 0.7, 0.8, 0.87, 0.93]) {
    state = seed * 1000 + Math.round(rule * 100);
    // As many pairs of each band of similarity, as the page draws them.
    const pairs = Array.from({ length: 300 }, () => 0.5 + 0.5 * random()).sort((a, b) => a - b);
    // What answers without mistakes, to all pairs, would say.
    const exact = pairs.find((similarity) => similarity >= rule) ?? 1;
    const fit = makeFit(pairs);
    const answered = new Set();
    const answers = [];
    while (answers.length < most) {
      const place = fit.next(fit.weigh(answers), (pair) => !answered.has(pair));
      answered.add(place);
      const same = (pairs[place] >= rule) !== (random() < mistakes);
      answers.push({ similarity: pairs[place], same });
    }
    const { low, value, high } = fit.threshold(fit.weigh(answers));
    found.push({ seed, rule, exact, value, low, high, answers });
  }
console.log(JSON.stringify(found));
