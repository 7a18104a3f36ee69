import type { Transactions } from "../transactions.js";

/** Counts what this process does that may end grants, so that it refuses their access tokens at once. */
export interface GrantEndings {
  count(): number;
  /** Something may have ended grants. */
  tell(): void;
  /** Transactions each of which may end grants, also one whose commit is in doubt; but for those that read which have ended. */
  counting(transactions: Transactions): Transactions;
}

export function createGrantEndings(): GrantEndings {
  let count = 0;
  const tell = () => {
    count += 1;
  };
  return {
    count: () => count,
    tell,
    counting: (transactions) => ({
      ...transactions,
      asTenant: (tenantId, work, network) => transactions.asTenant(tenantId, work, network).finally(tell),
      asUpkeep: (work, ...use) => transactions.asUpkeep(work, ...use).finally(tell),
      asAuth: (work, key) => {
        const working = transactions.asAuth(work, key);
        return key === "feeds" ? working : working.finally(tell);
      },
    }),
  };
}
