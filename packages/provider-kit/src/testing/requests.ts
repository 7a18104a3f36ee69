import type { AnswerRequest, FetchRequest, LoginRequest, LookRequest, ResumeRequest, RevokeRequest } from "../port.js";

/** Requests as a server makes them, with what a test says and plain values for the rest. */
export interface Requests {
  login(fields: Readonly<Record<string, string>>, more?: Partial<LoginRequest>): LoginRequest;
  answer(state: unknown, answer: string, more?: Partial<AnswerRequest>): AnswerRequest;
  /** An answer to an `ask`. */
  fields(state: unknown, fields: Readonly<Record<string, string>>, more?: Partial<AnswerRequest>): AnswerRequest;
  resume(state: unknown, params: Readonly<Record<string, string>>, more?: Partial<ResumeRequest>): ResumeRequest;
  look(state: unknown, more?: Partial<LookRequest>): LookRequest;
  /** A refresh is one by plan, which nobody waits for, unless `more` says otherwise. */
  fetch(access: unknown, more?: Partial<FetchRequest>): FetchRequest;
  revoke(access: unknown, more?: Partial<RevokeRequest>): RevokeRequest;
}

/** Makes requests for one connector. `state` and `access` arrive as they would after being stored: as JSON. */
export function requestsFor(connectorId: string, providerRef: string | null = null): Requests {
  const asked = () => ({
    connector_id: connectorId,
    provider_ref: providerRef,
    signal: new AbortController().signal,
  });
  const callback = {
    callback_url: "https://wealth.example/connect/callback",
    callback_state: "a-state-that-nobody-guesses",
    language: "en",
  } as const;

  return {
    login: (fields, more) => ({ ...asked(), ...callback, fields, existing_access: null, ...more }),
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
      ...more,
    }),
    revoke: (access, more) => ({ ...asked(), access: kept(access), ...more }),
  };
}

function kept(value: unknown): unknown {
  return value === undefined ? null : JSON.parse(JSON.stringify(value));
}
