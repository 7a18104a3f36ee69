import type { TrustedIssuer, TrustedIssuerStore } from "../ports/trusted-issuer-store.js";

/** Recently read trusted issuers. The store checks again, when it issues a grant, that the trust is still in force. */
export interface KnownIssuers {
  find(issuer: string): Promise<TrustedIssuer | null>;
  /** Whether any issuer is trusted. */
  isAnyTrusted(): Promise<boolean>;
  /**
   * The same for public documents, which must not wait for the database: returns the last known value and reloads in the
   * background.
   */
  wasAnyTrusted(): Promise<boolean>;
  forget(): void;
}

/** Creates the cache. There are few issuers: all are read together, at most every two seconds. */
export function createKnownIssuers(
  store: Pick<TrustedIssuerStore, "listTrustedIssuers">,
  clock: () => Date,
): KnownIssuers {
  let known: { readonly issuers: ReadonlyMap<string, TrustedIssuer>; readonly readAt: number } | null = null;
  let reading: Promise<ReadonlyMap<string, TrustedIssuer>> | undefined;
  const read = async () => {
    const readAt = clock().getTime();
    const issuers = new Map((await store.listTrustedIssuers()).map((trusted) => [trusted.issuer, trusted]));
    known = { issuers, readAt };
    return issuers;
  };
  const current = () => {
    // A clock that was set back must not make old data look fresh.
    if (known && Math.abs(clock().getTime() - known.readAt) < MAX_AGE_SECONDS * 1000) return known.issuers;
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };
  return {
    find: async (issuer) => (await current()).get(issuer) ?? null,
    isAnyTrusted: async () => (await current()).size > 0,
    async wasAnyTrusted() {
      const looking = (async () => (await current()).size > 0)().catch(() => false);
      return known === null ? looking : known.issuers.size > 0;
    },
    forget() {
      known = null;
    },
  };
}

const MAX_AGE_SECONDS = 2;
