// What answers tell about the similarity from which on people say "same": a curve that rises with the similarity,
// with mistakes on both sides. Knows no page. Bayes over a grid, and the question that tells most is asked next:
// Kontsevich, Tyler, "Bayesian adaptive estimation of psychometric slope and threshold", Vision Research 39 (1999).
function makeFit(similarities) {
  const MISTAKES = [0.02, 0.05, 0.1], WIDTHS = [0.003, 0.01, 0.025, 0.05];
  const FEWEST = 8, WIDEST = 0.2;
  const STEP = 0.005, FROM = 0.25, PLACES = 161, SLOPES = WIDTHS.length * MISTAKES.length;
  const COUNT = PLACES * SLOPES;
  // What each model says at a similarity, told once: the chance of "same", and how uncertain an answer is.
  const known = new Map();
  const at = (similarity) => {
    const key = Math.round(similarity / STEP);
    if (!known.has(key)) {
      const [same, yes, no, noise] = [0, 1, 2, 3].map(() => new Float64Array(COUNT));
      let model = 0;
      for (let place = 0; place < PLACES; place++)
        for (const width of WIDTHS) for (const mistakes of MISTAKES) {
          const p = mistakes + (1 - 2 * mistakes) / (1 + Math.exp((FROM + STEP * place - key * STEP) / width));
          [same[model], yes[model], no[model]] = [p, Math.log(p), Math.log(1 - p)];
          noise[model] = -p * yes[model] - (1 - p) * no[model];
          model++;
        }
      known.set(key, { key, same, yes, no, noise });
    }
    return known.get(key);
  };
  const places = similarities.map((similarity) => Math.round(similarity / STEP));

  // The weight of each model after answers [{similarity, same}].
  const weigh = (answers) => {
    const weights = new Float64Array(COUNT);
    for (const one of answers) {
      const said = one.same ? at(one.similarity).yes : at(one.similarity).no;
      for (let model = 0; model < COUNT; model++) weights[model] += said[model];
    }
    const most = weights.reduce((a, b) => Math.max(a, b), -Infinity);
    let all = 0;
    for (let model = 0; model < COUNT; model++) all += weights[model] = Math.exp(weights[model] - most);
    return weights.map((one) => one / all);
  };
  const mean = (weights, values) => {
    let sum = 0;
    for (let model = 0; model < COUNT; model++) sum += weights[model] * values[model];
    return sum;
  };
  // The chance that people say "same" at a similarity.
  const chance = (weights, similarity) => mean(weights, at(similarity).same);
  // The similarity with half of the weight below it, and where it is with a confidence of 95 %.
  const threshold = (weights) => {
    const sums = new Float64Array(PLACES);
    weights.forEach((weight, model) => { sums[Math.floor(model / SLOPES)] += weight; });
    const quantile = (share) => {
      let sum = 0;
      for (let place = 0; place < PLACES; place++) {
        if (sum + sums[place] >= share) return FROM + STEP * (place - 0.5 + (share - sum) / sums[place]);
        sum += sums[place];
      }
      return 1;
    };
    const [low, value, high] = [0.025, 0.5, 0.975].map((share) => Math.min(1, Math.max(0, quantile(share))));
    return { low, value, high };
  };
  // Why answers [{similarity, same}] tell no threshold; nothing where they do. Its place is to be known, and it is to fit
  // them better than one answer to every pair does.
  const lacks = (answers, { low, value, high }) => {
    const same = answers.filter((one) => one.same).length;
    const fewer = Math.min(same, answers.length - same);
    const against = answers.filter((one) => one.same !== (one.similarity >= value)).length;
    if (answers.length < FEWEST) return "Answer some more pairs";
    if (fewer === 0) return `All answers are "${same > 0 ? "same" : "not the same"}": no threshold lies between`;
    if (against >= fewer) return "The answers contradict each other: no threshold fits them better than one answer to all pairs";
    if (high - low > WIDEST) return `Answer some more pairs: the threshold may lie anywhere from ${low.toFixed(2)} to ${high.toFixed(2)}`;
    return "";
  };
  // The open pair whose answer tells most, on average; of equal ones the first. -1 where none is open.
  const next = (weights, isOpen) => {
    const told = new Map();
    let [best, most] = [-1, -Infinity];
    places.forEach((key, pair) => {
      if (!isOpen(pair)) return;
      if (!told.has(key)) {
        const { same, noise } = at(key * STEP);
        const p = mean(weights, same);
        told.set(key, -p * Math.log(p) - (1 - p) * Math.log(1 - p) - mean(weights, noise));
      }
      if (told.get(key) > most + 1e-12) [best, most] = [pair, told.get(key)];
    });
    return best;
  };
  return { weigh, chance, threshold, lacks, next };
}
