import type { Claims } from "@org/claim-rules";
import { PeopleError } from "../people-error.js";
import type { IdentityProviderSettings } from "./provider-settings.js";

/** The person whom the provider has authenticated. */
export interface ProvenIdentity {
  readonly subject: string;
  /** The provider's session, for back-channel logout. */
  readonly sid: string | null;
  /** The claims of the ID token, plus those of the UserInfo endpoint that the ID token lacks. */
  readonly claims: Claims;
  /** When they authenticated at the provider; null = it does not say. */
  readonly signed_in_at: Date | null;
  /** The ID token as received. */
  readonly id_token: string | null;
}

/** The claims of a logout token (OpenID Connect Back-Channel Logout 1.0 §2.4). At least one of `subject` and `sid` is set. */
export interface LogoutClaims {
  readonly jti: string;
  /** When it can no longer be replayed. */
  readonly usable_until: Date;
  readonly subject: string | null;
  readonly sid: string | null;
}

const LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout";
const MAX_ID_LENGTH = 255;
/** How long after a token's expiry its id is kept, for clock skew. */
const SKEW_MS = 60_000;
/** Tokens whose id would have to be stored for longer are refused. */
const MAX_TIME_MS = 24 * 3_600_000;

/** Checks what the settings require of an ID token, after the checks of its specification. @throws PeopleError `refused` */
export function checkIdTokenClaims(
  claims: Claims,
  { client_id, acr, amr }: Pick<IdentityProviderSettings, "client_id" | "acr" | "amr">,
): Omit<ProvenIdentity, "claims" | "id_token"> {
  const { sub, azp, sid, auth_time } = claims;
  if (!isText(sub)) throw refused("sub is missing or too long");
  // Issued to another client (OpenID Connect Core 1.0 §3.1.3.7, 5), even if this one is the only audience.
  if (azp !== undefined && azp !== client_id) throw refused("azp is another client");
  if (acr.length > 0 && !acr.includes(String(claims.acr))) throw refused("acr is none of those demanded");
  const methods: readonly unknown[] = Array.isArray(claims.amr) ? claims.amr : [];
  if (!amr.every((one) => methods.includes(one))) throw refused("amr lacks what is demanded");
  return {
    subject: sub,
    sid: isText(sid) ? sid : null,
    signed_in_at: typeof auth_time === "number" && auth_time > 0 ? new Date(auth_time * 1_000) : null,
  };
}

/** Checks a logout token whose signature, issuer, audience and times are valid (§2.6). @throws PeopleError `refused` */
export function checkLogoutClaims(claims: Claims, type: string | undefined, at: Date): LogoutClaims {
  const { jti, exp, sub, sid, events } = claims;
  if (type !== undefined && !/^(?:application\/)?(?:logout\+)?jwt$/i.test(type)) throw refused("it is of another type");
  if ("nonce" in claims) throw refused("it has a nonce: it is an ID token");
  const event = isObject(events) && Object.hasOwn(events, LOGOUT_EVENT) ? events[LOGOUT_EVENT] : undefined;
  if (!isObject(event)) throw refused("it tells of no logout");
  if (!isText(jti)) throw refused("jti is missing or too long");
  if ((sub !== undefined && !isText(sub)) || (sid !== undefined && !isText(sid)) || (sub ?? sid) === undefined)
    throw refused("it names nobody");
  const usableUntil = Number(exp) * 1_000 + SKEW_MS;
  if (usableUntil - at.getTime() > MAX_TIME_MS) throw refused("it lives for too long");
  return {
    jti,
    usable_until: new Date(usableUntil),
    subject: (sub as string | undefined) ?? null,
    sid: (sid as string | undefined) ?? null,
  };
}

function refused(reason: string): PeopleError {
  return new PeopleError("refused", reason);
}

function isText(claim: unknown): claim is string {
  return typeof claim === "string" && claim !== "" && claim.length <= MAX_ID_LENGTH;
}

function isObject(claim: unknown): claim is Readonly<Record<string, unknown>> {
  return typeof claim === "object" && claim !== null && !Array.isArray(claim);
}
