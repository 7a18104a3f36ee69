import {
  type BankProvider,
  type FetchRequest,
  type FetchResult,
  HttpFailure,
  isOutage,
  type LoginStep,
  type ProviderServices,
} from "@org/provider-kit";
import { z } from "zod";
import { earlierAccess, type FlexAccess, flexAccess, isProvisional, isSame, userKeyOf } from "./access.js";
import { FlexFailure } from "./flex-failure.js";
import { createFlexService } from "./flex-service.js";
import { readStatement } from "./statement.js";
import { requestStatement, type StatementRequest, statementRequest } from "./statement-request.js";
import { faultForCustomer, faultForLog, loginFields, queryFields, terms } from "./words.js";

/** How long a login waits for a statement. The last request may wait half a minute for its turn, and the server ends the call after a minute. */
const LOGIN_WAIT_MS = 25_000;
/** How long a fetch waits if somebody waits for its result. A scheduled one does not wait, so that another connection can use its slot. */
const FETCH_WAIT_MS = 8_000;

/** The state of an `ask` about a query. */
const askState = z.object({ token: z.string(), query_id: z.string(), earlier: flexAccess.nullable() });

/** Interactive Brokers: requests a statement, waits for it and fetches it. `base_url` is the URL before `/SendRequest`. */
export function createIbkrFlex(
  given: Pick<ProviderServices, "http" | "clock" | "sleep" | "pace" | "log"> & { settings: { base_url: string } },
): Omit<BankProvider, "name"> {
  const { clock, sleep } = given;
  const service = createFlexService({ baseUrl: given.settings.base_url, http: given.http, pace: given.pace });
  const request = requestStatement.bind(null, { service, clock, sleep });

  return {
    credentialFields: () => loginFields,
    terms: () => terms,

    login: ({ fields, existing_access, signal }) =>
      enter(fields.token, fields.query_id, earlierAccess(existing_access), signal),

    async answer({ state, fields, signal }) {
      const { token, query_id, earlier } = askState.parse(state);
      return enter(token, fields.query_id || query_id, earlier, signal);
    },

    async fetch({ access, refresh, awaited, pending_state, signal }): Promise<FetchResult> {
      const known = flexAccess.parse(access);
      const earlier = statementRequest.safeParse(pending_state).data ?? (refresh ? null : known.request);
      try {
        return await read(known, earlier, { refresh, awaited, signal });
      } catch (error) {
        if (!isFinal(error)) throw error;
        return { failed: { message: error.message, outage: isOutage(error) } };
      }
    },
  };

  async function read(
    known: FlexAccess,
    earlier: StatementRequest | null,
    { refresh, awaited, signal }: Pick<FetchRequest, "refresh" | "awaited" | "signal">,
  ): Promise<FetchResult> {
    const { token, query_id: queryId } = known;
    // A fetch that continues an earlier one looks only once.
    const wait_ms = awaited && !earlier ? FETCH_WAIT_MS : 0;
    const outcome = await request({ token, queryId, earlier, wait_ms, awaited, signal });
    if (outcome.kind === "refused") return { refused: outcome.refresh };
    if (outcome.kind === "throttled") return { throttled: { retry_after: outcome.retry_after } };
    if (outcome.kind === "pending") return { pending: { retry_after: outcome.retry_after, state: outcome.request } };
    return dataOf(outcome.body, known, refresh, given.log);
  }

  async function enter(
    typedToken = "",
    typedQuery = "",
    earlier: FlexAccess | null,
    signal: AbortSignal,
  ): Promise<LoginStep> {
    const [token, query_id] = [typedToken.trim(), typedQuery.trim()];
    if (token === "" || !/^\d+$/.test(query_id)) return { kind: "rejected" };
    const outcome = await request({
      token,
      queryId: query_id,
      earlier: null,
      wait_ms: LOGIN_WAIT_MS,
      awaited: true,
      signal,
    });
    switch (outcome.kind) {
      case "refused":
        return outcome.login === null ? { kind: "rejected" } : { kind: "failed", error_code: outcome.login };
      case "throttled":
        return { kind: "throttled", retry_after: outcome.retry_after };
      case "pending":
        // The institution accepted token and query, so the customer is logged in; the first fetch continues this request.
        return authenticated(token, query_id, earlier, null, outcome.request);
      case "statement": {
        const statement = readStatement(outcome.body);
        if (statement.kind === "query")
          return {
            kind: "ask",
            fields: queryFields,
            message: faultForCustomer(statement),
            state: { token, query_id, earlier } satisfies z.input<typeof askState>,
          };
        return authenticated(token, query_id, earlier, statement.accounts, outcome.request);
      }
    }
  }
}

/** @param stated the accounts of the statement; null if there is none yet */
function authenticated(
  token: string,
  query_id: string,
  earlier: FlexAccess | null,
  stated: readonly string[] | null,
  request: StatementRequest,
): LoginStep {
  const user_key = userKeyOf(stated, query_id, earlier);
  const accounts = stated ? [...stated] : (earlier?.accounts ?? null);
  const access: FlexAccess = { token, query_id, user_key, accounts, request };
  return { kind: "authenticated", user_key, access };
}

/** Whether an immediate retry would fail in the same way. The server retries calls that throw. */
function isFinal(error: unknown): error is Error {
  return error instanceof FlexFailure || (error instanceof HttpFailure && error.code !== "network");
}

/** @throws FlexFailure if the statement cannot be read */
function dataOf(body: Uint8Array, known: FlexAccess, refresh: boolean, log: ProviderServices["log"]): FetchResult {
  const statement = readStatement(body);
  if (statement.kind === "query") return { failed: { message: faultForLog(statement) } };
  if (statement.leftOut > 0) log.warn("movements that cannot be read are left out", { movements: statement.leftOut });
  if (known.accounts && !isSame(known, statement.accounts, known.query_id)) return { refused: "rejected" };
  // The first statement identifies the customer, if there was none at the login.
  const isNews = known.accounts === null || (!refresh && isProvisional(known.user_key));
  const isKnown = !isNews && known.accounts?.join() === statement.accounts.join();
  const user_key = isNews ? userKeyOf(statement.accounts, known.query_id, null) : known.user_key;
  const access: FlexAccess = { ...known, user_key, accounts: [...statement.accounts], request: null };
  return {
    snapshot: statement.snapshot,
    consent_expires_at: null,
    ...(isNews && { user_key }),
    ...(!isKnown && { access }),
  };
}
