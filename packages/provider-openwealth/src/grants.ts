import { ReadInterrupted } from "@org/provider-kit";
import { OpenWealthFailure } from "./bank-requests.js";
import type { Bank } from "./settings.js";
import { clientToken, refreshTokens, type TokenCall, type Tokens } from "./token-endpoint.js";

/** Access to a bank for a read: a bearer token that is renewed when it expires. */
export interface BankGrant {
  /** @throws ReadInterrupted if the bank no longer issues tokens */
  token(): Promise<string>;
  /** A token to replace the one that the bank refused; renewed once for all concurrent callers. */
  tokenAfter(refused: string): Promise<string>;
}

/** A customer's grant, whose refresh token may change with every use. */
export interface CustomerGrant extends BankGrant {
  /** The current tokens. */
  readonly tokens: () => Tokens;
  /** Whether the tokens have changed and must be stored, whatever the outcome of the read. */
  readonly isRenewed: () => boolean;
}

/** A token this close to its expiry is no longer used. */
const RENEW_BEFORE_END_MS = 30_000;

/** The grant of a customer who gave consent. Its refresh token is used once, however many requests wait for it. */
export function customerGrant(bank: Bank, given: Tokens, call: TokenCall): CustomerGrant {
  let tokens = given;
  const renew = sharedCall(async () => {
    const { refresh_token } = tokens;
    // A bank that issues no refresh token needs its customer again when the access token has expired.
    if (refresh_token === null) throw new ReadInterrupted({ refused: "sca_required" });
    const answer = await refreshTokens(bank, { ...tokens, refresh_token }, call);
    if ("refused" in answer) throw new ReadInterrupted({ refused: refusalOf(answer.refused, tokens, call.clock()) });
    tokens = answer.tokens;
    return tokens.access_token;
  });
  return {
    token: async () => (isUsable(tokens, call.clock()) ? tokens.access_token : renew()),
    tokenAfter: async (refused) => (tokens.access_token === refused ? renew() : tokens.access_token),
    tokens: () => tokens,
    isRenewed: () => tokens !== given,
  };
}

/** The client's own tokens, one per bank, cached in memory until they expire. */
export function clientGrants(call: Omit<TokenCall, "signal">): (bank: Bank, signal: AbortSignal) => BankGrant {
  const kept = new Map<string, Tokens>();
  return (bank, signal) => {
    const renew = sharedCall(async () => {
      const answer = await clientToken(bank, { ...call, signal });
      if ("refused" in answer)
        throw new OpenWealthFailure(`the token endpoint of ${bank.id} refuses the client (${answer.refused})`);
      kept.set(bank.id, answer.tokens);
      return answer.tokens.access_token;
    });
    return {
      async token() {
        const tokens = kept.get(bank.id);
        return tokens !== undefined && isUsable(tokens, call.clock()) ? tokens.access_token : renew();
      },
      async tokenAfter(refused) {
        const tokens = kept.get(bank.id);
        return tokens === undefined || tokens.access_token === refused ? renew() : tokens.access_token;
      },
    };
  };
}

/** If the announced end of a refresh token has passed, the consent has expired; otherwise it was withdrawn. */
function refusalOf(code: string, { refresh_ends_at }: Tokens, now: Date) {
  if (code !== "invalid_grant") return "sca_required";
  return refresh_ends_at !== null && refresh_ends_at <= now.getTime() ? "consent_expired" : "rejected";
}

function isUsable({ ends_at }: Tokens, now: Date): boolean {
  return ends_at === null || ends_at - RENEW_BEFORE_END_MS > now.getTime();
}

/** Runs one call at a time; concurrent callers share its result. */
function sharedCall<T>(call: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | null = null;
  return () => {
    underWay ??= call().finally(() => {
      underWay = null;
    });
    return underWay;
  };
}
