// Figures computed by a second reader. It was written in another language from the formats' documentation alone (SWIFT's field specifications,
// ISO 20022's message definitions, OFX 2.2), by an author who had not read the parsers here. Differences were settled by the documentation, in
// either direction. Figures of files that users reported (`reports/`) were read off the files by eye.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { FeedRefusal } from "@org/provider-kit";
import { describe, expect, it } from "vitest";
import { readFeed } from "../src/feeds.js";
import { feedFixture } from "./feed-files.js";

const samples = process.env.SAMPLES_DIR ?? fileURLToPath(new URL("../../../../shared/samples", import.meta.url));

/** The contents of a file about one account. Rows are "isin units value currency" and "day units cash currency"; "-" means none. */
interface Account {
  readonly account: string;
  readonly currency: string | null;
  /** Also null if only movements are stated. */
  readonly balance: string | null;
  readonly unknown: boolean;
  readonly holdings: readonly string[];
  readonly movements: readonly string[];
}
type Expected = { readonly accounts: readonly Account[] } | { readonly refused: true } | { readonly waits: true };

const read = <T>(name: string): Readonly<Record<string, T>> => JSON.parse(feedFixture(name).toString());
const dialects = read<Expected & { readonly text: string }>("dialects.json");
const figures = read<Expected>("sample-figures.json");

describe("files as banks' guides show them", () => {
  it.each(Object.entries(dialects))("%s", (_, { text, ...expected }) => {
    expect(readingOf(Buffer.from(text, "latin1"), expected)).toEqual(expected);
  });
});

describe("files cut at every byte", () => {
  /** The shortest readable file of each kind. */
  const shortest = new Map<string, [name: string, text: string]>();
  for (const [name, { text, ...expected }] of Object.entries(dialects)) {
    const kind = name.split("/")[0] as string;
    if ("accounts" in expected && text.length < (shortest.get(kind)?.[1].length ?? 4_000))
      shortest.set(kind, [name, text]);
  }
  it.each([...shortest.values()])(
    "%s: is refused, waits, or has no figure that the whole file does not have",
    (_, text) => {
      const file = Buffer.from(text, "latin1");
      const whole = readingOf(file, { accounts: [] }) as { accounts: readonly Account[] };
      for (let end = 1; end < file.length; end += 1) {
        const cut = readingOf(file.subarray(0, end), { accounts: [] });
        const odd = ("accounts" in cut ? cut.accounts : []).filter(
          ({ account, balance, holdings, movements }) =>
            !whole.accounts.some(
              (each) =>
                each.account === account &&
                (balance === null || balance === each.balance) &&
                holdings.every((row) => each.holdings.includes(row)) &&
                movements.every((row) => each.movements.includes(row)),
            ),
        );
        expect(odd, `cut after ${JSON.stringify(text.slice(Math.max(0, end - 30), end))}`).toEqual([]);
      }
    },
  );
});

describe.skipIf(!existsSync(samples))(`samples${existsSync(samples) ? "" : ` (no folder ${samples})`}`, () => {
  it("figures are of all of them; those of CSV are with the shipped mappings", () => {
    const names = (readdirSync(samples, { recursive: true }) as string[]).filter(
      (name) => /\.\w+$/.test(name) && !/\.(?:md|tsv|csv|ndjson)$/.test(name),
    );
    expect(Object.keys(figures).sort()).toEqual(names.sort());
  });

  it.each(Object.entries(figures))("%s", (name, expected) => {
    expect(readingOf(readFileSync(`${samples}/${name}`), expected)).toEqual(expected);
  });
});

/** Our reader's result for a file. A currency that the second reader leaves open (an account without money) is left open here too. */
function readingOf(file: Uint8Array, expected: Expected): Expected {
  try {
    const { snapshot, pages = [] } = readFeed(file);
    if (snapshot.portfolios?.length === 0 && pages.length > 0) return { waits: true };
    const known = "accounts" in expected ? expected.accounts : [];
    const accounts = (snapshot.portfolios ?? []).map((portfolio): Account => {
      const { key, ref_account, currency, holdings_unknown: unknown = false } = portfolio;
      const of = <Row extends { portfolio_key: string }>(rows: readonly Row[] | null) =>
        (rows ?? []).filter((row) => row.portfolio_key === key);
      const isOpen = known.some((each) => each.account === ref_account && each.currency === null);
      return {
        account: ref_account ?? key,
        currency: isOpen ? null : currency,
        balance: unknown ? null : plain(portfolio.balance),
        unknown,
        holdings: of(snapshot.holdings)
          .map((row) => rowOf(row.isin, plain(row.amount), money(row)))
          .sort(),
        movements: of(snapshot.transactions)
          .map((row) => rowOf(row.operation_date, plain(row.amount), money(row)))
          .sort(),
      };
    });
    const inOrder = known.map(({ account, currency }) =>
      accounts.find((each) => each.account === account && each.currency === currency),
    );
    return {
      accounts: [
        ...inOrder.filter((each) => each !== undefined),
        ...accounts.filter((each) => !inOrder.includes(each)),
      ],
    };
  } catch (error) {
    if (!(error instanceof FeedRefusal)) throw error;
    return { refused: true };
  }
}

function rowOf(...values: readonly (string | null)[]): string {
  return values.map((value) => value ?? "-").join(" ");
}

function money({ balance, currency }: { balance: string | null; currency: string }): string {
  return balance === null ? "- -" : `${plain(balance)} ${currency}`;
}

/** A decimal without insignificant zeros. */
function plain(decimal: string | null): string | null {
  const short = decimal?.includes(".") ? decimal.replace(/\.?0+$/, "") : decimal;
  return short ?? null;
}
