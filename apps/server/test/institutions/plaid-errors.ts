import { randomBytes } from "node:crypto";
import type { Reply } from "../../../../packages/provider-kit/test/stand-in/institution.js";
import { exactJson, type JsonObject } from "../../../../packages/provider-openwealth/test/stand-in/exact-json.js";

const LIMITED = "rate limit exceeded for attempts to access this item. please try again later";
const table = {
  INVALID_API_KEYS: [400, "INVALID_INPUT", "invalid client_id or secret provided"],
  INVALID_ACCESS_TOKEN: [400, "INVALID_INPUT", "could not find matching access token"],
  INVALID_PUBLIC_TOKEN: [400, "INVALID_INPUT", "could not find matching public token"],
  INVALID_LINK_TOKEN: [400, "INVALID_INPUT", "invalid link_token provided"],
  INVALID_INSTITUTION: [400, "INVALID_INPUT", "invalid institution_id provided"],
  INVALID_ACCOUNT_ID: [400, "INVALID_INPUT", "failed to find requested account ID for requested item"],
  INVALID_PRODUCT: [400, "INVALID_INPUT", "client is not authorized to access the requested products"],
  INVALID_WEBHOOK_VERIFICATION_KEY_ID: [400, "INVALID_INPUT", "invalid key_id provided. key_id not found"],
  UNAUTHORIZED_ROUTE_ACCESS: [400, "INVALID_INPUT", "client is not authorized to access the requested route"],
  USER_PERMISSION_REVOKED: [
    400,
    "INVALID_INPUT",
    "the holder of this account has revoked their permission for your application to access it",
  ],
  INVALID_BODY: [400, "INVALID_REQUEST", "body could not be parsed as JSON"],
  INVALID_FIELD: [400, "INVALID_REQUEST", "a field has an invalid value"],
  MISSING_FIELDS: [400, "INVALID_REQUEST", "the following required fields are missing: "],
  UNKNOWN_FIELDS: [400, "INVALID_REQUEST", "the following fields are not recognized by this endpoint: "],
  NOT_FOUND: [404, "INVALID_REQUEST", "the requested endpoint does not exist"],
  ITEM_LOGIN_REQUIRED: [
    400,
    "ITEM_ERROR",
    "the login details of this item have changed (credentials, MFA, or required user action) and a user login is required to update this information. use Link's update mode to restore the item to a good state",
  ],
  ITEM_LOCKED: [400, "ITEM_ERROR", "the account is locked. prompt the user to visit the institution's site"],
  ITEM_NOT_FOUND: [
    400,
    "ITEM_ERROR",
    "The Item you requested cannot be found. This Item does not exist, has been previously removed via /item/remove, or has had access removed by the user",
  ],
  INVALID_CREDENTIALS: [400, "ITEM_ERROR", "the provided credentials were not correct"],
  INVALID_MFA: [400, "ITEM_ERROR", "the provided MFA response(s) were not correct"],
  INVALID_UPDATED_USERNAME: [400, "ITEM_ERROR", "the username provided is not the one of the item"],
  PASSWORD_RESET_REQUIRED: [400, "ITEM_ERROR", "user must reset their password"],
  USER_SETUP_REQUIRED: [400, "ITEM_ERROR", "the account has not been fully set up"],
  ACCESS_NOT_GRANTED: [400, "ITEM_ERROR", "access to this product was not granted for the account"],
  ADDITIONAL_CONSENT_REQUIRED: [400, "ITEM_ERROR", "client does not have user consent to access this product"],
  NO_INVESTMENT_ACCOUNTS: [400, "ITEM_ERROR", "There are no valid investment account(s) associated with this Item."],
  PRODUCT_NOT_ENABLED: [400, "ITEM_ERROR", "a requested product was not enabled for the current access token"],
  PRODUCT_NOT_READY: [
    400,
    "ITEM_ERROR",
    "the requested product is not yet ready. please provide a webhook or try the request again later",
  ],
  PRODUCTS_NOT_SUPPORTED: [400, "ITEM_ERROR", ""],
  SANDBOX_PRODUCT_NOT_ENABLED: [400, "SANDBOX_ERROR", "the product is not enabled for this item"],
  INSTITUTION_DOWN: [
    400,
    "INSTITUTION_ERROR",
    "this institution is not currently responding to this request. please try again soon",
  ],
  INSTITUTION_NOT_RESPONDING: [
    400,
    "INSTITUTION_ERROR",
    "this institution is not currently responding to this request. please try again soon",
  ],
  INSTITUTION_NO_LONGER_SUPPORTED: [400, "INSTITUTION_ERROR", "this institution is no longer supported"],
  INTERNAL_SERVER_ERROR: [500, "API_ERROR", "an unexpected error occurred"],
  PLANNED_MAINTENANCE: [
    503,
    "API_ERROR",
    "the Plaid API is temporarily unavailable due to planned maintenance. visit https://status.plaid.com/ for more information",
  ],
  ACCOUNTS_LIMIT: [429, "RATE_LIMIT_EXCEEDED", LIMITED],
  INVESTMENT_HOLDINGS_GET_LIMIT: [429, "RATE_LIMIT_EXCEEDED", LIMITED],
  INVESTMENT_TRANSACTIONS_LIMIT: [429, "RATE_LIMIT_EXCEEDED", LIMITED],
  ITEM_GET_LIMIT: [429, "RATE_LIMIT_EXCEEDED", LIMITED],
  INSTITUTIONS_GET_LIMIT: [
    429,
    "RATE_LIMIT_EXCEEDED",
    'rate limit exceeded for attempts to access "institutions get by id". please try again later',
  ],
  INSTITUTIONS_GET_BY_ID_LIMIT: [
    429,
    "RATE_LIMIT_EXCEEDED",
    'rate limit exceeded for attempts to access "institutions get by id". please try again later',
  ],
  INSTITUTION_RATE_LIMIT: [
    429,
    "RATE_LIMIT_EXCEEDED",
    "The institution is currently receiving too many requests. Please try again later.",
  ],
  RATE_LIMIT: [429, "RATE_LIMIT_EXCEEDED", LIMITED],
} as const satisfies Readonly<Record<string, readonly [number, string, string]>>;

export type PlaidErrorCode = keyof typeof table;

const displayed: Partial<Record<PlaidErrorCode, string>> = {
  INSTITUTION_DOWN:
    "This financial institution is not currently responding to requests. We apologize for the inconvenience.",
  INVALID_CREDENTIALS: "The credentials that you provided are incorrect.",
  INVALID_MFA: "The code that you provided is incorrect.",
  NO_INVESTMENT_ACCOUNTS: "None of your accounts are investment accounts.",
  PASSWORD_RESET_REQUIRED: "The user needs to reset their password for their account",
};

/** The error as items, sessions and webhooks have it; with `message` it ends in that, or has it instead. */
export function plaidError(code: PlaidErrorCode, more: JsonObject & { readonly message?: string } = {}): JsonObject {
  const [, error_type, text] = table[code];
  const { message = "", ...rest } = more;
  return {
    error_type,
    error_code: code,
    error_message: text.endsWith(": ") ? text + message : message || text,
    display_message: displayed[code] ?? null,
    ...rest,
  };
}

/** Its HTTP status. */
export const statusOf = (code: PlaidErrorCode): number => table[code][0];

export class PlaidRefusal extends Error {
  readonly code: PlaidErrorCode;
  readonly more: JsonObject & { readonly message?: string };

  constructor(code: PlaidErrorCode, more: JsonObject & { readonly message?: string } = {}) {
    super(code);
    this.code = code;
    this.more = more;
  }
}

/** Such as `HNTDNrA8F1shFEW`. */
export function requestId(): string {
  return randomBytes(24)
    .toString("base64")
    .replace(/[^A-Za-z0-9]/g, "")
    .padEnd(15, "0")
    .slice(0, 15);
}

/** An answer with a request id. */
export function answered(status: number, body: JsonObject): Reply {
  return {
    status,
    headers: { "content-type": "application/json; charset=utf-8" },
    body: exactJson({ ...body, request_id: requestId() }),
  };
}

/** The answer of a refused request. */
export function refusal(code: PlaidErrorCode, more: JsonObject & { readonly message?: string } = {}): Reply {
  return answered(table[code][0], {
    ...plaidError(code, more),
    documentation_url: "https://plaid.com/docs/?ref=error",
    suggested_action: null,
  });
}
