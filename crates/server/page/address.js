// What the page shows, in its address, so that it can be sent, and that Back and reload work:
// `#id=a&k=3&limit=20&near=b`, `#fingerprint=...`, `#text=...`, `#cluster=4`.

export const KINDS = ["text", "html", "fingerprint", "id"];
/** A longer text stays out of the address; the history of this tab keeps it up to `KEPT` characters. */
const LONGEST = 1500, KEPT = 200_000;

/** The state of the address: `question` ({ kind, value, k, limit }) with `near`, or `cluster`. */
export function read() {
  const fields = new URLSearchParams(location.hash.slice(1));
  const number = (name) => (/^\d{1,9}$/.test(fields.get(name)) ? Number(fields.get(name)) : undefined);
  const kind = KINDS.find((name) => fields.has(name));
  const question = kind ? { kind, value: fields.get(kind), k: number("k"), limit: number("limit") } : history.state?.question;
  return { question, near: question && (fields.get("near") ?? history.state?.near), cluster: number("cluster") };
}

/** Notes a state: as a step of the history, or in place of the last one. */
export function write({ question, near, cluster }, replace = false) {
  const fields = new URLSearchParams();
  const short = question && question.value.length <= LONGEST;
  if (cluster !== undefined) fields.set("cluster", cluster);
  if (short) {
    fields.set(question.kind, question.value);
    for (const name of ["k", "limit"]) if (question[name] !== undefined) fields.set(name, question[name]);
    if (near !== undefined) fields.set("near", near);
  }
  const kept = question && !short && question.value.length <= KEPT ? { question, near } : null;
  const hash = `#${fields.toString() || "search"}`;
  if (hash === location.hash && !kept) return;
  history[replace ? "replaceState" : "pushState"](kept, "", hash);
}
