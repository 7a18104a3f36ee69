import type { FetchResult } from "@org/provider-kit";
import { requestsFor } from "@org/provider-kit/testing";
import { expect, test } from "vitest";
import { type Asked, clientCredentials, providerOf, type Said, scriptedBank } from "./scripted-bank.js";

const requests = requestsFor("che:alpenrose", "alpenrose");
const access = { customer_id: "c-1", customer_number: null, tokens: null };
const since = new Date("2026-11-20T00:00:00Z");
const versions = ["1.1", "1.2", "2.0"] as const;
type Version = (typeof versions)[number];

/** What is read, and its path in 1.x and in 2.0. */
const paths = {
  accounts: [/\/customerAccounts\/c-1$/, /\/customers\/c-1$/],
  positions: [/\/customers\/c-1\/positions$/, /\/customer-position-statement$/],
  transactions: [/\/transactions$/, /\/transaction-statement$/],
  "positions of an account": [/\/accounts\/[^/]+\/positions$/, /\/account-position-statement$/],
} as const;
type Part = keyof typeof paths;

const information = (id: string) => ({
  accountIdentification: id,
  accountType: "cashAccount",
  accountReferenceCurrency: "CHF",
});
const held = (id: string) => ({
  accountInformation: information(id),
  positionList: [
    {
      identification: `p-${id}`,
      currency: "CHF",
      amountOrUnits: { amount: "12.50", creditDebitIndicator: "credit" },
    },
  ],
});

/** A bank whose customer has two accounts with cash; `parts` replaces answers, where they say something. */
async function fetched(version: Version, parts: Partial<Record<Part, (asked: Asked) => Said | undefined>>) {
  const isOf = (part: Part, path: string) => paths[part][version === "2.0" ? 1 : 0].test(path);
  const bank = scriptedBank((asked) => {
    const { path, query } = asked;
    if (path === "/token") return { body: { access_token: "at", token_type: "Bearer", expires_in: 300 } };
    const part = (Object.keys(parts) as Part[]).find((one) => isOf(one, path));
    const said = part && parts[part]?.(asked);
    if (said !== undefined) return said;
    const accounts = ["a-1", "a-2"];
    const statement = { date: { date: query.date, dateType: "transactionDate" }, endOfDayIndicator: true };
    if (isOf("accounts", path)) {
      const information_ = accounts.map(information);
      if (version === "2.0") return { body: { customerIdentification: "c-1", accountInformationList: information_ } };
      return { body: [{ customerIdentification: "c-1", accountOverview: information_ }] };
    }
    if (isOf("transactions", path)) return { body: { statement, transactions: [] } };
    const [, account] = /\/accounts\/([^/]+)\//.exec(path) ?? [];
    const customer = { customerIdentification: "c-1", accountList: (account ? [account] : accounts).map(held) };
    return { body: version === "2.0" && account ? { statement, account: held(account) } : { statement, customer } };
  });
  const { provider } = await providerOf(bank, { version, auth: clientCredentials });
  const outcome = await provider
    .fetch(requests.fetch(access, { since }))
    .catch((failure: Error): FetchResult | string => failure.message);
  const asked = (part: Part) => bank.asked.filter(({ path }) => isOf(part, path));
  return { outcome, asked };
}

const problem = (status: number, type: string) => (): Said => ({ status, body: { type: `/problems/${type}` } });
const whole = {
  portfolios: [{ balance: "12.50" }, { balance: "12.50" }],
  holdings: [{ key: "p-a-1" }, { key: "p-a-2" }],
  transactions: [],
};

test.each(versions)("[C-5.284] %s: a refusal is read by its problem, and never as an empty list", async (version) => {
  const cases: readonly (readonly [Partial<Record<Part, () => Said>>, unknown])[] = [
    [{}, { snapshot: whole }],
    // Positions that the bank lists by account only, as a bank and as bLink say it.
    [{ positions: problem(501, "NOT_IMPLEMENTED") }, { snapshot: whole }],
    [{ positions: problem(404, "NOT_IMPLEMENTED") }, { snapshot: whole }],
    [{ positions: problem(404, "RESOURCE_TOO_LARGE") }, { snapshot: whole }],
    [
      { positions: problem(404, "NOT_IMPLEMENTED"), "positions of an account": problem(404, "NOT_IMPLEMENTED") },
      "the bank lists positions neither by customer nor by account",
    ],
    [{ positions: problem(404, "NO_ACCESS_TO_RESOURCE") }, { refused: "rejected" }],
    // No day has a list: what was held before stays, and so does the balance.
    [
      { positions: () => ({ status: 404 }) },
      { snapshot: { portfolios: [{ balance: null }, { balance: null }], holdings: null } },
    ],
    ...[
      "NOT_IMPLEMENTED",
      "INSUFFICIENT_PRIVILEGES",
      "RESOURCE_TOO_LARGE",
      "RESOURCE_NOT_READY",
      "TECHNICAL_ERROR",
    ].map((type) => [{ transactions: problem(404, type) }, { snapshot: { ...whole, transactions: null } }] as const),
    [{ transactions: problem(404, "RESOURCE_DOES_NOT_EXIST") }, { snapshot: whole }],
    [{ accounts: problem(404, "RESOURCE_NOT_READY") }, { pending: { retry_after: 900 } }],
    [{ accounts: problem(404, "RESOURCE_DOES_NOT_EXIST") }, { refused: "rejected" }],
    [{ accounts: problem(404, "TECHNICAL_ERROR") }, "alpenrose answered 404 for accounts (TECHNICAL_ERROR)"],
    [{ accounts: problem(404, "NOT_IMPLEMENTED") }, "alpenrose answered 404 for accounts (NOT_IMPLEMENTED)"],
  ];
  for (const [parts, expected] of cases) {
    const { outcome } = await fetched(version, parts);
    if (typeof expected === "string") expect(outcome).toBe(expected);
    else expect(outcome).toMatchObject(expected as object);
  }
});

test.each(versions)("[C-5.284] %s: a bank that has no day's transactions ready says so once", async (version) => {
  const isToday = ({ query }: Asked) => query.date === "2026-11-20";
  const today = await fetched(version, {
    transactions: (asked) => (isToday(asked) ? problem(404, "RESOURCE_NOT_READY")() : undefined),
  });
  expect(today.outcome).toMatchObject({ snapshot: whole });
});

test("[C-5.284] a list of 1.1 that is cut off, which nothing says, is made whole account by account", async () => {
  const cut = ({ query }: Asked): Said => ({
    body: {
      statement: { date: { date: query.date, dateType: "transactionDate" }, endOfDayIndicator: true },
      customer: { customerIdentification: "c-1", accountList: [held("a-1")] },
    },
  });
  const first = await fetched("1.1", { positions: cut });
  expect(first.outcome).toMatchObject({ snapshot: whole });
  expect(first.asked("positions of an account").map(({ path }) => path)).toEqual(["/v3/accounts/a-2/positions"]);
  // An account that the bank does not show by itself lacks nothing that the list should have had.
  for (const status of [403, 404, 501]) {
    const alone = await fetched("1.1", { positions: cut, "positions of an account": () => ({ status }) });
    expect(alone.outcome).toMatchObject({ snapshot: { ...whole, portfolios: [{}, { balance: "0" }], holdings: [{}] } });
  }
  // Later versions say when a list goes on.
  const second = await fetched("1.2", { positions: cut });
  expect(second.outcome).toMatchObject({ snapshot: { holdings: [{ key: "p-a-1" }] } });
  expect(second.asked("positions of an account")).toEqual([]);
});

test("[C-5.284] 2.0: a customer is asked for without a limit, which that path does not have", async () => {
  const { asked } = await fetched("2.0", {});
  expect(asked("accounts").map(({ query }) => query)).toEqual([{}]);
});
