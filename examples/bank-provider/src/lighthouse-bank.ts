import type { AccessRefusal, BankProvider, FetchResult, LoginStep } from "@org/provider-kit";
import { z } from "zod";

// What the bank's API sends: read at the edge, trusted inside. Amounts are strings there and stay strings.
const loginAnswer = z.object({ customer: z.string(), refresh_token: z.string() });
const challengeAnswer = z.object({ login_id: z.string(), sent_to: z.string().nullable() });
const account = z.object({
  number: z.string(),
  title: z.string(),
  currency: z.string(),
  value: z.string(),
  positions: z.array(z.object({ isin: z.string(), title: z.string(), units: z.string(), value: z.string() })),
});
const accountsAnswer = z.object({ refresh_token: z.string(), consent_until: z.string(), accounts: z.array(account) });
const access = z.object({ refresh_token: z.string() });
const state = z.object({ login_id: z.string() });

/** What the bank's error codes mean for us. */
const refusals: Readonly<Record<string, AccessRefusal>> = {
  ACCOUNT_LOCKED: "blocked",
  SCA_NEEDED: "sca_required",
  TOKEN_REVOKED: "rejected",
  CONSENT_OVER: "consent_expired",
};

/**
 * The Lighthouse Bank, which does not exist: a small JSON API that asks for a code by text message, or for an approval in its app.
 * @param baseUrl address of the API, without trailing slash
 * @param clock for when the data were read
 */
export function createLighthouseBank({ baseUrl, clock }: { baseUrl: string; clock: () => Date }): BankProvider {
  return {
    name: "lighthouse",

    async login({ fields: { username, password }, signal }) {
      return stepOf(await call("/login", { username, password }, signal));
    },

    async answer({ state: kept, answer, signal }) {
      return stepOf(await call("/login/code", { ...state.parse(kept), code: answer }, signal));
    },

    async look({ state: kept, signal }) {
      const { status, body } = await call("/login/status", state.parse(kept), signal);
      return status === 202 ? { kind: "waiting" } : stepOf({ status, body });
    },

    async fetch({ access: kept, signal }): Promise<FetchResult> {
      const { status, body } = await call("/accounts", access.parse(kept), signal);
      if (status === 403) return { refused: refusalOf(body) };
      const answer = accountsAnswer.parse(body);
      return {
        // The bank gives a new token each time: the old one is of no use any more.
        access: { refresh_token: answer.refresh_token },
        consent_expires_at: new Date(answer.consent_until),
        snapshot: {
          as_of: clock(),
          portfolios: answer.accounts.map(({ number, title, value, currency }) => ({
            key: number,
            name: title,
            balance: value,
            currency,
            ref_account: number,
            type: "S",
          })),
          holdings: answer.accounts.flatMap(({ number, currency, positions }) =>
            positions.map(({ isin, title, units, value }) => ({
              key: isin,
              portfolio_key: number,
              name: title,
              isin,
              amount: units,
              balance: value,
              currency,
              valuation_date: null,
              type: "VI",
              subtype: null,
            })),
          ),
          // This bank has no history to give: `null` says so, an empty list would say that there is none.
          transactions: null,
        },
      };
    },
  };

  /** One request. Whatever is neither an answer nor a known refusal is thrown: then it is the bank that failed. */
  async function call(path: string, body: object, signal: AbortSignal): Promise<{ status: number; body: unknown }> {
    const init = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal,
    };
    const response = await fetch(`${baseUrl}${path}`, init);
    if (![200, 202, 401, 403].includes(response.status)) throw new Error(`${path} answered ${response.status}`);
    return { status: response.status, body: await response.json() };
  }
}

function stepOf({ status, body }: { status: number; body: unknown }): LoginStep {
  if (status === 401) return { kind: "rejected" };
  if (status === 403) return { kind: "failed", error_code: "UserInteractionNeeded" };
  if (status === 202) {
    const { login_id, sent_to } = challengeAnswer.parse(body);
    const challenge =
      sent_to === null
        ? ({ kind: "app", message: "Approve the login in the Lighthouse app." } as const)
        : ({ kind: "sms", message: `Enter the code that was sent to ${sent_to}.` } as const);
    return { kind: "challenge", challenge, state: { login_id } };
  }
  const { customer, refresh_token } = loginAnswer.parse(body);
  return { kind: "authenticated", user_key: customer, access: { refresh_token } };
}

function refusalOf(body: unknown): AccessRefusal {
  const { code } = z.object({ code: z.string() }).parse(body);
  const refusal = refusals[code];
  if (refusal === undefined) throw new Error(`unknown refusal ${code}`);
  return refusal;
}
