import type { AccessRefusal, HttpAnswer, HttpClient } from "@org/provider-kit";
import { z } from "zod";

// Schemas of the bank's answers, checked here and trusted elsewhere. Numbers are read as text (`json_exact`) and stay text.
const loggedIn = z.object({ customer: z.string(), refresh_token: z.string() });
const asked = z.object({ login_id: z.string(), sent_to: z.string().nullable() });
const tokens = z.object({ access_token: z.string(), refresh_token: z.string() });
const accounts = z.object({
  consent_until: z.string(),
  accounts: z.array(
    z.object({
      number: z.string(),
      title: z.string(),
      currency: z.string(),
      value: z.string(),
      positions: z.array(z.object({ isin: z.string(), title: z.string(), units: z.string(), value: z.string() })),
    }),
  ),
});
const bookings = z.array(
  z.object({ id: z.string(), account: z.string(), day: z.string(), text: z.string(), value: z.string() }),
);

/** The meaning of the bank's error codes. Any other code is a failure. */
export const refusals = {
  ACCOUNT_LOCKED: "blocked",
  SCA_NEEDED: "sca_required",
  TOKEN_REVOKED: "rejected",
  CONSENT_OVER: "consent_expired",
} as const satisfies Record<string, AccessRefusal>;
const refused = z.object({ code: z.enum(Object.keys(refusals) as (keyof typeof refusals)[]) });

/** The state of a login. */
export type LoginAnswer =
  | ({ readonly kind: "in" } & z.output<typeof loggedIn>)
  | ({ readonly kind: "asked" } & z.output<typeof asked>)
  | { readonly kind: "wrong" | "locked" };

/** Everything the bank shows of a customer. */
export interface Read {
  readonly accounts: z.output<typeof accounts>;
  readonly bookings: z.output<typeof bookings>;
}

interface Throttled {
  readonly kind: "throttled";
  readonly seconds: number;
}

/** From the bank's documentation, for answers that state no time. */
const PAUSE_SECONDS = 60;
/** How far back bookings are read again, since some are dated late. */
const OVERLAP_MS = 4 * 86_400_000;
/** How far back bookings are read for a new customer. */
const FIRST_BOOKINGS_MS = 90 * 86_400_000;

/** The bank's API. Throws if an answer is neither a result nor a known refusal. */
export function createLighthouseApi(
  { base_url, api_key }: { readonly base_url: string; readonly api_key: string },
  http: HttpClient,
) {
  return {
    async ping(signal: AbortSignal): Promise<void> {
      await call("GET", "/ping", { signal }, [200]);
    },
    login: async (json: { customer_number: string; pin: string }, signal: AbortSignal) =>
      loginAnswer(await call("POST", "/login", { json, signal }, [200, 202, 401, 403])),
    answer: async (json: { login_id: string; code: string }, signal: AbortSignal) =>
      loginAnswer(await call("POST", "/login/code", { json, signal }, [200, 401])),
    status: async (json: { login_id: string }, signal: AbortSignal) =>
      loginAnswer(await call("POST", "/login/status", { json, signal }, [200, 202, 401])),

    /** Exchanges a refresh token for an access token and the next refresh token; each can be used once. */
    async exchange(json: { refresh_token: string }, signal: AbortSignal) {
      const answer = await call("POST", "/token", { json, signal }, [200, 403, 429]);
      if (answer.status === 429) return throttled(answer);
      if (answer.status === 403) return { kind: "refused", ...refused.parse(answer.body) } as const;
      return { kind: "tokens", ...tokens.parse(answer.body) } as const;
    },

    /** @param since the time of the stored data */
    async read(token: string, since: Date | null, signal: AbortSignal) {
      const headers = { authorization: `Bearer ${token}` };
      const held = await call("GET", "/accounts", { headers, signal }, [200, 429]);
      if (held.status === 429) return throttled(held);
      const read = accounts.parse(held.body);
      const from = since && new Date(since.getTime() - OVERLAP_MS).toISOString().slice(0, 10);
      const query = {
        from: from ?? undefined,
        days: from === null ? String(FIRST_BOOKINGS_MS / 86_400_000) : undefined,
      };
      const booked = await call("GET", "/bookings", { headers, query, signal }, [200, 429]);
      if (booked.status === 429) return throttled(booked);
      return { kind: "read", accounts: read, bookings: bookings.parse(booked.body) } as const;
    },

    /** A token that the bank no longer knows counts as revoked. */
    async logout(json: { refresh_token: string }, signal: AbortSignal): Promise<void> {
      await call("POST", "/logout", { json, signal }, [200, 403]);
    },
  };

  async function call(
    method: "GET" | "POST",
    path: string,
    request: {
      json?: object;
      headers?: Record<string, string>;
      query?: Record<string, string | undefined>;
      signal: AbortSignal;
    },
    expected: readonly number[],
  ): Promise<HttpAnswer<"json_exact">> {
    const headers = { "x-api-key": api_key, ...request.headers };
    const url = `${base_url}${path}`;
    return http.request({ ...request, method, url, headers, read: "json_exact", expect: expected });
  }
}

function loginAnswer({ status, body }: HttpAnswer<"json_exact">): LoginAnswer {
  if (status === 401) return { kind: "wrong" };
  if (status === 403) return { kind: "locked" };
  return status === 202 ? { kind: "asked", ...asked.parse(body) } : { kind: "in", ...loggedIn.parse(body) };
}

function throttled({ retry_after_seconds }: HttpAnswer): Throttled {
  return { kind: "throttled", seconds: retry_after_seconds ?? PAUSE_SECONDS };
}
