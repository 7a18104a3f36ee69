import { OpenWealthFailure, ReadInterrupted } from "./read-interrupted.js";
import type { Bank } from "./settings.js";
import { clientToken, refreshTokens, type TokenCall, type Tokens } from "./token-endpoint.js";

/** What lets a read into a bank: a bearer token that is renewed when it ends. */
export interface BankGrant {
  /** @throws Ending when the bank gives no token any more */
  token(): Promise<string>;
  /** Another token than the one that the bank refused; renewed once for all that ask at the same time. */
  tokenAfter(refused: string): Promise<string>;
}

/** A customer's grant, whose refresh token may be a new one after every use. */
export interface CustomerGrant extends BankGrant {
  /** As they are now. */
  readonly tokens: () => Tokens;
  /** Whether the tokens are other ones than at first, and have to be stored whatever comes of the read. */
  readonly isRenewed: () => boolean;
}

/** A token this close to its end is not used any more. */
const RENEW_BEFORE_END_MS = 30_000;

/** The grant of a customer who let us in. Its refresh token is used once however many requests wait for it. */
export function customerGrant(bank: Bank, given: Tokens, call: TokenCall): CustomerGrant {
  let tokens = given;
  const renew = sharedCall(async () => {
    const { refresh_token } = tokens;
    // A bank that gives no refresh token wants its customer back whenever the access token has ended.
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

/** Tokens of the client itself, one for each bank, kept in memory until they end. */
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

/** A refresh token whose announced end has passed stands for a consent that has run out; any other has been withdrawn. */
function refusalOf(code: string, { refresh_ends_at }: Tokens, now: Date) {
  if (code !== "invalid_grant") return "sca_required";
  return refresh_ends_at !== null && refresh_ends_at <= now.getTime() ? "consent_expired" : "rejected";
}

function isUsable({ ends_at }: Tokens, now: Date): boolean {
  return ends_at === null || ends_at - RENEW_BEFORE_END_MS > now.getTime();
}

/** One call under way at a time, whose outcome all get that ask meanwhile. */
function sharedCall<T>(call: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | null = null;
  return () => {
    underWay ??= call().finally(() => {
      underWay = null;
    });
    return underWay;
  };
}
