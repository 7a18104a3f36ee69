import type { TrustedIssuer, TrustedIssuerStore } from "../ports/trusted-issuer-store.js";

/** Trusted issuers as they were read lately. Whether a trust still stands the store looks at again when it issues. */
export interface KnownIssuers {
  find(issuer: string): Promise<TrustedIssuer | null>;
  /** Whether any issuer is trusted. */
  isAnyTrusted(): Promise<boolean>;
  /** The same for public documents, which no outage may hold up: as it was known last, and it looks again meanwhile. */
  wasAnyTrusted(): Promise<boolean>;
  forget(): void;
}

/** There are few of them: all are read together, at most once in two seconds. */
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
    // A clock that was set back must not make what is known look young.
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
