import type { AccessRefusal, LoginFailure } from "@org/provider-kit";

/** How to react to an error code of the Flex Web Service. */
export type FlexError =
  /** The statement is not ready yet. */
  | { readonly kind: "pending" }
  /** `1003`: not ready, and perhaps never. */
  | { readonly kind: "unavailable" }
  /** `1017`: the reference is no longer known; request the statement again. */
  | { readonly kind: "reference_lost" }
  /** Too many requests; wait `retry_after` seconds. */
  | { readonly kind: "throttled"; readonly retry_after: number }
  /** Asking again does not help. `login` null: the customer's input is wrong and can be corrected. */
  | { readonly kind: "refused"; readonly login: LoginFailure | null; readonly refresh: AccessRefusal }
  /** Our fault, or an undocumented code. */
  | { readonly kind: "failure"; readonly words: string };

const pending: FlexError = { kind: "pending" };
const wrong: FlexError = { kind: "refused", login: null, refresh: "rejected" };

/** Longer than the minute that the limit applies to. */
export const THROTTLED_SECONDS = 65;
/** Requests while a token is locked prolong the lock, as users of the service report. It is also the longest wait that a server accepts. */
const LOCKED_SECONDS = 60 * 60;

/** The error table of the Flex Web Service, version 3. */
const codes: Readonly<Record<string, FlexError>> = {
  1001: pending,
  1003: { kind: "unavailable" },
  1004: pending,
  1005: pending,
  1006: pending,
  1007: pending,
  1008: pending,
  1009: pending,
  1010: { kind: "failure", words: "the query is a legacy Flex query, which is not supported any more" },
  1011: { kind: "refused", login: "UserInteractionNeeded", refresh: "rejected" },
  1012: wrong,
  1013: { kind: "refused", login: "UserInteractionNeeded", refresh: "blocked" },
  1014: wrong,
  1015: wrong,
  1016: wrong,
  1017: { kind: "reference_lost" },
  1018: { kind: "throttled", retry_after: THROTTLED_SECONDS },
  1019: pending,
  1020: { kind: "failure", words: "the request could not be validated" },
  1021: pending,
  // Not in the institution's table: too many failed attempts, locked for some hours.
  1025: { kind: "throttled", retry_after: LOCKED_SECONDS },
};

export function flexError(code: string | null): FlexError {
  if (code !== null && Object.hasOwn(codes, code)) return codes[code] as FlexError;
  return { kind: "failure", words: "the code is not in the table of the Flex Web Service" };
}
