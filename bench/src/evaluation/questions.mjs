import { CONNECTOR, decimal } from "./seeded-tenant.mjs";

/**
 * The questions. `asks` is the meaning of a question: a subject, conditions, and what is wanted. It names no tool and no parameter. `answer` computes
 * the right answer from the seed alone.
 *
 *   subject   what it is about, in a person's words
 *   where     conditions on the rows; `of` has conditions on what the rows belong to
 *   afterwards  first takes the next action that the answer names, then looks at this
 *   each      asks the question for each row of another subject
 *   want      count, sums (by currency), rows, largest, smallest, first, states (of the banks read) or object
 *   pick      the fields of a row that make up the answer
 */
export function questionsOn(seed) {
  const { connections, portfolios, holdings, transactions, catalogue } = seed;
  const bank = (name) => ({ subject: "bank connections", where: { bank: name } });
  const at = (name) => (row) => row.connection.name.includes(name);
  const idOf = (name) => connections.find((one) => one.name === name).id;
  const some = (index) => holdings[index];
  const unknown = "0192a5c0-7d4e-7c3b-9f10-2b6f0c8a4eff";

  return [
    // Balances
    q("How much do I have, by currency?", { subject: "portfolio accounts", want: "sums" }, () => sums(portfolios)),
    q(
      "How much do I have in Swiss francs?",
      { subject: "portfolio accounts", where: { currency: "CHF" }, want: "sums" },
      () => sums(portfolios.filter(({ currency }) => currency === "CHF")),
    ),
    q(
      "How much do I have in euros and dollars?",
      { subject: "portfolio accounts", where: { currency: ["EUR", "USD"] }, want: "sums" },
      () => sums(portfolios.filter(({ currency }) => currency !== "CHF")),
    ),
    q(
      "How much do I have at Banco Norte?",
      { subject: "portfolio accounts", of: bank("Banco Norte"), want: "sums" },
      () => sums(portfolios.filter(at("Banco Norte"))),
    ),
    q(
      "How much at the banks with Norte in their name?",
      { subject: "portfolio accounts", of: bank("norte"), want: "sums" },
      () => sums(portfolios.filter(at("Norte"))),
    ),
    q(
      "How much is in pension plans?",
      { subject: "portfolio accounts", where: { kind: "pension plans" }, want: "sums" },
      () => sums(portfolios.filter(({ type }) => type === "PP")),
    ),
    q("How many accounts do I have?", { subject: "portfolio accounts", want: "count" }, () => portfolios.length),
    q(
      "Which accounts hold at least 400,000?",
      { subject: "portfolio accounts", where: { "at least": "400000" }, want: "rows", pick: ["name", "currency"] },
      () => portfolios.filter(({ cents }) => cents >= 40_000_000).map(({ name, currency }) => [name, currency]),
    ),
    q(
      "What do my accounts at Alpina hold?",
      { subject: "portfolio accounts", of: bank("Alpina"), want: "rows", pick: ["name", "balance", "currency"] },
      () => portfolios.filter(at("Alpina")).map(({ name, cents, currency }) => [name, decimal(cents), currency]),
    ),
    q(
      "How much do I have at Crypto Bank?",
      { subject: "portfolio accounts", of: bank("Crypto Bank"), want: "sums" },
      () => "unknown",
    ),
    q(
      "How much do I have at Delta Savings?",
      { subject: "portfolio accounts", of: bank("Delta"), want: "sums" },
      () => [],
    ),
    // Holdings
    q("How many positions do I have?", { subject: "investment holdings", want: "count" }, () => holdings.length),
    q(
      "How many are equities?",
      { subject: "investment holdings", where: { kind: "equities" }, want: "count" },
      () => holdings.filter(({ type }) => type === "VI").length,
    ),
    q(
      "What are my funds and exchange-traded funds worth?",
      { subject: "investment holdings", where: { kind: ["funds", "exchange-traded funds"] }, want: "sums" },
      () => sums(holdings.filter(({ type }) => type === "F" || type === "ETF")),
    ),
    q("What are my warrants worth?", { subject: "investment holdings", where: { subtype: "W" }, want: "sums" }, () =>
      sums(holdings.filter(({ subtype }) => subtype === "W")),
    ),
    q(
      "What is my largest holding in dollars?",
      {
        subject: "investment holdings",
        where: { currency: "USD" },
        want: "largest",
        by: "balance",
        pick: ["name", "balance"],
      },
      () =>
        [topOf(holdings.filter(({ currency }) => currency === "USD"))].map(({ name, cents }) => [name, decimal(cents)]),
    ),
    q(
      "What is my largest holding in euros?",
      {
        subject: "investment holdings",
        where: { currency: "EUR" },
        want: "largest",
        by: "balance",
        pick: ["name", "balance"],
      },
      () =>
        [topOf(holdings.filter(({ currency }) => currency === "EUR"))].map(({ name, cents }) => [name, decimal(cents)]),
    ),
    q(
      "What is the smallest holding of the pension plan?",
      {
        subject: "investment holdings",
        of: { subject: "portfolio accounts", where: { name: "Pension plan" } },
        want: "smallest",
        by: "balance",
        pick: ["name"],
      },
      () =>
        [
          topOf(
            holdings.filter(({ portfolio }) => portfolio.name === "Pension plan"),
            -1,
          ),
        ].map(({ name }) => [name]),
    ),
    q(
      "What is in the managed mandate?",
      {
        subject: "investment holdings",
        of: { subject: "portfolio accounts", where: { name: "Managed mandate" } },
        want: "rows",
        pick: ["isin", "amount"],
      },
      () =>
        holdings
          .filter(({ portfolio }) => portfolio.name === "Managed mandate")
          .map(({ isin, units }) => [isin, String(units)]),
    ),
    q(
      "How many bonds are in the trading account?",
      {
        subject: "investment holdings",
        where: { kind: "fixed income" },
        of: { subject: "portfolio accounts", where: { name: "Trading account" } },
        want: "count",
      },
      () => holdings.filter(({ portfolio, type }) => portfolio.name === "Trading account" && type === "FI").length,
    ),
    q(
      "What do I hold of XS0000000321?",
      {
        subject: "investment holdings",
        where: { isin: "XS0000000321" },
        want: "rows",
        pick: ["name", "amount", "balance"],
      },
      () =>
        holdings
          .filter(({ isin }) => isin === "XS0000000321")
          .map(({ name, units, cents }) => [name, String(units), decimal(cents)]),
    ),
    q(
      "Which holdings are worth at least 90,000?",
      { subject: "investment holdings", where: { "at least": 90_000 }, want: "rows", pick: ["name"] },
      () => holdings.filter(({ cents }) => cents >= 9_000_000).map(({ name }) => [name]),
    ),
    q(
      "What do the two banks Caja Sur and Hafen hold together?",
      {
        subject: "investment holdings",
        of: { subject: "bank connections", where: { bank: ["Caja Sur", "Hafen Invest"] } },
        want: "sums",
      },
      () => sums(holdings.filter(({ connection }) => ["Caja Sur", "Hafen Invest"].includes(connection.name))),
    ),
    q("Do I hold any crypto?", { subject: "investment holdings", where: { kind: "crypto" }, want: "count" }, () => 0),
    // Transactions
    q(
      "What happened in the first week of March?",
      {
        subject: "investment transactions",
        where: { first: "2026-03-01", last: "2026-03-07" },
        want: "rows",
        pick: ["operationDate", "description"],
      },
      () =>
        transactions
          .filter(({ date }) => date >= "2026-03-01" && date <= "2026-03-07")
          .map((row) => [row.date, row.description]),
    ),
    q(
      "How many movements were there in June?",
      { subject: "investment transactions", where: { first: "2026-06-01", last: "2026-06-30" }, want: "count" },
      () => transactions.filter(({ date }) => date.startsWith("2026-06")).length,
    ),
    q(
      "What came in and went out at Alpina in May, by currency?",
      {
        subject: "investment transactions",
        where: { first: "2026-05-01", last: "2026-05-31" },
        of: bank("Alpina"),
        want: "sums",
      },
      () => sums(transactions.filter((row) => at("Alpina")(row) && row.date.startsWith("2026-05"))),
    ),
    q(
      "Which dividends did I get in April?",
      {
        subject: "investment transactions",
        where: { first: "2026-04-01", last: "2026-04-30", description: "Dividend" },
        want: "rows",
        pick: ["description", "balance"],
      },
      () =>
        transactions
          .filter(({ date, description }) => date.startsWith("2026-04") && description.startsWith("Dividend"))
          .map(({ description, cents }) => [description, decimal(cents)]),
    ),
    q(
      "What was moved in my XS0000000007?",
      {
        subject: "investment transactions",
        of: { subject: "investment holdings", where: { isin: "XS0000000007" } },
        want: "rows",
        pick: ["operationDate", "balance"],
      },
      () => transactions.filter(({ holding }) => holding === some(7)).map(({ date, cents }) => [date, decimal(cents)]),
    ),
    q(
      "When was the latest movement?",
      { subject: "investment transactions", want: "first", pick: ["operationDate"] },
      () => [
        [
          transactions
            .map(({ date }) => date)
            .toSorted()
            .at(-1),
        ],
      ],
    ),
    q(
      "Were there movements in 2019?",
      { subject: "investment transactions", where: { first: "2019-01-01", last: "2019-12-31" }, want: "count" },
      () => 0,
    ),
    // Connections
    q("Which banks are connected?", { subject: "bank connections", want: "rows", pick: ["bank"] }, () =>
      connections.map(({ name }) => [name]),
    ),
    q(
      "Which banks need a new login, and why?",
      {
        subject: "new login",
        each: { subject: "bank connections" },
        where: { needs_relogin: true },
        want: "object",
        pick: ["bank", "reasons.code"],
      },
      () => [
        ["Caja Sur", ["blocked"]],
        ["Ems Kasse", ["auth_error"]],
        ["Global Norte Broker", ["sca_required"]],
      ],
    ),
    q(
      "Start the login that Caja Sur needs: who has to do what, and at which bank?",
      {
        subject: "new login",
        each: { subject: "bank connections", where: { bank: "Caja Sur" } },
        afterwards: { subject: "how far a connect session is" },
        want: "object",
        pick: ["status", "connector_id"],
      },
      () => [["Waiting:ProvideCredentials", CONNECTOR]],
    ),
    q(
      "Which banks are ready to be read?",
      { subject: "bank connections", where: { "blocked or still pending": false }, want: "rows", pick: ["bank"] },
      () => connections.filter(({ state }) => state !== "blocked" && state !== "pending").map(({ name }) => [name]),
    ),
    q("Which banks' holdings are old or missing?", { subject: "investment holdings", want: "states" }, () => [
      ["Caja Sur", "stale"],
      ["Ems Kasse", "error"],
      ["Faro Bank", "pending"],
      ["Hafen Invest", "stale"],
    ]),
    q(
      "When was Alpina last updated?",
      {
        subject: "health of a bank connection",
        each: { subject: "bank connections", where: { bank: "Alpina" } },
        want: "object",
        pick: ["last_update"],
      },
      () => [["2026-11-19T06:00:00.000Z"]],
    ),
    q(
      "How much is at the connection with an id that does not exist?",
      { subject: "portfolio accounts", where: { credentials_token: unknown }, want: "sums" },
      () => "unknown",
    ),
    // The catalogue
    q(
      "Which Caja Rural banks can be connected?",
      { subject: "banks in the catalogue", where: { name: "caja rural" }, want: "rows", pick: ["connector_id"] },
      () => catalogue.filter(({ name }) => name.startsWith("Caja Rural")).map(({ id }) => [id]),
    ),
    q(
      "Is Delta Savings in good health, by its id?",
      {
        subject: "new login",
        where: { credentials_token: idOf("Delta Savings") },
        want: "object",
        pick: ["needs_relogin", "reasons"],
      },
      () => [[false, []]],
    ),
  ];
}

function q(text, asks, answer) {
  return { text, asks, answer: answer() };
}

function sums(rows) {
  const byCurrency = new Map();
  for (const { currency, cents } of rows) byCurrency.set(currency, (byCurrency.get(currency) ?? 0) + cents);
  return [...byCurrency].map(([currency, cents]) => [currency, decimal(cents)]);
}

function topOf(rows, direction = 1) {
  return rows.toSorted((a, b) => direction * (b.cents - a.cents))[0];
}
