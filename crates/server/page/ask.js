// Requests to this server, with the token that the user gave. The tab keeps the token, and nothing else does.

const TOKEN = "nearprint-token";
const SCOPES = ["read", "write", "admin"];

let scope = "read";
let refused = () => {};

/** A problem, as the server tells it. */
export class Problem extends Error {
  constructor(status, problem) {
    super(problem.detail || problem.title || `status ${status}`);
    Object.assign(this, { status, title: problem.title, field: problem.field });
  }
}

export const token = {
  get: () => sessionStorage.getItem(TOKEN),
  keep: (secret) => sessionStorage.setItem(TOKEN, secret),
  forget: () => sessionStorage.removeItem(TOKEN),
};

/** Whether the server lets this page do what needs a scope. */
export const may = (wanted) => SCOPES.indexOf(scope) >= SCOPES.indexOf(wanted);

/** Says what to do when the server wants a token: it is told whether a token was sent. */
export function whenRefused(action) {
  refused = action;
}

/** The answer to a request; throws a Problem. With a body it is a POST. */
export async function ask(path, body) {
  const secret = token.get();
  const headers = {};
  if (secret) headers.Authorization = `Bearer ${secret}`;
  if (body) headers["Content-Type"] = "application/json";
  let response;
  try {
    response = await fetch(path, { method: body ? "POST" : "GET", headers, body: body && JSON.stringify(body) });
  } catch {
    throw new Problem(0, { title: "No answer", detail: "The server does not answer." });
  }
  const answer = await response.json().catch(() => ({}));
  if (response.ok) {
    // A server without tokens names no scope: everybody may do everything.
    scope = response.headers.get("nearprint-scope") ?? "admin";
    return answer;
  }
  if (response.status === 401) refused(!!secret);
  throw new Problem(response.status, answer);
}
