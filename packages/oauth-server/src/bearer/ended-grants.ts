import type { MaybePromise } from "@org/http";
import { ACCESS_TOKEN_SECONDS } from "../keys/key-source.js";
import type { EndedGrantFeed } from "../ports/grant-store.js";

const NO_LIMITS: readonly string[] = [];

/** Grants that have ended while their access tokens may still be valid, and what tokens do not say of the others. */
export interface EndedGrants {
  /**
   * Returns nothing while the data is at most two seconds old and has what this process has ended, else a promise that it is so. It rejects
   * when the store cannot be read.
   */
  refresh(): MaybePromise<void>;
  has(grantId: string): boolean;
  /**
   * The ids of the applications whose limits to clients bind a token: that of the application it is for, and of the one that holds it, where a
   * person has let an application have access.
   */
  limitsOn(subject: string, clientId: string): readonly string[];
}

/**
 * Follows the feed of a store. It reads on use and at most every two seconds, whatever the load. So a token is refused within
 * five seconds on every replica, and at once where it was revoked, without a read per request, and no timer keeps a process alive.
 */
export function createEndedGrants(feed: EndedGrantFeed, clock: () => Date): EndedGrants {
  const ended = new Map<string, number>();
  /** The ids of limited applications, by that id and by their client id. */
  let limited: ReadonlyMap<string, string> = new Map();
  let cursor: string | null = null;
  let readAt = Number.NEGATIVE_INFINITY;
  let forgottenAt = Number.NEGATIVE_INFINITY;
  let endings = feed.endings();
  let reading: { readonly done: Promise<void>; readonly endings: number } | undefined;

  const read = async () => {
    const now = clock().getTime();
    const before = feed.endings();
    const oldest = now - ACCESS_TOKEN_LINGERS_SECONDS * 1000;
    const news = await feed.endedGrants(cursor, new Date(oldest));
    for (const grant of news.ended) ended.set(grant.grant_id, grant.last_issued_at.getTime());
    if (Math.abs(now - forgottenAt) >= FORGET_SECONDS * 1000) {
      for (const [grantId, lastIssuedAt] of ended) if (lastIssuedAt <= oldest) ended.delete(grantId);
      forgottenAt = now;
    }
    limited = new Map(
      news.limited.flatMap(({ application_id, client_id }) => [
        [application_id, application_id],
        [client_id, application_id],
      ]),
    );
    cursor = news.cursor;
    readAt = now;
    endings = before;
  };
  const begin = () => {
    const done = read().finally(() => {
      reading = undefined;
    });
    return { done, endings: feed.endings() };
  };
  return {
    refresh() {
      // A clock that was set back must not make old data look fresh.
      const isFresh = feed.endings() === endings && Math.abs(clock().getTime() - readAt) < MAX_AGE_SECONDS * 1000;
      return isFresh ? undefined : readAgain();
    },
    has: (grantId) => ended.has(grantId),
    limitsOn(subject, clientId) {
      if (limited.size === 0) return NO_LIMITS;
      const ids = new Set([limited.get(subject), limited.get(clientId)]);
      return [...ids].filter((id) => id !== undefined);
    },
  };

  async function readAgain(): Promise<void> {
    const ofNow = feed.endings();
    // One that began before the latest ending may not have it.
    while (reading !== undefined && reading.endings < ofNow) await reading.done.catch(() => undefined);
    reading ??= begin();
    await reading.done;
  }
}

/** How long after its issue a token may be accepted somewhere: its lifetime, the leeway, and clock skew. */
export const ACCESS_TOKEN_LINGERS_SECONDS = ACCESS_TOKEN_SECONDS + 65;

const MAX_AGE_SECONDS = 2;
/** How often expired ones are looked for among all: there may be 50,000 of each tenant. */
const FORGET_SECONDS = 60;
