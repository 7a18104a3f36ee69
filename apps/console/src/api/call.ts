import { loadRefusals } from "../sentences/refusals.js";
import { accessEnded, accessHeld, csrfToken } from "./access.js";
import { ApiProblem, readProblem } from "./api-problem.js";
import { isUserActive } from "./attention.js";
import { reportServerUnavailable } from "./connection.js";
import type { AnswerOf, BodyOf, Path } from "./paths.js";
import { noteServerTime } from "./server-time.js";

const BASE = "/console/api";

/** Paths that are called without a session: a 401 there does not mean that a session has ended. */
const isOpenPath = (path: string) => path === "/session" || path.startsWith("/sign-in/") || path.startsWith("/join/");

/**
 * Calls the server.
 * @param body JSON, or a file sent as it is
 * @param key its `Idempotency-Key`: asked again with it within 24 hours, the server gives its first answer and changes nothing
 * @throws ApiProblem for every refusal, and with `AWAY` if no server answered; an AbortError if `signal` aborted the call
 */
export async function call<P extends Path>(
  path: P,
  body: BodyOf<P>,
  signal?: AbortSignal,
  key?: string,
): Promise<AnswerOf<P>> {
  const response = await send(path, body, signal, key);
  const text = await response.text();
  return (text === "" ? {} : parsed(text)) as AnswerOf<P>;
}

async function send(
  path: string,
  body: unknown,
  signal: AbortSignal | undefined,
  key: string | undefined,
  isSecondTry = false,
): Promise<Response> {
  const isFile = body instanceof Blob;
  const token = csrfToken();
  const response = await answered(
    fetch(`${BASE}${path}`, {
      method: "POST",
      credentials: "same-origin",
      cache: "no-store",
      headers: {
        "Content-Type": isFile ? body.type || "application/octet-stream" : "application/json",
        ...(token !== null && { "X-CSRF-Token": token }),
        ...(key !== undefined && { "Idempotency-Key": key }),
        ...(!isUserActive() && { "X-Unattended": "1" }),
      },
      body: isFile ? body : JSON.stringify(body),
      ...(signal && { signal }),
    }),
  );
  noteServerTime(response.headers.get("Date"));
  if (response.ok) return response;
  const problem = readProblem(
    response.status,
    parsed(await response.text().catch(() => "")),
    response.headers.get("X-Trace-Id"),
    response.headers.get("Retry-After"),
  );
  if (problem.code === "CSRF_TOKEN" && !isSecondTry) {
    await renewToken();
    return send(path, body, signal, key, true);
  }
  if (problem.isUnavailable) reportServerUnavailable(probe);
  if (response.status === 401 && !isOpenPath(path)) accessEnded();
  if (problem.reason !== null || problem.details.length > 0) await loadRefusals();
  throw problem;
}

/** Another tab may have signed in meanwhile; its new session has a new CSRF token. */
async function renewToken(): Promise<void> {
  const { csrf_token } = await call("/session", {});
  accessHeld(csrf_token);
}

/** Resolves on any answer except that the server is unavailable. */
async function probe(): Promise<void> {
  const response = await fetch(`${BASE}/session`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: "{}",
  });
  if (response.status >= 500) throw new Error("still away");
}

async function answered(request: Promise<Response>): Promise<Response> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    reportServerUnavailable(probe);
    throw new ApiProblem({ status: 0, code: "AWAY", message: "" });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
