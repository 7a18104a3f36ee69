import { FeedRefusal } from "@org/provider-kit";
import { auditEntry } from "../audit-entry.js";
import { CoreError, invalid, invalidValue } from "../errors.js";
import { createEventLoopYielder, waitOf } from "../event-loop-yielder.js";
import { createPager } from "../pager.js";
import type { Actor } from "../ports/actor.js";
import type { Runtime } from "../ports/runtime.js";
import { type Page, toPage } from "../schemas/paging.js";
import type { ExchangeRate, RateDay, RateStore } from "./rate-store.js";

/** The maximum size of a file of exchange rates: twice that of the European Central Bank's history since 1999 as XML. */
export const MAX_RATE_FILE_BYTES = 16 * 1024 * 1024;
/** Rates of one file, or of all files in one archive. */
const MAX_RATES = 1_000_000;
const DAYS_ON_A_PAGE = 50;

/** Exchange rates of the installation. */
export interface ExchangeRates {
  /**
   * Stores the rates of a file, all or none. Of several with the same date, base and quote the last counts.
   * @param file `name` becomes their source
   * @throws CoreError VALIDATION_ERROR naming the line and the field; TOO_LARGE above a million rates
   */
  importFile(actor: Actor, file: RateFile): Promise<RateImport>;
  /** Newest day first, then by base and quote. */
  list(query: { date: string | null; page: number; page_size: number }): Promise<Page<ExchangeRate>>;
  /** Days with rates, newest first, each with the one before it. @throws CoreError VALIDATION_ERROR on `page_token` */
  listDays(pageToken: string | null): Promise<{
    items: readonly (RateDay & { readonly previous_date: string | null })[];
    next_page_token: string | null;
  }>;
}

/** What an import came to: rates stored, those of them that were there before, and the first and last of their days. */
export interface RateImport {
  readonly rows: number;
  readonly replaced: number;
  readonly first_date: string;
  readonly last_date: string;
}

/** A file of exchange rates. */
export interface RateFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** @param deps.read reads a file, rate by rate. It and what it returns throw FeedRefusal. */
export function createExchangeRates({
  store,
  runtime,
  read,
}: {
  store: RateStore;
  runtime: Pick<Runtime, "clock" | "newId" | "mac" | "loop">;
  read: (file: RateFile, now: Date) => Promise<Iterable<Omit<ExchangeRate, "source">>>;
}): ExchangeRates {
  const page = createPager(runtime.mac);
  return {
    async importFile(actor, file) {
      const rates = await ratesIn(file).catch((error: unknown) => {
        if (!(error instanceof FeedRefusal)) throw error;
        throw invalid(invalidValue(error.place, error.reason));
      });
      let [first_date, last_date] = [rates[0]?.date ?? "", ""];
      for (const { date } of rates) {
        if (date < first_date) first_date = date;
        if (date > last_date) last_date = date;
      }
      const facts = { name: file.name, rows: rates.length, first_date, last_date };
      const entry = auditEntry(runtime, actor, "rates.import", "rates", file.name, facts);
      return { rows: rates.length, replaced: await store.importAll(rates, file.name, entry), first_date, last_date };
    },
    async list({ date, page: number, page_size }) {
      const { rates, total } = await store.list({ date, offset: (number - 1) * page_size, limit: page_size });
      return toPage(rates, total, number, page_size);
    },
    async listDays(token) {
      const found = await page({
        query: "rate days",
        token,
        size: DAYS_ON_A_PAGE,
        async rows(before: string | null, limit) {
          const days = await store.days({ before, limit: limit + 1 });
          return days.slice(0, limit).map((day, index) => ({ ...day, previous_date: days[index + 1]?.date ?? null }));
        },
        keyOf: ({ date }) => date,
        readKey: (date) => date,
      });
      return { items: found.rows, next_page_token: found.next_page_token };
    },
  };
  async function ratesIn(file: RateFile) {
    const pace = createEventLoopYielder(waitOf(runtime.loop, null));
    const rates = new Map<string, Omit<ExchangeRate, "source">>();
    for (const rate of await read(file, runtime.clock())) {
      rates.set(`${rate.date} ${rate.base} ${rate.quote}`, rate);
      if (rates.size > MAX_RATES) throw new CoreError("TOO_LARGE", `a file has at most ${MAX_RATES} rates`);
      if (pace.isDue()) await pace.turn();
    }
    return [...rates.values()];
  }
}
