import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto";
import {
  AnswerFailure,
  isOutage,
  type Notified,
  type NotifyRequest,
  type ProviderServices,
  ReadInterrupted,
} from "@org/provider-kit";
import { z } from "zod";
import { openUnlimited } from "./plaid-api.js";
import { baseUrlOf, type PlaidSettings } from "./settings.js";

/** Plaid's advice: an older signature is refused. A clock may be behind by as much. */
const MAX_AGE_SECONDS = 300;
/** A key is asked for again after an hour, to see whether it has expired. */
const KEEP_KEY_MS = 3_600_000;
/** How many key ids that are not known are asked for in a minute, by all servers together. Plaid repeats what was refused meanwhile. */
const UNKNOWN_KEYS = [{ every_ms: 60_000, calls: 5 }];
/** More keys than Plaid has at a time. */
const MAX_KEYS = 100;

const headSchema = z.object({ alg: z.literal("ES256"), kid: z.string().regex(/^[\w-]{1,100}$/) });
const claimsSchema = z.object({ iat: z.number(), request_body_sha256: z.string() });
const bodySchema = z.object({ webhook_type: z.string(), webhook_code: z.string(), item_id: z.string().optional() });
const keySchema = z.object({
  key: z.object({
    alg: z.literal("ES256"),
    crv: z.literal("P-256"),
    kty: z.literal("EC"),
    x: z.string(),
    y: z.string(),
    expired_at: z.coerce.number().nullable(),
  }),
});

/** What changes an Item's data, or whether they may be read. */
const changes = new Map<string, readonly string[]>(
  Object.entries({
    HOLDINGS: ["DEFAULT_UPDATE"],
    INVESTMENTS_TRANSACTIONS: ["DEFAULT_UPDATE", "HISTORICAL_UPDATE"],
    ITEM: [
      ...["ERROR", "LOGIN_REPAIRED", "NEW_ACCOUNTS_AVAILABLE", "PENDING_DISCONNECT", "PENDING_EXPIRATION"],
      ...["USER_PERMISSION_REVOKED", "USER_ACCOUNT_REVOKED"],
    ],
  }),
);

/** Verifies Plaid's webhooks: a JWT in `Plaid-Verification` signs the body's hash with a key that Plaid names by id. */
export function plaidWebhooks(
  settings: PlaidSettings,
  { http, pace, clock }: Pick<ProviderServices, "http" | "pace" | "clock">,
): (request: NotifyRequest) => Promise<Notified> {
  const keys = new Map<string, { readonly key: KeyObject | null; readonly until: number }>();
  /** Questions under way: webhooks come several at a time, and a new key is asked for once. */
  const asked = new Map<string, Promise<KeyObject | null>>();

  return async ({ headers, body, signal }) => {
    const [head = "", claims = "", signature = "", ...rest] = (headers["plaid-verification"] ?? "").split(".");
    const { kid } = headSchema.safeParse(jsonIn(head)).data ?? {};
    const stated = claimsSchema.safeParse(jsonIn(claims)).data;
    // What needs no key comes first: nobody makes us ask for one with a body that is not signed.
    if (kid === undefined || stated === undefined || rest.length > 0 || !isFresh(stated) || !isOf(stated, body))
      return { kind: "unverified" };
    const key = await keyOf(kid, signal);
    const signed = Buffer.from(`${head}.${claims}`);
    if (
      key === null ||
      !verify("sha256", signed, { key, dsaEncoding: "ieee-p1363" }, Buffer.from(signature, "base64url"))
    )
      return { kind: "unverified" };
    const { webhook_type, webhook_code, item_id } = bodySchema.safeParse(parsed(body)).data ?? {};
    const isChange = changes.get(webhook_type ?? "")?.includes(webhook_code ?? "") === true;
    return { kind: "changed", references: isChange && item_id !== undefined ? [item_id] : [] };
  };

  function isFresh({ iat }: z.output<typeof claimsSchema>): boolean {
    return Math.abs(clock().getTime() / 1_000 - iat) <= MAX_AGE_SECONDS;
  }

  /** The key of an id; null if Plaid has none, it has expired, or too many unknown ones were asked for. */
  async function keyOf(kid: string, signal: AbortSignal): Promise<KeyObject | null> {
    const known = keys.get(kid);
    if (known !== undefined && clock().getTime() < known.until) return known.key;
    const answer = asked.get(kid) ?? askFor(kid, signal).finally(() => asked.delete(kid));
    asked.set(kid, answer);
    return answer;
  }

  async function askFor(kid: string, signal: AbortSignal): Promise<KeyObject | null> {
    const now = clock().getTime();
    const known = keys.get(kid);
    if (await pace(`${baseUrlOf(settings)} webhook keys`, UNKNOWN_KEYS, signal, 0)) return known?.key ?? null;
    const api = openUnlimited(settings, { http, signal });
    const answer = await api
      .send("POST", "/webhook_verification_key/get", keySchema, { key_id: kid })
      .catch(unlessRefused);
    // An id that Plaid does not know is not kept: anybody can make up many.
    if (answer === null) return null;
    const { expired_at, ...jwk } = answer.key;
    const key = expired_at === null ? createPublicKey({ key: jwk, format: "jwk" }) : null;
    if (keys.size >= MAX_KEYS) keys.clear();
    keys.set(kid, { key, until: now + KEEP_KEY_MS });
    return key;
  }
}

/** @throws what is no answer to the question */
function unlessRefused(error: unknown): null {
  if (error instanceof ReadInterrupted || (error instanceof AnswerFailure && !isOutage(error))) return null;
  throw error;
}

function isOf({ request_body_sha256 }: z.output<typeof claimsSchema>, body: Uint8Array): boolean {
  // No secret: whoever sends a body knows its hash.
  return createHash("sha256").update(body).digest("hex") === request_body_sha256;
}

function jsonIn(part: string): unknown {
  return parsed(Buffer.from(part, "base64url"));
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    return null;
  }
}
