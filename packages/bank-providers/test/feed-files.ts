import { readFileSync } from "node:fs";
import { FeedRefusal, type ReadFeed } from "@org/provider-kit";
import { readFeed } from "../src/feeds.js";

/** A fixture's bytes. */
export function feedFixture(name: string): Buffer {
  return readFileSync(new URL(`fixtures/${name}`, import.meta.url));
}

/** The fixture with texts replaced; each must occur in it. */
export function changed(name: string, ...changes: readonly (readonly [was: string, is: string])[]): Buffer {
  let text = feedFixture(name).toString("latin1");
  for (const [was, is] of changes) {
    if (!text.includes(was)) throw new Error(`${name} does not hold ${was}`);
    text = text.replace(was, is);
  }
  return Buffer.from(text, "latin1");
}

/** The refusal of a file as text, or "not refused". */
export function refusalOfFeed(file: string | Uint8Array): string {
  try {
    readFeed(Buffer.from(file as string));
    return "not refused";
  } catch (error) {
    if (error instanceof FeedRefusal) return error.message;
    throw error;
  }
}

/** Holdings in short form: name, ISIN, units, value, currency, day, type. */
export function holdingsOf({ snapshot }: ReadFeed): string[] {
  return (snapshot.holdings ?? []).map(
    ({ name, isin, amount, balance, currency, valuation_date, type, subtype }) =>
      `${name} | ${isin} | ${amount} | ${balance} ${currency} | ${valuation_date} | ${type}${subtype === null ? "" : `/${subtype}`}`,
  );
}

/** Transactions in short form: day, description, units, value, currency, price. */
export function transactionsOf({ snapshot }: ReadFeed): string[] {
  return (snapshot.transactions ?? []).map(
    ({ operation_date, description, amount, balance, currency, unit_price }) =>
      `${operation_date} | ${description} | ${amount} | ${balance} ${currency} | ${unit_price}`,
  );
}

export function portfoliosOf({ snapshot }: ReadFeed): string[] {
  return (snapshot.portfolios ?? []).map(
    ({ key, name, balance, currency, type }) => `${key} | ${name} | ${balance} ${currency} | ${type}`,
  );
}
