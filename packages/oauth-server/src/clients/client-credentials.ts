import { decodeJwt } from "jose";
import type { Form } from "../http/read-form.js";
import { OAuthError } from "../oauth-error.js";

/** The client id of a request, and the secret or assertion (RFC 7523) that it presented, if any. */
export interface ClientCredentials {
  readonly client_id: string | undefined;
  readonly client_secret: string | undefined;
  readonly client_assertion: string | undefined;
}

/**
 * Reads client credentials from the Authorization header (RFC 6749 §2.3.1) or the form. An assertion alone may identify the
 * client (RFC 7521 §4.2). Throws `invalid_request` for two methods at once, and `invalid_client` for a malformed Basic header
 * or an assertion that is not a JWT.
 */
export function readClientCredentials(authorization: string | undefined, form: Form): ClientCredentials {
  const asserted = form.get("client_assertion") !== undefined || form.get("client_assertion_type") !== undefined;
  const ways = [authorization, form.get("client_secret"), asserted || undefined].filter((way) => way !== undefined);
  if (ways.length > 1) throw new OAuthError("invalid_request", "the client authenticates in more than one way");
  if (asserted) return readAssertion(form);
  if (authorization === undefined)
    return {
      client_id: clientIdOf(form.get("client_id")),
      client_secret: form.get("client_secret"),
      client_assertion: undefined,
    };
  const basic = decodeBasic(authorization);
  if ((form.get("client_id") ?? basic.client_id) !== basic.client_id)
    throw new OAuthError("invalid_request", "client_id differs from the one in the Authorization header");
  return { ...basic, client_id: clientIdOf(basic.client_id), client_assertion: undefined };
}

/** The client that a refused request claimed to be, for the audit trail. */
export function claimedClientId(authorization: string | undefined, form: Form | undefined): string | undefined {
  try {
    return form && readClientCredentials(authorization, form).client_id;
  } catch {
    return clientIdOf(form?.get("client_id"));
  }
}

/**
 * A client id that may be looked up, counted and logged. Secrets and tokens do get sent in its place, and names in parentheses
 * are reserved for this server.
 */
export function clientIdOf<Sent extends string | undefined>(sent: Sent): Sent | typeof NOBODY {
  return sent !== undefined && (!VSCHAR.test(sent) || /^(?:wc[bcrs]_|eyJ|\()/.test(sent)) ? NOBODY : sent;
}

/** Whether a text can be looked up and logged as a client id. */
export function isClientId(text: string): boolean {
  return clientIdOf(text) === text;
}

/** The refusal of a client, the same for every reason. */
export function invalidClient(): OAuthError {
  return new OAuthError("invalid_client", "client authentication failed");
}

function readAssertion(form: Form): ClientCredentials {
  const client_assertion = form.get("client_assertion");
  if (client_assertion === undefined || form.get("client_assertion_type") !== JWT_BEARER) throw invalidClient();
  const client_id = form.get("client_id") ?? subjectOf(client_assertion);
  return { client_id: clientIdOf(client_id), client_secret: undefined, client_assertion };
}

/** The subject of an assertion, unverified; the authentication compares it. */
function subjectOf(assertion: string): string | undefined {
  try {
    const { sub } = decodeJwt(assertion);
    // Unverified: a claim can have any type.
    return typeof sub === "string" ? sub : undefined;
  } catch {
    return undefined;
  }
}

function decodeBasic(authorization: string): { client_id: string; client_secret: string } {
  const encoded = /^basic +([A-Za-z0-9+/_-]+=*)$/i.exec(authorization)?.[1];
  const pair = /^([^:]+):(.+)$/s.exec(Buffer.from(encoded ?? "", "base64").toString("utf8"));
  const client_id = formDecode(pair?.[1]);
  const client_secret = formDecode(pair?.[2]);
  if (client_id === null || client_secret === null) throw invalidClient();
  return { client_id, client_secret };
}

/** RFC 6749 §2.3.1: both halves are form-urlencoded before they are joined. */
function formDecode(text = ""): string | null {
  try {
    const decoded = decodeURIComponent(text.replaceAll("+", " "));
    return VSCHAR.test(decoded) ? decoded : null;
  } catch {
    return null;
  }
}

const NOBODY = "(secret)";
const VSCHAR = /^[\x20-\x7e]{1,2048}$/;
const JWT_BEARER = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
