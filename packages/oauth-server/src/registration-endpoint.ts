import { REGISTERED_SECRET_PURPOSE } from "./clients/authenticate-oauth-client.js";
import { REGISTERED_PREFIX } from "./clients/client-directory.js";
import { type ClientMetadata, parseClientMetadata } from "./clients/client-metadata.js";
import { createRequestLimit } from "./clients/limits.js";
import type { Endpoint } from "./http/endpoint.js";
import { readJson } from "./http/read-json.js";
import type { KeyedHash } from "./keyed-hash.js";
import type { ClientStore, RegisteredClient } from "./ports/client-store.js";
import type { GuessLimitStore } from "./ports/guess-limit-store.js";
import type { RequestRecorder } from "./token/request-recorder.js";
import type { RandomBytes } from "./uuid-v7.js";

/** What registering needs. */
export interface RegistrationServices {
  readonly clients: Pick<ClientStore, "registerClient">;
  readonly counters: Pick<GuessLimitStore, "recordFailure">;
  readonly hash: KeyedHash;
  readonly random: RandomBytes;
  /** Whether this server fetches keys. */
  readonly allowsJwksUri: boolean;
}

/**
 * `POST /register` (RFC 7591 §3): anybody may register a client, which can do nothing until a person lets it. Sixty requests a
 * minute and network; refusals count too. A secret is shown in the answer and never again.
 */
export function registrationEndpoint(services: RegistrationServices, recorder: RequestRecorder): Endpoint {
  const limit = createRequestLimit(services.counters, {
    name: "(registration)",
    perMinute: PER_MINUTE,
    message: "too many registrations from this network, try again later",
  });
  return {
    async answer(exchange, limits) {
      const { at, address, record } = recorder.begin(exchange);
      await limit({ address, at });
      const rules = { defaultMethod: "client_secret_basic", allowsJwksUri: services.allowsJwksUri } as const;
      const metadata = parseClientMetadata(await readJson(exchange.request, limits), rules);
      const { client, client_secret } = newClient(services, metadata, at);
      await services.clients.registerClient(client);
      record({ action: "client.registered", client_id: client.client_id });
      return { status: 201, body: informationOf(client, metadata, client_secret) };
    },
  };
}

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

/** RFC 7591 §3.2.1: the metadata as it is in effect. What is undefined does not appear in JSON. */
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

const PER_MINUTE = 60;
