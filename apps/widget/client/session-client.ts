import type { BanksAnswer, StateAnswer } from "../src/widget-state.js";

/** What the client asks the server, always below the session's own address. Rejects when the server cannot be reached. */
export interface SessionClient {
  state(): Promise<StateAnswer>;
  /** A page of the list of banks; null when the session is not at this step any more. */
  banks(query: { name: string; country: string; page: number }, signal: AbortSignal): Promise<BanksAnswer | null>;
  /** Sends a form, as the page without JavaScript would. */
  send(step: string, fields: Readonly<Record<string, string>>, csrfToken: string): Promise<StateAnswer>;
}

/** A call that takes longer counts as one that does not get through. */
const PATIENCE_MS = 30_000;

/** @param path the session's address, `/connect/<link>` */
export function createSessionClient(path: string): SessionClient {
  return {
    state: () => ask(`${path}/state`),
    async banks(query, signal) {
      const search = new URLSearchParams({ name: query.name, country: query.country, page: String(query.page) });
      const response = await fetch(`${path}/banks?${search}`, { signal });
      return response.ok ? response.json() : null;
    },
    send: (step, fields, csrfToken) =>
      ask(`${path}/${step}`, { method: "POST", body: new URLSearchParams({ ...fields, csrf_token: csrfToken }) }),
  };
}

/** Refusals are answers too: they say what to show. Anything else that is not ours, such as a proxy's page, is not. */
async function ask(url: string, init: RequestInit = {}): Promise<StateAnswer> {
  const headers = { Accept: "application/json" };
  const response = await fetch(url, { ...init, headers, signal: AbortSignal.timeout(PATIENCE_MS) });
  const answer: StateAnswer = await response.json();
  if (answer?.state === undefined) throw new TypeError("not an answer of the widget");
  return answer;
}
