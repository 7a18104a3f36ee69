import type { OAuthStore } from "@org/oauth-server";
import type { Transactions } from "../transactions.js";
import { applicationQueries } from "./applications.js";
import { codeQueries, rememberedCredentialsQueries } from "./authorizations.js";
import { clientQueries } from "./clients.js";
import { createGrantEndings, type GrantEndings } from "./grant-endings.js";
import { grantQueries } from "./grants.js";
import { guessLimitQueries } from "./guess-limits.js";
import { signingKeyQueries } from "./signing-keys.js";
import { trustedIssuerQueries } from "./trusted-issuers.js";

/** The authorization server's store. Issuing and rotating, needed for every token, are one statement each. */
export function createOAuthStore(given: Transactions, endings: GrantEndings = createGrantEndings()): OAuthStore {
  const transactions = endings.counting(given);
  return {
    applications: applicationQueries(transactions),
    clients: clientQueries(transactions),
    codes: codeQueries(transactions, endings.tell),
    remembered: rememberedCredentialsQueries(transactions),
    grants: grantQueries(transactions, endings),
    guessLimits: guessLimitQueries(transactions),
    signingKeys: signingKeyQueries(transactions),
    trustedIssuers: trustedIssuerQueries(transactions),
  };
}
