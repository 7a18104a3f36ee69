import { ACCESS_TOKEN_LINGERS_SECONDS } from "./bearer/ended-grants.js";
import type { SigningKeys } from "./keys/signing-keys.js";
import type { OAuthStore } from "./ports/oauth-store.js";

/** Deletes at most `limit` rows of each kind that are obsolete at `at`. Returns their numbers. */
export async function reapRows(
  store: OAuthStore,
  signingKeys: Pick<SigningKeys, "reap">,
  at: Date,
  limit: number,
): Promise<Readonly<Record<string, number>>> {
  const before = (seconds: number) => new Date(at.getTime() - seconds * 1000);
  return {
    authorization_answers: await store.codes.reapAnswers(before(REPLAY_WATCH_SECONDS), limit),
    remembered_credentials: await store.remembered.reapRemembered(at, limit),
    grants: await store.grants.reapGrants({ at, issuedBefore: before(ACCESS_TOKEN_LINGERS_SECONDS) }, limit),
    clients: await store.clients.reapClients(
      { at, usedBefore: before(IDLE_SECONDS), createdBefore: before(UNUSED_SECONDS) },
      limit,
    ),
    registration_tokens: await store.clients.reapRegistrationTokens(at, limit),
    assertions: await store.clients.reapAssertions(before(CLOCKS_APART_SECONDS), limit),
    guesses: await store.guessLimits.reapFailures(at, limit),
    signing_keys: await signingKeys.reap(),
  };
}

const DAY_SECONDS = 24 * 3600;
/** A server whose clock is slow still accepts an assertion or a proof that has expired here, and must find that it was used. */
const CLOCKS_APART_SECONDS = 60;
/** How long registered clients without a live grant are kept: those that took part in an authorization, and those never used. */
const IDLE_SECONDS = 30 * DAY_SECONDS;
const UNUSED_SECONDS = DAY_SECONDS;
/** How long after a code expired its replay still ends the grant made with it. */
const REPLAY_WATCH_SECONDS = DAY_SECONDS;
