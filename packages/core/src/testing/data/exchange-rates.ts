import type { ExchangeRate, RateDay, RateFetch, RateStore } from "../../data/rate-store.js";
import type { AuditEntry } from "../../ports/audit-log.js";

/** A {@link RateStore} in memory. */
export function memoryExchangeRates(keepEntry: (entry: AuditEntry) => Promise<void>): RateStore {
  const rates = new Map<string, ExchangeRate>();
  const fetches = new Map<string, RateFetch & { readonly due_at: Date }>();
  const keyOf = ({ date, base, quote }: Pick<ExchangeRate, "date" | "base" | "quote">) => `${date} ${base} ${quote}`;
  const inOrder = () => [...rates.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const newestFirst = () => inOrder().sort((a, b) => (a.date === b.date ? 0 : a.date < b.date ? 1 : -1));
  return {
    async importAll(added, source, entry) {
      const replaced = added.filter((rate) => rates.has(keyOf(rate))).length;
      for (const rate of added) rates.set(keyOf(rate), { ...rate, source });
      await keepEntry({ ...entry, facts: { ...entry.facts, replaced } });
      return replaced;
    },
    async list({ date, offset, limit }) {
      const found = newestFirst().filter((rate) => date === null || rate.date === date);
      return { rates: found.slice(offset, offset + limit), total: found.length };
    },
    async days({ before, limit }) {
      const days = new Map<string, Map<string, number>>();
      for (const { date, source } of newestFirst()) {
        if (before !== null && date >= before) continue;
        const sources = days.get(date) ?? new Map<string, number>();
        days.set(date, sources.set(source, (sources.get(source) ?? 0) + 1));
      }
      return [...days].slice(0, limit).map(
        ([date, sources]): RateDay => ({
          date,
          sources: [...sources]
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([source, count]) => ({ source, rates: count })),
        }),
      );
    },
    between: async (first, last) => inOrder().filter(({ date }) => first <= date && date <= last),
    async claimFetch(service, now, leaseUntil) {
      const { due_at, ...known } = fetches.get(service) ?? { due_at: now, succeeded_at: null, failures: 0 };
      if (due_at > now) return null;
      fetches.set(service, { ...known, due_at: leaseUntil });
      return known;
    },
    async endFetch(service, ended) {
      fetches.set(service, ended);
    },
  };
}
