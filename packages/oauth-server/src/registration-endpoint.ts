import { networkOf } from "@org/http";
import { REGISTERED_SECRET_PURPOSE } from "./clients/authenticate-oauth-client.js";
import { REGISTERED_PREFIX } from "./clients/client-directory.js";
import { type ClientMetadata, parseClientMetadata } from "./clients/client-metadata.js";
import { createRequestLimit, type GuessLimits, type RequestWindow } from "./clients/limits.js";
import type { LookupCaller } from "./clients/oauth-client.js";
import type { OAuthEndpoint } from "./http/endpoint.js";
import { readJson } from "./http/read-json.js";
import type { KeyedHash } from "./keyed-hash.js";
import { OAuthError } from "./oauth-error.js";
import type { ClientStore, RegisteredClient, RegistrationTokenStore } from "./ports/client-store.js";
import type { GuessLimitStore } from "./ports/guess-limit-store.js";
import type { RequestRecorder } from "./token/request-recorder.js";
import type { RandomBytes } from "./uuid.js";

/** Who may register a client: anyone, bearers of an initial access token (RFC 7591 §3), or nobody. */
export type RegistrationMode = "open" | "token" | "off";

/** Dependencies of the registration. */
export interface RegistrationServices {
  readonly mode: RegistrationMode;
  readonly clients: Pick<ClientStore, "registerClient"> & Pick<RegistrationTokenStore, "findRegistrationToken">;
  readonly guessLimits: GuessLimits;
  readonly counters: Pick<GuessLimitStore, "count">;
  readonly hash: KeyedHash;
  readonly random: RandomBytes;
  /** Whether this server fetches keys. */
  readonly allowsJwksUri: boolean;
}

/**
 * `POST /register` (RFC 7591 §3). By default anyone may register a client, which has no access until a person allows it.
 * Requests are limited per network and in total; invalid ones count too. A secret is returned only in this answer.
 */
export function registrationEndpoint(services: RegistrationServices, recorder: RequestRecorder): OAuthEndpoint {
  const limit = createRequestLimit(services.counters, {
    name: "(registration)",
    windows: REGISTRATIONS,
    what: "registrations",
  });
  return {
    async answer(exchange, limits) {
      const { at, address, record } = recorder.begin(exchange);
      if (services.mode === "off")
        throw new OAuthError("access_denied", "this server registers no clients; its operator makes applications");
      const token_id =
        services.mode === "token"
          ? await requireToken(services, exchange.request.headers.authorization, { address, at })
          : null;
      await limit({ address, at });
      const rules = { defaultMethod: "client_secret_basic", allowsJwksUri: services.allowsJwksUri } as const;
      const metadata = parseClientMetadata(await readJson(exchange.request, limits), rules);
      const { client, client_secret } = newClient(services, metadata, at);
      await services.clients.registerClient(client, networkOf(address));
      record({ action: "client.registered", client_id: client.client_id, detail: token_id });
      return { status: 201, body: informationOf(client, metadata, client_secret) };
    },
  };
}

/** Returns the id of the token. Throws `invalid_token` (RFC 6750 §3.1), or `temporarily_unavailable` after too many wrong ones. */
async function requireToken(
  { clients, guessLimits, hash }: RegistrationServices,
  authorization: string | undefined,
  from: LookupCaller,
): Promise<string> {
  const token = /^bearer +(\S{1,200})$/i.exec(authorization ?? "")?.[1];
  const hashes = token === undefined ? [] : hash.candidates(REGISTRATION_TOKEN_PURPOSE, token);
  const found =
    token === undefined ? null : await clients.findRegistrationToken(hashes, from.at, networkOf(from.address));
  if (found) return found.token_id;
  if (token !== undefined) await guessLimits.countFailure("(registration token)", from);
  throw new OAuthError("invalid_token", "registering here needs an initial access token of the operator");
}

/** Prefix of initial access tokens. */
export const REGISTRATION_TOKEN_PREFIX = "wci_";
/** Purpose of the hashes of initial access tokens. */
export const REGISTRATION_TOKEN_PURPOSE = "registration-token";

function newClient({ hash, random }: RegistrationServices, metadata: ClientMetadata, at: Date) {
  const { client_name, redirect_uris, token_endpoint_auth_method, jwks, jwks_uri, ...rest } = metadata;
  const hasSecret = token_endpoint_auth_method.startsWith("client_secret_");
  const client_secret = hasSecret ? `wcs_${base64url(random(32))}` : undefined;
  const client: RegisteredClient = {
    client_id: `${REGISTERED_PREFIX}${base64url(random(16))}`,
    client_name: client_name ?? null,
    redirect_uris,
    token_endpoint_auth_method,
    secret_hash: client_secret === undefined ? null : hash.hash(REGISTERED_SECRET_PURPOSE, client_secret),
    jwks: jwks ?? null,
    jwks_uri: jwks_uri ?? null,
    metadata: rest,
    created_at: at,
    last_used_at: at,
  };
  return { client, client_secret };
}

/** RFC 7591 §3.2.1: the effective metadata. JSON omits undefined members. */
function informationOf(client: RegisteredClient, metadata: ClientMetadata, client_secret: string | undefined): object {
  return {
    client_id: client.client_id,
    client_id_issued_at: Math.floor(client.created_at.getTime() / 1000),
    ...(client_secret === undefined ? {} : { client_secret, client_secret_expires_at: 0 }),
    ...metadata,
  };
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}

/**
 * Limits for a network (/24, /64), for the wider ones around it (/16; /56, /48), and in total: enough for an office behind one
 * address, and too few for anyone to fill the store or use up the total. A /48 contains 256 /56 networks, so the limit per day
 * is the same for both.
 */
const REGISTRATIONS: readonly RequestWindow[] = [
  { limit: "registrations_per_minute", seconds: 60, perNetwork: [60, 120, 240], inAll: 1_200 },
  { limit: "registrations_per_day", seconds: 24 * 3600, perNetwork: [1_000, 2_000, 2_000], inAll: 20_000 },
];
