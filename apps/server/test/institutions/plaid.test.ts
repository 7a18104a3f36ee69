import { expect, it } from "vitest";
import { Exact } from "../../../../packages/provider-openwealth/test/stand-in/exact-json.js";
import { security } from "./plaid-bank.js";
import { HOOK, openDesk } from "./plaid-desk.js";
import { bookAll, bookings, furnish, kinds } from "./plaid-portfolio.js";

const DATES = { start_date: "2024-11-20", end_date: "2026-11-20" };
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

it("Plaid: credentials in the body or in headers, and secrets that are replaced", async () => {
  const plaid = await openDesk();
  const { client_id, secret } = plaid.client;
  const path = "/institutions/get";
  const body = JSON.stringify({ count: 1, offset: 0, country_codes: ["US"] });
  const headers = { "PLAID-CLIENT-ID": client_id, "PLAID-SECRET": secret, "Plaid-Version": "2020-09-14" };
  expect((await plaid.send(path, { headers, body })).status).toBe(200);
  const absent = await plaid.send(path, { headers: { "PLAID-CLIENT-ID": client_id }, body });
  expect([absent.status, absent.body.error_message]).toEqual([
    400,
    "the following required fields are missing: secret",
  ]);
  const query = { count: 1, offset: 0, country_codes: ["US"] };
  expect(await plaid.refused(path, { ...query, secret: "other" })).toBe("400 INVALID_INPUT INVALID_API_KEYS");
  plaid.addSecret("other");
  expect(await plaid.refused(path, { ...query, secret: "other" })).toMatch(/^200/);
  plaid.dropSecret(secret);
  expect(await plaid.refused(path, query)).toMatch(/API_KEYS/);
});

it("Plaid: faulty requests are refused by the names of their fields", async () => {
  const plaid = await openDesk();
  const said = async (path: string, body: object) => {
    const { body: refused } = await plaid.post(path, body);
    return `${refused.error_code}: ${refused.error_message}`;
  };
  expect(await said("/institutions/get", { count: 1, offset: 0 })).toMatch(/^MISSING_FIELDS: .*: country_codes$/);
  expect(await said("/item/get", { access_token: "access-production-1", page: 1 })).toMatch(
    /^UNKNOWN_FIELDS: .*: page$/,
  );
  const query = { access_token: "a", start_date: "20-11-2026", end_date: "2026-11-20" };
  expect(await said("/investments/transactions/get", query)).toBe("INVALID_FIELD: start_date");
  expect(await said("/institutions/get", { count: 501, offset: 0, country_codes: ["US"] })).toMatch(
    /^INVALID_FIELD: count/,
  );
  expect(await said("/institutions/get", { count: 1, offset: 0, country_codes: ["XX"] })).toMatch(/country_codes\[0\]/);
  const broken = await plaid.send("/item/get", { body: "{" });
  expect([broken.status, broken.body.error_code]).toEqual([400, "INVALID_BODY"]);
  expect(await plaid.refused("/item/get", { access_token: "access-production-none" })).toMatch(/INVALID_ACCESS_TOKEN$/);
  expect(await said("/item/get", { access_token: "access-sandbox-1" })).toMatch(/wrong Plaid environment/);
  expect((await fetch(`${plaid.base_url}/item/get`)).status).toBe(404);
  expect(plaid.violations).toHaveLength(7);
});

it("Plaid: accounts of every type, holdings of every kind of security, figures to the digit", async () => {
  const plaid = await openDesk();
  const { account, checking, access_token, item } = await plaid.connected();
  furnish(account);
  item.update();
  const { text, body } = await plaid.post("/investments/holdings/get", { access_token });
  expect(text).toContain('"quantity":9007199254740993.0000001');
  expect(text).toContain('"cost_basis":4210.123456789012345');
  expect(text).toContain('"institution_value":0.02,');
  expect(body.accounts.map((each: { type: string }) => each.type)).toEqual(["investment", "depository"]);
  expect(body.holdings).toHaveLength(Object.keys(kinds).length);
  expect(body.securities).toHaveLength(Object.keys(kinds).length);
  expect(new Set(body.securities.map((each: { type: unknown }) => each.type))).toEqual(
    new Set([
      "cash",
      "cryptocurrency",
      "derivative",
      "equity",
      "etf",
      "fixed income",
      "loan",
      "mutual fund",
      "other",
      null,
    ]),
  );
  for (const row of [...body.holdings, ...body.securities])
    expect(row.iso_currency_code === null || row.unofficial_currency_code === null).toBe(true);
  const rowOf = (id: string) => body.holdings.find((each: { security_id: string }) => each.security_id === id);
  expect(rowOf(kinds.stock.security_id)).toMatchObject({ vested_quantity: 10.5, account_id: item.idOf(account) });
  expect(rowOf(kinds.unlisted.security_id)).toMatchObject({ institution_price_as_of: null, institution_value: 0 });
  expect(rowOf(kinds.loan.security_id)).toMatchObject({ iso_currency_code: null, unofficial_currency_code: null });

  const { accounts } = await plaid.well("/accounts/get", { access_token });
  expect(accounts[1]).toMatchObject({
    account_id: item.idOf(checking),
    balances: { available: 100, current: 110, iso_currency_code: "USD" },
  });
  const options = { account_ids: [item.idOf(checking)] };
  expect((await plaid.well("/investments/holdings/get", { access_token, options })).holdings).toEqual([]);
  const unknown = { access_token, options: { account_ids: ["none"] } };
  expect(await plaid.refused("/accounts/get", unknown)).toBe("400 INVALID_INPUT INVALID_ACCOUNT_ID");
});

it("Plaid: trades, units and cash add up; data is that of the last update, which webhooks tell of", async () => {
  const plaid = await openDesk();
  const { account, access_token, item } = await plaid.connected();
  account.hold(kinds.cash, "10000", "1");
  account.trade("buy", kinds.etf, "10.5", "100.25", "1.5");
  const key = account.trade("sell", kinds.etf, "0.5", "101");
  const seen = async () => (await plaid.well("/investments/holdings/get", { access_token })).holdings;
  expect(await seen()).toEqual([]);
  expect(item.update()).toBe(true);
  // 10000 - 1052.625 - 1.5 + 50.5; then 10 units that cost 1052.625 - 50.5.
  expect(await seen()).toMatchObject([
    { quantity: 8996.375, institution_value: 8996.375 },
    { quantity: 10, institution_price: 101, institution_value: 1010, cost_basis: 1002.125 },
  ]);
  const query = { access_token, ...DATES };
  const { investment_transactions: rows } = await plaid.well("/investments/transactions/get", query);
  expect(rows).toMatchObject([
    { type: "sell", quantity: -0.5, amount: -50.5, price: 101, fees: 0 },
    { type: "buy", quantity: 10.5, amount: 1052.625, price: 100.25, fees: 1.5 },
  ]);
  expect(await plaid.events()).toMatchObject([
    { webhook_type: "HOLDINGS", new_holdings: 2, updated_holdings: 0, item_id: item.item_id },
    { webhook_type: "INVESTMENTS_TRANSACTIONS", new_investments_transactions: 2 },
  ]);
  account.cancel(key);
  account.hold(kinds.etf, "10", "102");
  await plaid.well("/investments/refresh", { access_token });
  expect(await plaid.events()).toMatchObject([
    { webhook_type: "HOLDINGS", new_holdings: 0, updated_holdings: 1 },
    { webhook_type: "INVESTMENTS_TRANSACTIONS", cancelled_investments_transactions: 1 },
  ]);
  expect(item.update()).toBe(true);
  expect(await plaid.events()).toEqual([]);
  // Ids are an item's own: the same account connected twice has other ones.
  const again = await plaid.connect(item.institution, item.login);
  const other = await plaid.well("/investments/transactions/get", { ...query, access_token: again.access_token });
  expect(other.investment_transactions[0].security_id).toBe(rows[1].security_id);
  expect(other.investment_transactions[0].account_id).not.toBe(rows[1].account_id);
  expect(other.investment_transactions[0].investment_transaction_id).not.toBe(rows[1].investment_transaction_id);
});

it("Plaid: transactions of every subtype, the latest first, 500 at most, of 24 months", async () => {
  const plaid = await openDesk();
  const { account, access_token, item } = await plaid.connected();
  bookAll(account, "2026-11-20");
  account.book("cash", "deposit", "-5", { date: "2024-11-19" });
  account.book("cash", "deposit", "-5", {
    date: "2024-11-20",
    iso_currency_code: null,
    unofficial_currency_code: "USDT",
  });
  item.update();
  const read = (options: object, dates = DATES) =>
    plaid.well("/investments/transactions/get", { access_token, ...dates, options });
  const whole = await read({ count: 500 }, { start_date: "2020-01-01", end_date: "2026-12-31" });
  expect(whole.total_investment_transactions).toBe(bookings.length + 1);
  expect(new Set(whole.investment_transactions.map((each: { subtype: string }) => each.subtype)).size).toBe(
    new Set(bookings.map(([, subtype]) => subtype)).size,
  );
  const dates = whole.investment_transactions.map((each: { date: string }) => each.date);
  expect(dates).toEqual(dates.toSorted().toReversed());
  expect(whole.securities).toHaveLength(1);
  const first = await read({ count: 20 });
  const second = await read({ count: 20, offset: 20 });
  expect([...first.investment_transactions, ...second.investment_transactions]).toEqual(
    whole.investment_transactions.slice(0, 40),
  );
  expect((await read({ count: 20, offset: 1000 })).investment_transactions).toEqual([]);
  expect((await read({})).investment_transactions).toHaveLength(bookings.length + 1);
  expect((await read({}, { start_date: "2026-11-20", end_date: "2026-11-20" })).total_investment_transactions).toBe(1);
  const path = "/investments/transactions/get";
  for (const options of [{ count: 501 }, { count: 0 }, { offset: -1 }])
    expect(await plaid.refused(path, { access_token, ...DATES, options })).toMatch(
      /^400 INVALID_REQUEST INVALID_FIELD/,
    );
  const reversed = { access_token, start_date: "2026-11-21", end_date: "2026-11-20" };
  expect(await plaid.refused(path, reversed)).toMatch(/INVALID_FIELD/);
});

it("Plaid: new transactions shift the pages, pages come half or twice, answers are spoilt, slow and cut", async () => {
  const plaid = await openDesk({ sleep: async () => undefined });
  const { account, access_token, item } = await plaid.connected();
  for (let day = 10; day < 20; day += 1) account.book("cash", "deposit", `-${day}`, { date: `2026-11-${day}` });
  item.update();
  const path = "/investments/transactions/get";
  const page = async (offset: number): Promise<{ amounts: number[]; total: number }> => {
    const body = await plaid.well(path, { access_token, ...DATES, options: { count: 4, offset } });
    return {
      amounts: body.investment_transactions.map((each: { amount: number }) => each.amount),
      total: body.total_investment_transactions,
    };
  };
  plaid.betweenPages(() => {
    account.book("cash", "deposit", "-20");
    account.book("cash", "deposit", "-15.5", { date: "2026-11-15" });
    item.update();
  });
  expect(await page(0)).toEqual({ amounts: [-19, -18, -17, -16], total: 10 });
  expect(await page(4)).toEqual({ amounts: [-16, -15.5, -15, -14], total: 12 });
  plaid.nextPage("half");
  plaid.nextPage("repeated");
  expect(await page(4)).toEqual({ amounts: [-16, -15.5], total: 12 });
  expect(await page(8)).toEqual({ amounts: [-16, -15.5], total: 12 });
  expect((await page(8)).amounts).toEqual([-13, -12, -11, -10]);

  plaid.spoil(path, (body) => ({ ...body, investment_transactions: [{ odd: true }] }));
  const odd = await fetch(plaid.base_url + path, {
    method: "POST",
    body: JSON.stringify({ ...plaid.client, access_token, ...DATES }),
  });
  expect(await odd.json()).toMatchObject({ investment_transactions: [{ odd: true }] });
  plaid.spoil(path, null);
  plaid.institution.fail(() => true, { kind: "slow", milliseconds: 30_000 });
  expect((await page(8)).total).toBe(12);
  plaid.institution.fail(() => true, { kind: "cut_in_the_middle" });
  await expect(page(8)).rejects.toThrow();
});

it("Plaid: products that are not ready, not supported, not agreed to, and no investment accounts", async () => {
  const plaid = await openDesk();
  const holdings = "/investments/holdings/get";
  const transactions = "/investments/transactions/get";
  plaid.extraction("not_ready");
  const slow = await plaid.connected();
  furnish(slow.account);
  slow.account.book("cash", "deposit", "-1");
  const { access_token } = slow;
  expect(await plaid.refused(transactions, { access_token, ...DATES })).toBe("400 ITEM_ERROR PRODUCT_NOT_READY");
  expect(await plaid.refused("/investments/refresh", { access_token })).toMatch(/PRODUCT_NOT_READY$/);
  slow.item.extracted();
  expect(await plaid.events()).toMatchObject([{ webhook_code: "HISTORICAL_UPDATE", new_investments_transactions: 1 }]);
  expect((await plaid.well(transactions, { access_token, ...DATES })).total_investment_transactions).toBe(1);

  plaid.extraction("waiting");
  const waiting = await plaid.connect(slow.bank, slow.login);
  const answer = plaid.well(holdings, { access_token: waiting.access_token });
  await expect.poll(() => plaid.institution.requests.at(-1)?.path).toBe(holdings);
  waiting.item.extracted();
  expect((await answer).holdings).toHaveLength(Object.keys(kinds).length);

  // Investments were not asked for, but agreed to: the first request begins it.
  const link = { products: ["transactions"], additional_consented_products: ["investments"] };
  const later = await plaid.connect(slow.bank, slow.login, { link });
  const options = { async_update: true };
  const query = { access_token: later.access_token, ...DATES };
  expect(await plaid.refused(transactions, { ...query, options })).toMatch(/PRODUCT_NOT_READY$/);
  later.item.extracted();
  expect((await plaid.well(transactions, { ...query, options })).item.products).toEqual([
    "transactions",
    "investments",
  ]);
  const without = await plaid.connect(slow.bank, slow.login, { link: { products: ["transactions"] } });
  expect(await plaid.refused(holdings, { access_token: without.access_token })).toMatch(/ADDITIONAL_CONSENT_REQUIRED$/);

  plaid.extraction("done");
  const bank = plaid.catalogue.add("Transactions alone", { products: ["transactions"] });
  const login = plaid.enrol(bank, "user_good");
  login.open("Checking", { type: "depository", subtype: "checking" });
  const poor = await plaid.connect(bank, login, { link: { products: ["transactions"] } });
  expect(await plaid.refused(holdings, { access_token: poor.access_token })).toMatch(/PRODUCTS_NOT_SUPPORTED$/);
  const checking = await plaid.connect(slow.bank, slow.login);
  checking.item.revokeAccount(slow.account);
  const its = { access_token: checking.access_token };
  expect(await plaid.refused(holdings, its)).toBe("400 ITEM_ERROR NO_INVESTMENT_ACCOUNTS");
  slow.bank.can_refresh = false;
  expect(await plaid.refused("/investments/refresh", { access_token })).toMatch(/PRODUCTS_NOT_SUPPORTED$/);
  slow.bank.can_refresh = true;
  slow.bank.health = "DOWN";
  expect(await plaid.refused("/investments/refresh", { access_token })).toBe("400 INSTITUTION_ERROR INSTITUTION_DOWN");
  const { status } = await plaid.well("/item/get", { access_token });
  expect(status.investments.last_successful_update).toBe("2026-11-20T15:00:00.000Z");
});

it("Plaid: limits a minute of an item and of the application, each by its code, and what Plaid itself fails at", async () => {
  const plaid = await openDesk();
  const { access_token, login, bank } = await plaid.connected();
  const get = (path: string, more: object = {}) => plaid.refused(path, { access_token, ...more });
  for (let asked = 0; asked < 15; asked += 1) expect(await get("/item/get")).toMatch(/^200/);
  expect(await get("/item/get")).toBe("429 RATE_LIMIT_EXCEEDED ITEM_GET_LIMIT");
  const { access_token: other } = await plaid.connect(bank, login);
  expect(await get("/item/get", { access_token: other })).toMatch(/^200/);
  plaid.later(MINUTE);
  expect(await get("/item/get")).toMatch(/^200/);
  plaid.allow("/investments/holdings/get", 0);
  plaid.allow("/investments/transactions/get", 5, 1);
  plaid.allow("/accounts/get", 0);
  plaid.allow("/item/remove", 0);
  expect(await get("/investments/holdings/get")).toMatch(/INVESTMENT_HOLDINGS_GET_LIMIT$/);
  expect(await get("/investments/transactions/get", DATES)).toMatch(/^200/);
  const ofOther = { access_token: other, ...DATES };
  expect(await get("/investments/transactions/get", ofOther)).toMatch(/^429 .*INVESTMENT_TRANSACTIONS_LIMIT$/);
  expect(await get("/accounts/get")).toMatch(/ACCOUNTS_LIMIT$/);
  expect(await get("/item/remove")).toMatch(/RATE_LIMIT$/);
  plaid.refuse("/item/get", "INTERNAL_SERVER_ERROR");
  plaid.refuse("/item/get", "PLANNED_MAINTENANCE");
  plaid.refuse("/item/get", "INSTITUTION_DOWN");
  plaid.refuse("/item/get", "INSTITUTION_RATE_LIMIT", 2);
  expect(await get("/item/get")).toBe("500 API_ERROR INTERNAL_SERVER_ERROR");
  expect(await get("/item/get")).toBe("503 API_ERROR PLANNED_MAINTENANCE");
  expect(await get("/item/get")).toBe("400 INSTITUTION_ERROR INSTITUTION_DOWN");
  expect(await get("/item/get")).toMatch(/^429/);
  expect(await get("/item/get")).toMatch(/^429/);
  expect(await get("/item/get")).toMatch(/^200/);
});

it("Plaid: 12,000 institutions by country, 500 a page, which is filtered after it was cut", async () => {
  const plaid = await openDesk();
  plaid.catalogue.generate(12_000);
  const read = (offset: number, more: object = {}) =>
    plaid.well("/institutions/get", { count: 500, offset, country_codes: ["US"], ...more });
  const first = await read(0);
  expect([first.institutions.length, first.total]).toEqual([500, 600]);
  const second = await read(500);
  expect(second.institutions).toHaveLength(100);
  const irish = await read(0, { country_codes: ["IE", "GB"] });
  // Every twentieth bank for each, and every hundredth of the others is reached in Ireland too.
  expect(irish.total).toBe(1320);
  expect(irish.institutions).toHaveLength(500);
  const german = await read(0, { country_codes: ["DE"] });
  expect([german.institutions.length, german.total]).toEqual([500, 600]);
  plaid.catalogue.enabled = ["investments"];
  const filtered = await read(0, { country_codes: ["FR"] });
  expect([filtered.institutions.length, filtered.total]).toEqual([0, 600]);
  const wanted = await read(0, { options: { products: ["investments"], oauth: true } });
  expect(wanted.institutions.every((each: { oauth: boolean }) => each.oauth)).toBe(true);
  const { institution_id } = first.institutions[0];
  const one = { institution_id, country_codes: ["US"] };
  const options = { include_status: true, include_optional_metadata: true };
  const { institution } = await plaid.well("/institutions/get_by_id", { ...one, options });
  expect(institution).toMatchObject({ institution_id, status: { item_logins: { status: "HEALTHY" } }, logo: null });
  const foreign = { institution_id, country_codes: ["FR"] };
  expect(await plaid.refused("/institutions/get_by_id", foreign)).toBe("400 INVALID_INPUT INVALID_INSTITUTION");
});

it("Plaid: the sandbox makes items without Link, fires webhooks, resets logins; production does not", async () => {
  const plaid = await openDesk({ environment: "sandbox" });
  const bank = plaid.catalogue.add("First Platypus Bank");
  const account = plaid.enrol(bank, "user_good").open("Plaid IRA", { subtype: "ira" });
  account.hold(security("Bund", { fixed_income: null }), "1", "1", { cost_basis: new Exact("1") });
  const wanted = { institution_id: bank.institution_id, initial_products: ["investments"], options: { webhook: HOOK } };
  const { public_token } = await plaid.well("/sandbox/public_token/create", wanted);
  expect(public_token).toMatch(/^public-sandbox-/);
  const { access_token } = await plaid.well("/item/public_token/exchange", { public_token });
  expect(access_token).toMatch(/^access-sandbox-/);
  expect((await plaid.well("/investments/holdings/get", { access_token })).holdings).toHaveLength(1);
  const fire = (webhook_type: string, webhook_code: string) =>
    plaid.well("/sandbox/item/fire_webhook", { access_token, webhook_type, webhook_code });
  await fire("HOLDINGS", "DEFAULT_UPDATE");
  await fire("ITEM", "PENDING_DISCONNECT");
  expect((await plaid.events()).map((each) => each.webhook_code)).toEqual(["DEFAULT_UPDATE", "PENDING_DISCONNECT"]);
  const auth = { access_token, webhook_type: "AUTH", webhook_code: "DEFAULT_UPDATE" };
  expect(await plaid.refused("/sandbox/item/fire_webhook", auth)).toMatch(/SANDBOX_PRODUCT_NOT_ENABLED$/);
  expect(await plaid.well("/sandbox/item/reset_login", { access_token })).toMatchObject({ reset_login: true });
  expect(await plaid.refused("/investments/holdings/get", { access_token })).toMatch(/ITEM_LOGIN_REQUIRED$/);
  expect(await plaid.events()).toMatchObject([{ webhook_code: "ERROR", environment: "sandbox" }]);
  // Items want a login again after 30 days.
  const other = await plaid.well("/sandbox/public_token/create", wanted);
  const its = await plaid.well("/item/public_token/exchange", { public_token: other.public_token });
  const accounts = () => plaid.refused("/accounts/get", { access_token: its.access_token });
  plaid.later(29 * DAY);
  expect(await accounts()).toMatch(/^200/);
  plaid.later(DAY);
  expect(await accounts()).toMatch(/ITEM_LOGIN_REQUIRED$/);
  const live = await openDesk();
  expect(await live.refused("/sandbox/public_token/create", wanted)).toMatch(/UNAUTHORIZED_ROUTE_ACCESS$/);
});
