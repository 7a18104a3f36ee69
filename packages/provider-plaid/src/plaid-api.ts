import {
  type AnswerMeaning,
  type CallRules,
  createInstitutionCalls,
  headerAuth,
  type InstitutionCalls,
  type ProviderServices,
} from "@org/provider-kit";
import { z } from "zod";
import { baseUrlOf, type PlaidSettings } from "./settings.js";

/** Requests to Plaid. The client's id and secret are in headers. */
export type PlaidApi = Pick<InstitutionCalls, "send">;

/** The version of the interface that this provider is written for. */
const VERSION = "2020-09-14";
const MINUTE = 60_000;
/** Seconds until data are asked for again that Plaid is still extracting, and until Plaid's own maintenance may be over. */
const NOT_READY = 60;
const MAINTENANCE = 600;

const refusals = {
  sca_required: ["ITEM_LOGIN_REQUIRED"],
  consent_expired: ["OAUTH_CONSENT_EXPIRED"],
  blocked: ["ITEM_LOCKED", "USER_SETUP_REQUIRED"],
  rejected: [
    ...["OAUTH_INVALID_TOKEN", "OAUTH_USER_REVOKED", "USER_PERMISSION_REVOKED", "ACCESS_NOT_GRANTED"],
    ...["INVALID_CREDENTIALS", "INVALID_MFA", "INSUFFICIENT_CREDENTIALS", "INVALID_UPDATED_USERNAME"],
    ...["ITEM_NOT_FOUND", "INVALID_ACCESS_TOKEN", "INVALID_PUBLIC_TOKEN", "INVALID_LINK_TOKEN"],
    ...["NO_ACCOUNTS", "NO_INVESTMENT_ACCOUNTS"],
  ],
} as const;

/** Plaid's codes. Any other is a failure of one customer: an institution that is down is not Plaid being down. */
const codes: Readonly<Record<string, AnswerMeaning>> = {
  RATE_LIMIT_EXCEEDED: "throttled",
  PRODUCT_NOT_READY: { pending: NOT_READY },
  PLANNED_MAINTENANCE: { throttled: MAINTENANCE },
  ...Object.fromEntries(
    Object.entries(refusals).flatMap(([meaning, listed]) =>
      listed.map((code) => [code, meaning as keyof typeof refusals] as const),
    ),
  ),
};

const errorSchema = z.object({
  error_type: z.string(),
  error_code: z.string(),
  error_code_reason: z.string().nullish(),
});

/** The limits are those of one Item in production; the sandbox allows more. */
const rules: CallRules = {
  auth: headerAuth({ "PLAID-CLIENT-ID": "client_id", "PLAID-SECRET": "secret", "Plaid-Version": "version" }),
  limits: [
    { path: "/accounts/get", every_ms: MINUTE, calls: 15 },
    { path: "/investments/holdings/get", every_ms: MINUTE, calls: 15 },
    { path: "/investments/transactions/get", every_ms: MINUTE, calls: 30 },
  ],
  codes,
  codeOf(body) {
    const error = errorSchema.safeParse(body).data;
    if (error === undefined) return null;
    // Each address has a code of its own for too many requests.
    if (error.error_type === "RATE_LIMIT_EXCEEDED") return error.error_type;
    const { error_code, error_code_reason: reason } = error;
    return error_code === "ITEM_LOGIN_REQUIRED" && reason && Object.hasOwn(codes, reason) ? reason : error_code;
  },
};

/**
 * Opens Plaid for one login or Item.
 * @param identity names it for the rate limits
 * @param mayWait until when a call may wait for its turn; null = no call waits
 */
export function openPlaid(
  settings: PlaidSettings,
  given: Pick<ProviderServices, "http" | "pace" | "clock"> & {
    readonly identity: string;
    readonly mayWait: { readonly until: Date } | null;
    readonly signal: AbortSignal;
  },
): PlaidApi {
  given.signal.throwIfAborted();
  const key = { client_id: settings.client_id, secret: settings.secret, version: VERSION };
  return createInstitutionCalls(rules, { ...given, base_url: baseUrlOf(settings), key });
}

/** Plaid without rate limits, for calls outside a login. */
export function openUnlimited(
  settings: PlaidSettings,
  given: Pick<ProviderServices, "http"> & { readonly signal: AbortSignal },
): PlaidApi {
  return openPlaid(settings, {
    ...given,
    pace: async () => null,
    clock: () => new Date(0),
    identity: "",
    mayWait: null,
  });
}
