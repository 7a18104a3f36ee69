import type { AnswerRequest, FetchRequest, LoginRequest, LookRequest, ResumeRequest, RevokeRequest } from "../port.js";

/** Creates requests as a server would; a test sets what matters, and the rest has plain values. */
export interface Requests {
  login(fields: Readonly<Record<string, string>>, more?: Partial<LoginRequest>): LoginRequest;
  answer(state: unknown, answer: string, more?: Partial<AnswerRequest>): AnswerRequest;
  /** The answer to an `ask`. */
  fields(state: unknown, fields: Readonly<Record<string, string>>, more?: Partial<AnswerRequest>): AnswerRequest;
  resume(state: unknown, params: Readonly<Record<string, string>>, more?: Partial<ResumeRequest>): ResumeRequest;
  look(state: unknown, more?: Partial<LookRequest>): LookRequest;
  /** With `refresh`, it is a scheduled refresh that nobody waits for, unless `more` says otherwise. */
  fetch(access: unknown, more?: Partial<FetchRequest>): FetchRequest;
  revoke(access: unknown, more?: Partial<RevokeRequest>): RevokeRequest;
}

/** Where customers of the suite come back. */
export const CALLBACK_URL = "https://wealth.example/connect/callback";

/** Creates requests for one connector. `state` and `access` pass through JSON, as if they had been stored. */
export function requestsFor(connectorId: string, providerRef: string | null = null): Requests {
  const asked = () => ({
    connector_id: connectorId,
    provider_ref: providerRef,
    signal: new AbortController().signal,
  });
  const callback = {
    callback_url: CALLBACK_URL,
    callback_state: "a-state-that-nobody-guesses",
    language: "en",
  } as const;

  return {
    login: (fields, more) => ({
      ...asked(),
      ...callback,
      fields,
      existing_access: null,
      saveAccess: async () => {},
      ...more,
    }),
    answer: (state, answer, more) => ({ ...asked(), ...callback, state: kept(state), answer, fields: {}, ...more }),
    fields: (state, fields, more) => ({ ...asked(), ...callback, state: kept(state), answer: "", fields, ...more }),
    resume: (state, params, more) => ({ ...asked(), ...callback, state: kept(state), params, ...more }),
    look: (state, more) => ({ ...asked(), state: kept(state), ...more }),
    fetch: (access, more) => ({
      ...asked(),
      access: kept(access),
      refresh: false,
      awaited: more?.refresh !== true,
      since: null,
      pending_state: null,
      saveAccess: async () => {},
      ...more,
    }),
    revoke: (access, more) => ({ ...asked(), access: kept(access), ...more }),
  };
}

function kept(value: unknown): unknown {
  return value === undefined ? null : JSON.parse(JSON.stringify(value));
}
