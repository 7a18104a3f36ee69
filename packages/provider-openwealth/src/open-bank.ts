import { clientGrant, type OAuthCode, type OAuthGrant, oauthCode, type ProviderServices } from "@org/provider-kit";
import { type CustodyApi, type CustodyCredentials, custodyApi, type ReadOptions } from "./custody-api.js";
import type { Bank } from "./settings.js";

/** A bank of the settings, with all that calls to it need. */
export interface OpenBank extends Pick<ProviderServices, "clock" | "sleep" | "log"> {
  readonly bank: Bank;
  /** The logins and tokens of customers; null if the bank has none. */
  readonly oauth: OAuthCode | null;
  /** The tokens of the client itself; null if its certificate is enough. */
  readonly clientGrant: (signal: AbortSignal) => OAuthGrant | null;
  api(credentials: CustodyCredentials, manner: ReadOptions): CustodyApi;
}

export function openBank(bank: Bank, { http, clock, random, sleep, log }: Omit<ProviderServices, "pace">): OpenBank {
  const client = clientOf(bank);
  const correlationId = () => asUuid(random(16));
  return {
    bank,
    clock,
    sleep,
    log,
    oauth: client?.type === "authorization_code" ? oauthCode(client, { http, clock, random }) : null,
    clientGrant: client?.type === "client_credentials" ? clientGrant(client, { http, clock }) : () => null,
    api: (credentials, manner) => custodyApi(bank, credentials, { http, correlationId, sleep, log, ...manner }),
  };
}

/** We as the client of a bank's authorization server; null if our certificate is enough. */
export function clientOf({ auth, headers, tls }: Bank) {
  return auth.type === "certificate" ? null : { ...auth, headers, tls };
}

/** Formats 16 random bytes as a version 4 UUID (RFC 9562 §5.4). */
function asUuid(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString("hex");
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
