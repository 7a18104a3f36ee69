import { clientGrant, type OAuthCode, type OAuthGrant, oauthCode, type ProviderServices } from "@org/provider-kit";
import { type CustodyApi, custodyApi, type ReadOptions } from "./custody-api.js";
import type { Bank } from "./settings.js";

/** A bank of the settings, with all that calls to it need. */
export interface OpenBank extends Pick<ProviderServices, "clock" | "sleep"> {
  readonly bank: Bank;
  /** The logins and tokens of customers. */
  readonly oauth: OAuthCode;
  /** The tokens of the client itself. */
  readonly clientGrant: (signal: AbortSignal) => OAuthGrant;
  api(grant: OAuthGrant, manner: ReadOptions): CustodyApi;
}

export function openBank(bank: Bank, { http, clock, random, sleep, log }: Omit<ProviderServices, "pace">): OpenBank {
  const client = clientOf(bank);
  const correlationId = () => asUuid(random(16));
  return {
    bank,
    clock,
    sleep,
    oauth: oauthCode(client, { http, clock, random }),
    clientGrant: clientGrant(client, { http, clock }),
    api: (grant, manner) => custodyApi(bank, grant, { http, correlationId, sleep, log, ...manner }),
  };
}

/** We as the client of a bank's authorization server. */
export function clientOf({ auth, headers, tls }: Bank) {
  return { ...auth, headers, tls };
}

/** Formats 16 random bytes as a version 4 UUID (RFC 9562 §5.4). */
function asUuid(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString("hex");
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
