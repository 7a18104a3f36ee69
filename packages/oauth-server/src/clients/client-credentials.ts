import type { Form } from "../http/read-form.js";
import { OAuthError } from "../oauth-error.js";

/** How a request names its client, and the secret that it showed, if any. */
export interface ClientCredentials {
  readonly client_id: string | undefined;
  readonly client_secret: string | undefined;
}

/**
 * Reads client credentials from the Authorization header (RFC 6749 §2.3.1) or the form. Throws `invalid_request` for two ways
 * at once, `invalid_client` for a header that is no well-formed Basic.
 */
export function readClientCredentials(authorization: string | undefined, form: Form): ClientCredentials {
  const asserted = form.get("client_assertion") !== undefined || form.get("client_assertion_type") !== undefined;
  const ways = [authorization, form.get("client_secret"), asserted || undefined].filter((way) => way !== undefined);
  if (ways.length > 1) throw new OAuthError("invalid_request", "the client authenticates in more than one way");
  if (asserted) throw invalidClient();
  if (authorization === undefined)
    return { client_id: clientIdOf(form.get("client_id")), client_secret: form.get("client_secret") };
  const basic = decodeBasic(authorization);
  if ((form.get("client_id") ?? basic.client_id) !== basic.client_id)
    throw new OAuthError("invalid_request", "client_id differs from the one in the Authorization header");
  return { ...basic, client_id: clientIdOf(basic.client_id) };
}

/** The client that a refused request claimed to be, for the record. */
export function claimedClientId(authorization: string | undefined, form: Form | undefined): string | undefined {
  try {
    return form && readClientCredentials(authorization, form).client_id;
  } catch {
    return clientIdOf(form?.get("client_id"));
  }
}

/** A client id that may be looked up, counted and written down: secrets and tokens do turn up in its place. */
function clientIdOf(sent: string | undefined): string | undefined {
  return sent !== undefined && /^wc[rs]_/.test(sent) ? NOBODY : sent;
}

/** The refusal of a client: one and the same, whatever the reason. */
export function invalidClient(): OAuthError {
  return new OAuthError("invalid_client", "client authentication failed");
}

function decodeBasic(authorization: string): { client_id: string; client_secret: string } {
  const encoded = /^basic +([A-Za-z0-9+/_-]+=*)$/i.exec(authorization)?.[1];
  const pair = /^([^:]+):(.+)$/s.exec(Buffer.from(encoded ?? "", "base64").toString("utf8"));
  const client_id = formDecode(pair?.[1]);
  const client_secret = formDecode(pair?.[2]);
  if (client_id === null || client_secret === null) throw invalidClient();
  return { client_id, client_secret };
}

/** Both halves are form-urlencoded before they are joined. */
function formDecode(text = ""): string | null {
  try {
    const decoded = decodeURIComponent(text.replaceAll("+", " "));
    return /^[\x20-\x7e]{1,2048}$/.test(decoded) ? decoded : null;
  } catch {
    return null;
  }
}

const NOBODY = "(secret)";
