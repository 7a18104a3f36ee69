import type { Paged, Reading } from "./reading.js";
import { countIn, decimalIn, documentIn, isObject, listIn, pageIn, refusalIn, sourcesIn, textIn } from "./untrusted.js";

/** The tools of figures that have a view. */
export const figureTools = ["wealth-summary", "wealth-history", "wealth-income"] as const;
export type FigureTool = (typeof figureTools)[number];

/** An amount of one currency; `taxes` and `gross` of income alone, null = unknown. */
export interface Sum {
  readonly currency: string;
  /** A balance, or the net income: an exact decimal. */
  readonly balance: string;
  readonly taxes: string | null;
  readonly gross: string | null;
}

/** A part of a sum, or a day. */
export interface FigureRow {
  /** The key, or the day; null = what has none. */
  readonly id: string | null;
  readonly totals: readonly Sum[];
  /** A fraction of the total. */
  readonly share: string | null;
  /** Portfolios that a day's sum lacks. */
  readonly coverage: { readonly missing: number };
  /** The rate that a day lacks. */
  readonly refused: { readonly from: string; readonly to: string } | null;
}

/** The answer of a tool of figures. */
export interface FigureAnswer extends Paged {
  readonly rows: readonly FigureRow[];
  /** Over all pages; none of a history. */
  readonly totals: readonly Sum[];
  /** The day of a summary. */
  readonly date: string | null;
  readonly portfolios: number;
  readonly missing: number;
  /** Movements without cash. */
  readonly unvalued: number;
}

/** Days and parts come in pages of 100; a drawing of some of them would mislead. */
const OWN_PAGES = 10;

export const figureReading: Reading<FigureAnswer> = {
  readResult(result) {
    if (!isObject(result)) return null;
    const refusal = refusalIn(result);
    return refusal === null ? readAnswer(documentIn(result)) : { refusal: refusal + rateIn(documentIn(result)) };
  },
  isWhole: (_, { rows, total }) => rows.length >= total,
  pageRequest(args, page, _, pageSize) {
    // The names of what is missing are not shown.
    const { include_coverage: __, ...others } = args;
    return { ...others, page, page_size: pageSize };
  },
  unnamedConnections: () => [],
  ownPages: OWN_PAGES,
};

/** The exchange rate that a figure was refused for. */
function rateIn(document: unknown): string {
  const error = isObject(document) && isObject(document.error) ? document.error : {};
  const rate = listIn(error.details).find(({ reason }) => reason === "rate_missing");
  return rate ? ` (${textIn(rate.from)} → ${textIn(rate.to)}, ${textIn(rate.date)})` : "";
}

function readAnswer(document: unknown): FigureAnswer | null {
  if (!isObject(document) || !Array.isArray(document.items) || !Array.isArray(document.sources)) return null;
  const coverage = isObject(document.coverage) ? document.coverage : {};
  return {
    rows: listIn(document.items).map(rowOf),
    ...pageIn(document),
    totals: sumsIn(document.totals),
    date: textIn(document.date),
    portfolios: countIn(coverage.portfolios),
    missing: countIn(coverage.missing),
    unvalued: countIn(document.unvalued),
    ...sourcesIn(document),
    snapshot: null,
  };
}

function rowOf({ key, date, totals, share, coverage, refused }: Record<string, unknown>): FigureRow {
  const [rate] = listIn(refused);
  return {
    id: textIn(date) ?? textIn(key),
    totals: sumsIn(totals),
    share: decimalIn(share),
    coverage: { missing: isObject(coverage) ? countIn(coverage.missing) : 0 },
    refused: rate ? { from: textIn(rate.from) ?? "", to: textIn(rate.to) ?? "" } : null,
  };
}

function sumsIn(totals: unknown): readonly Sum[] {
  return listIn(totals).flatMap(({ currency, balance, net, taxes, gross }) => {
    const amount = decimalIn(balance) ?? decimalIn(net);
    if (typeof currency !== "string" || amount === null) return [];
    return [{ currency, balance: amount, taxes: decimalIn(taxes), gross: decimalIn(gross) }];
  });
}

/** The currencies of an answer, as it has them. */
export function currenciesOf({ totals, rows }: FigureAnswer): readonly string[] {
  return [...new Set([...totals, ...rows.flatMap((row) => row.totals)].map(({ currency }) => currency))];
}

/** A row's amount of one currency, and its length beside the others: 0 to 1. */
export interface Bar {
  readonly row: FigureRow;
  readonly sum: Sum;
  readonly length: number;
}

/** The rows that have an amount of a currency. @param isByTime in the order of time, otherwise the largest first */
export function barsOf(rows: readonly FigureRow[], currency: string, isByTime: boolean): readonly Bar[] {
  const known = rows.flatMap((row) => {
    const sum = row.totals.find((one) => one.currency === currency);
    return sum ? [{ row, sum, size: Math.abs(Number(sum.balance)) }] : [];
  });
  const most = Math.max(...known.map(({ size }) => size), 0);
  const bars = known.map(({ row, sum, size }) => ({ row, sum, length: most === 0 ? 0 : size / most }));
  return isByTime ? bars : bars.sort((a, b) => Number(b.sum.balance) - Number(a.sum.balance));
}
