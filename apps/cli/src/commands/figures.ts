import { holdingTypeMeanings, sourceSchema } from "@org/core";
import { type Command, Option } from "commander";
import { z } from "zod";
import { wholeNumber, withServer } from "../command-options.js";
import { missingSchema, missingText, sourceText, uncoveredText } from "../missing-data.js";
import { connectToServer, type ServerApi } from "../server-api.js";
import type { ServerFlags } from "../settings.js";
import type { Shell } from "../shell.js";
import { type Cell, counted, details, pageLine, percent, printable, table } from "../table.js";

interface Flags extends ServerFlags {
  readonly json?: true;
  readonly connection?: readonly string[];
}

/** Lines of one kind below a figure. */
const MAX_LINES = 10;

const text = z.string();
const orNull = text.nullable();
const total = z.looseObject({ currency: text, balance: text });
const coverage = z.looseObject({
  portfolios: z.number(),
  missing: z.number(),
  details: z
    .array(z.looseObject({ portfolio_id: orNull, state: text, since: orNull, reason: orNull.optional() }))
    .optional(),
});
const common = { coverage: coverage.optional(), sources: z.array(sourceSchema) };
const paged = { ...common, page: z.number(), pages: z.number(), total: z.number() };
type Common = z.infer<z.ZodObject<typeof common>>;

const historyAnswer = z.looseObject({
  ...paged,
  items: z.array(
    z.looseObject({
      ...{ date: text, totals: z.array(total), complete: z.boolean(), coverage },
      refused: z.array(missingSchema).optional(),
    }),
  ),
});
const holding = z.looseObject({
  ...{ id: text, name: orNull, isin: orNull, balance: orNull, currency: text, portfolio_id: text },
});
const holdingsAnswer = z.looseObject({
  ...paged,
  items: z.array(holding.extend({ amount: orNull, as_of: text })),
});
const summaryAnswer = z.looseObject({
  ...paged,
  ...{ date: text, totals: z.array(total), complete: z.boolean() },
  items: z.array(z.looseObject({ key: orNull, totals: z.array(total), share: orNull })),
});
const dated = z.object({ date: text, balance: text });
const performanceAnswer = z.looseObject({
  ...common,
  ...{ method: text, currency: text, opening: dated, closing: dated, gain: text, return: text, annualised: orNull },
  flows: z.object({ in: text, out: text, count: z.number() }),
  entries: z.array(dated.extend({ portfolio_id: text })),
  return_gross_of_fees: orNull.optional(),
  return_gross_of_fees_and_taxes: orNull.optional(),
  estimated: z.array(z.object({ from: text, to: text, flows: text, large: z.boolean() })),
  gaps: z.array(missingSchema),
});
const incomeTotals = z.array(
  z.looseObject({ currency: text, net: text, taxes: orNull, gross: orNull, count: z.number() }),
);
const incomeAnswer = z.looseObject({
  ...paged,
  items: z.array(z.looseObject({ key: orNull, totals: incomeTotals })),
  ...{ totals: incomeTotals, unvalued: z.number() },
});
const gainsAnswer = z.looseObject({
  ...paged,
  date: text,
  items: z.array(holding.extend({ cost: orNull, gain: orNull, gain_share: orNull })),
  totals: z.array(
    total.extend({ cost: text, gain: text, balance_without_cost: text, holdings_without_cost: z.number() }),
  ),
});

/** `history|holdings-at|summary|performance|income|gains`: the endpoints of the same names (`list-history`) as a tenant. */
export function addFigureCommands(program: Command, shell: Shell): void {
  const ofPeriod = (command: Command) =>
    command
      .requiredOption("--from <day>", "the first day (YYYY-MM-DD)")
      .option("--to <day>", "the last day; today by default");
  const ofDay = (command: Command) => command.option("--date <day>", "at the close of this day; today by default");
  const withPages = (command: Command) =>
    command
      .option("--page <number>", "page to show", wholeNumber(1, 1_000_000), 1)
      .option("--page-size <number>", "rows on a page", wholeNumber(1, 500), 50);
  const divided = (values: readonly string[]) =>
    new Option("--by <key>", "divide the totals by this").choices(values).makeOptionMandatory();

  withPages(ofPeriod(figure("history", "list what portfolios were worth at the close of days, oldest first")))
    .addOption(
      new Option("--interval <interval>", "each day, Sundays or last days of months").choices(["day", "week", "month"]),
    )
    .option("--include-coverage", "with --json: which portfolios are carried or missing on each day")
    .action(
      answer("list-history", historyAnswer, (found) => {
        const rows = found.items.flatMap(({ date, totals, complete, refused = [], coverage: { missing } }) => {
          const lacks = [
            ...refused.map(missingText),
            ...(missing > 0 ? [`${counted(missing, "portfolios")} missing`] : []),
          ].join("; ");
          const shown = totals.length > 0 ? totals : [{ balance: null, currency: null }];
          return shown.map(({ balance, currency }) => [date, balance, currency, complete ? null : lacks]);
        });
        return [table(["date", "total", "currency", "lacks"], rows), pageLine(found, "days")];
      }),
    );

  withPages(
    ofDay(figure("holdings-at", "list holdings as they were at the close of a day, oldest connection first")),
  ).action(
    answer("holdings-at", holdingsAnswer, (found) => {
      const columns = ["id", "name", "isin", "amount", "balance", "currency", "as_of", "portfolio_id"] as const;
      const rows = found.items.map((item) => columns.map((column) => item[column]));
      return [table(columns, rows), pageLine(found, "holdings")];
    }),
  );

  withPages(
    ofDay(figure("summary", "show what portfolios are worth, divided by type, currency, bank, client or security")),
  )
    .addOption(divided(["type", "currency", "bank", "client", "security"]))
    .action(
      answer("summary", summaryAnswer, (found, { by }, names) => {
        const rows = found.items.flatMap(({ key, totals, share }) =>
          totals.map(({ balance, currency }) => [key, ...names.of(key), balance, currency, percent(share)]),
        );
        const totals = found.totals.map(({ balance, currency }) => [balance, currency]);
        return [
          table([String(by), ...names.heading, "balance", by === "currency" ? "in" : "currency", "share"], rows),
          pageLine(found, partsBy[String(by)] ?? "parts"),
          table(["total", "currency"], totals),
          `at the close of ${printable(found.date)}${found.complete ? "" : ", not complete"}`,
        ];
      }),
    );

  ofPeriod(figure("performance", "show what portfolios earned in a period"))
    .addOption(new Option("--method <method>", "time-weighted (default) or money-weighted").choices(["twr", "mwr"]))
    .option("--allow-gaps", "reckon with what is there, and list what is not")
    .action(
      answer("performance", performanceAnswer, (found) => {
        const { opening, closing, flows, gain, currency, method, annualised, entries, estimated, gaps } = found;
        const fields = {
          ...{ method, currency, opening: `${opening.balance} (${opening.date})`, in: flows.in, out: flows.out },
          ...{ closing: `${closing.balance} (${closing.date})`, gain },
          ...{ return: percent(found.return), annualised: percent(annualised) },
          return_gross_of_fees: percent(found.return_gross_of_fees),
          return_gross_of_fees_and_taxes: percent(found.return_gross_of_fees_and_taxes),
        };
        return [
          details(fields),
          ...firstOf(
            entries.map(({ portfolio_id, date, balance }) =>
              printable(`entered: portfolio ${portfolio_id}, ${balance} on ${date}`),
            ),
          ),
          ...estimatedText(estimated).map(printable),
          ...firstOf(gaps.map((gap) => `gap: ${missingText(gap)}`)),
        ];
      }),
    );

  withPages(
    ofPeriod(
      figure("income", "list dividends, interest and coupons, or fees and taxes, of a period, in the order of --by"),
    ),
  )
    .addOption(divided(["month", "year", "security", "kind"]))
    .addOption(
      new Option("--kind <kind...>", "movements of these kinds; dividend, interest and coupon by default").choices([
        "dividend",
        "interest",
        "coupon",
        "fee",
        "tax",
      ]),
    )
    .action(
      answer("income", incomeAnswer, (found, { by }, names) => {
        const rowsOf = (begin: readonly Cell[], totals: z.infer<typeof incomeTotals>) =>
          totals.map(({ currency, net, taxes, gross, count }) => [...begin, net, taxes, gross, currency, count]);
        const columns = ["net", "taxes", "gross", "currency", "count"];
        return [
          table(
            [String(by), ...names.heading, ...columns],
            found.items.flatMap(({ key, totals }) => rowsOf([key, ...names.of(key)], totals)),
          ),
          pageLine(found, partsBy[String(by)] ?? "parts"),
          table(["total", ...columns], rowsOf([null], found.totals)),
          ...(found.unvalued > 0 ? [`without cash, in no sum: ${counted(found.unvalued, "movements")}`] : []),
        ];
      }),
    );

  withPages(ofDay(figure("gains", "list unrealised gains of holdings, without cash, oldest connection first"))).action(
    answer("gains", gainsAnswer, (found) => {
      const columns = ["id", "name", "isin", "balance", "cost", "gain", "gain_share", "currency"] as const;
      const rows = found.items.map((item) =>
        columns.map((column) => (column === "gain_share" ? percent(item.gain_share) : item[column])),
      );
      const sums = ["balance", "cost", "gain", "currency", "balance_without_cost", "holdings_without_cost"] as const;
      return [
        table(columns, rows),
        pageLine(found, "holdings"),
        table(
          sums,
          found.totals.map((one) => sums.map((column) => one[column])),
        ),
      ];
    }),
  );

  function figure(name: string, description: string): Command {
    return withServer(program.command(name))
      .description(description)
      .option("--client-ref <client-ref...>", "of these clients, by your own references")
      .option("--connection <id...>", "of these bank connections; all of the tenant by default")
      .option("--portfolio-id <id...>", "of these portfolios")
      .option("--currency <code>", "convert to this currency (ISO 4217)")
      .option("--stale-after <days>", "how many days a value counts; 7 by default", wholeNumber(0, 400));
  }

  function answer<S extends z.ZodType<Common>>(
    name: string,
    schema: S,
    linesOf: (found: z.output<S>, options: Readonly<Record<string, unknown>>, names: Names) => readonly string[],
  ) {
    return async (options: Flags & Readonly<Record<string, unknown>>): Promise<void> => {
      const server = await connectToServer(shell, options, "tenant");
      const found = await server.call(`/data/v1/${name}`, bodyOf(options), schema);
      if (options.json) return shell.print(JSON.stringify(found, null, 2));
      for (const lines of linesOf(found, options, await namesOf(server, options))) shell.print(lines);
      noteLacks(found);
    };
  }

  /** What is not up to date, or not there at all. */
  function noteLacks({ coverage: covered, sources }: Common): void {
    for (const portfolio of covered?.details ?? [])
      if (portfolio.state === "missing") shell.note(uncoveredText(portfolio));
    for (const source of sources) if (source.state !== "ok") shell.note(sourceText(source));
  }
}

/** Names of keys that say little by themselves. */
interface Names {
  /** The heading of their column; empty: keys need no names. */
  readonly heading: readonly string[];
  readonly of: (key: string | null) => readonly Cell[];
}

/** Meanings of types; of securities what they are called at the close of the figure's last day, of the first 500 holdings. */
async function namesOf(
  server: ServerApi,
  { by, page, pageSize, kind, from, to, date = to, currency, ...of }: Flags & Readonly<Record<string, unknown>>,
): Promise<Names> {
  if (by !== "type" && by !== "security") return { heading: [], of: () => [] };
  const names = new Map<string, string | null>(Object.entries(holdingTypeMeanings));
  if (by === "security") {
    const { items } = await server.call("/data/v1/holdings-at", bodyOf({ ...of, date, pageSize: 500 }), holdingsAnswer);
    for (const { id, isin, name } of items) names.set(isin ?? id, name);
  }
  return { heading: ["name"], of: (key) => [key === null ? null : names.get(key)] };
}

/** What a figure is divided into. */
const partsBy: Readonly<Record<string, string>> = {
  ...{ type: "types", currency: "currencies", bank: "banks", client: "clients", security: "securities" },
  ...{ month: "months", year: "years", kind: "kinds" },
};

/** Further lines are counted. */
function firstOf(lines: readonly string[]): readonly string[] {
  const more = lines.length - MAX_LINES;
  return more > 1 ? [...lines.slice(0, MAX_LINES), `and ${more} more: --json has all`] : lines;
}

/** A return is estimated wherever money moved between two valuations, for an active account in most weeks. */
function estimatedText(estimated: z.infer<typeof performanceAnswer>["estimated"]): readonly string[] {
  const [first, last] = [estimated[0], estimated.at(-1)];
  if (!first || !last) return [];
  const large = estimated.filter((one) => one.large).length;
  const said = ({ from, to, flows }: typeof first) => `${flows} from ${from} to ${to}`;
  if (first === last) return [`estimated: money moved between valuations: ${said(first)}${large ? " (large)" : ""}`];
  return [
    `estimated: money moved between valuations ${estimated.length} times, ${large} of them large: first ${said(first)}, last ${said(last)}; --json has all`,
  ];
}

/** The request: the options by the names of the endpoint's parameters. */
function bodyOf(options: Flags & Readonly<Record<string, unknown>>): object {
  const { json, url, clientId, clientSecret, timeout, connection, ...parameters } = options;
  const named = Object.entries(parameters).map(([name, value]) => [
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ]);
  return { ...Object.fromEntries(named), credentials_token: connection };
}
