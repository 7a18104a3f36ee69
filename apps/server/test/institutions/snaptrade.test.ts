import { expect, it } from "vitest";
import { openSnapTrade } from "./snaptrade-caller.js";
import { furnish } from "./snaptrade-furnish.js";

type Row = Readonly<Record<string, unknown>>;

/** A user of a Commercial key with connections to both furnished institutions. */
async function connected(options: Parameters<Awaited<ReturnType<typeof openSnapTrade>>["book"]["addPartner"]>[0] = {}) {
  const stand = await openSnapTrade();
  const furnished = furnish(stand.book);
  const partner = stand.book.addPartner(options);
  const user = options.isPersonal ? [...partner.users.values()][0] : await stand.register(partner);
  if (!user) throw new Error("no user");
  const connection = stand.book.connect(user, furnished.larch, furnished.login, "read");
  const [margin, plan] = connection.accounts;
  if (!margin || !plan) throw new Error("no accounts");
  return { ...stand, ...furnished, partner, user, connection, accounts: { margin, plan }, get: stand.as(user) };
}

it("SnapTrade: every answer keeps to the published description, judged by Prism", async () => {
  const snap = await connected();
  const { get, connection, accounts, partner, user } = snap;
  const { coins, wallet } = snap;
  const second = snap.book.connect(user, coins, coins.logins[0] as never, "read");
  expect(second.accounts[0]?.source).toBe(wallet);
  await snap.judge();
  const asked: string[] = [];
  const judged = async (path: string, ask: ReturnType<typeof get>) => {
    const { status, headers, body } = await ask;
    asked.push([status, path, headers.get("sl-violations")].filter(Boolean).join(" "));
    return body;
  };
  const of = (path: string, options = {}) => judged(path, get(path, options));
  await judged("/", snap.call(partner, "/"));
  await judged("/brokerages", snap.call(partner, "/brokerages"));
  await judged("/snapTrade/partners", snap.call(partner, "/snapTrade/partners"));
  await judged("/snapTrade/listUsers", snap.call(partner, "/snapTrade/listUsers"));
  const body = { userId: "another" };
  const another = await judged("register", snap.call(partner, "/snapTrade/registerUser", { method: "POST", body }));
  const rotate = { method: "POST", body: another };
  await judged("rotate", snap.call(partner, "/snapTrade/resetUserSecret", rotate));
  await of("/snapTrade/login", { method: "POST", body: { connectionType: "read" } });
  await of("/authorizations");
  await of(`/authorizations/${connection.id}`);
  await of(`/authorizations/${connection.id}/accounts`);
  await of("/accounts");
  for (const { id } of [...connection.accounts, ...second.accounts]) {
    await of(`/accounts/${id}`);
    await of(`/accounts/${id}/balances`);
    await of(`/accounts/${id}/positions/all`);
    const { pagination } = await of(`/accounts/${id}/activities`, { query: { limit: "7", offset: "2" } });
    expect(pagination).toMatchObject({ limit: 7, offset: 2 });
  }
  await of(`/authorizations/${connection.id}/transactions/sync`, { method: "POST" });
  await of(`/authorizations/${connection.id}/refresh`, { method: "POST" });
  await of(`/authorizations/${connection.id}/disable`, { method: "POST" });
  await of(`/authorizations/${connection.id}/disable`, { method: "POST" });
  await of(`/authorizations/${connection.id}/transactions/sync`, { method: "POST" });
  await of(`/connection/${second.id}`, { method: "DELETE" });
  const removal = { method: "DELETE", query: { userId: "another" } };
  await judged("delete", snap.call(partner, "/snapTrade/deleteUser", removal));
  expect(asked.filter((line) => !/^200 \S+$/.test(line))).toEqual([
    `403 /authorizations/${connection.id}/refresh`,
    `402 /authorizations/${connection.id}/disable`,
    `402 /authorizations/${connection.id}/transactions/sync`,
  ]);
  expect(asked).toHaveLength(30);
  // The judge does judge.
  snap.spoil(/positions\/all$/, (whole) => whole.replace('"units":"2"', '"units":2'));
  await of(`/accounts/${accounts.margin.id}/positions/all`);
  expect(asked.at(-1)).toContain("units");
  expect(accounts.margin.id).toBe(connection.accounts[0]?.id);
  expect(snap.violations).toEqual([]);
});

it("SnapTrade: figures keep their digits, text for positions, numbers for balances and activities; cash equivalents are counted in both, and once in the total", async () => {
  const snap = await connected();
  const { get, accounts, book, user, coins } = snap;
  const { body, text } = await get(`/accounts/${accounts.margin.id}/positions/all`);
  const positions: Row[] = body.results;
  const kinds = positions.map(({ instrument }) => (instrument as Row).kind);
  expect(kinds).toEqual("stock stock option option etf adr cef mutualfund mutualfund other future cfd".split(" "));
  expect(text).toContain('"price":"203.4567890123456789"');
  expect(positions[2]).toMatchObject({
    units: "2",
    price: "4.05",
    cost_basis: "3.15",
    instrument: {
      symbol: "AAPL  261218C00240000",
      strike_price: "240",
      multiplier: "100",
      underlying: { symbol: "AAPL" },
    },
  });
  expect(positions[3]).toMatchObject({
    units: "-3",
    instrument: { symbol: "SPY   270115P00412500", multiplier: "10" },
  });
  expect(positions[8]).toMatchObject({ cash_equivalent: true, units: "1500.25", instrument: { symbol: "SWVXX" } });
  expect(positions[0]).not.toHaveProperty("cash_equivalent");
  expect(body.data_freshness).toEqual({ as_of: "2026-11-20T15:00:00.123000Z" });
  const balances = await get(`/accounts/${accounts.margin.id}/balances`);
  // 25000.07 − 12.3456789012345678 × 187.250000000000001 − 1.01 − 631.3 + 222 + 402 + 3.05 − 0.46 − 2.59, and 1500.25 in the money fund.
  expect(balances.text).toContain('"cash":24180.281625743827167104321098765433');
  expect(balances.body.map((each: Row) => (each.currency as Row).code)).toEqual(["USD", "CAD"]);
  expect(balances.body[1]).toMatchObject({ cash: 2026, buying_power: null });
  book.addManyBrokerages(3000);
  const { body: brokerages } = await snap.call(snap.partner, "/brokerages");
  const isOpen = ({ enabled, maintenance_mode }: Row) => enabled === true && maintenance_mode === false;
  // 272 of them are not enabled, 230 in maintenance, 20 both.
  expect([brokerages.length, brokerages.filter(isOpen).length]).toEqual([3002, 3002 - 272 - 230 + 20]);
  const { body: list } = await get("/accounts");
  expect(list).toMatchObject([
    { number: "Q6542138443", institution_account_id: "54953432", balance: { total: { currency: "USD" } } },
    { number: "Q6542138444", institution_account_id: null, balance: { total: { amount: 1024.19 } } },
  ]);
  const trade = snap.margin.activities[2];
  const { text: rows } = await get(`/accounts/${accounts.margin.id}/activities`);
  expect(rows).toContain(`"price":187.250000000000001,"units":12.3456789012345678,"amount":${trade?.amount}`);
  const wallet = book.connect(user, coins, coins.logins[0] as never, "read").accounts[0];
  const { text: digital, body: crypto } = await get(`/accounts/${wallet?.id}/activities`);
  expect(digital).toContain(
    '"price":67000.000000000000001,"units":0.123456789012345678,"amount":-8271.604863827160427',
  );
  expect(crypto.data[0]).toMatchObject({ currency: null, currency_universal_symbol: { symbol: "USDT" } });
});

it("SnapTrade: activities come latest first, with limit, offset and total, by days that are inclusive and by types; those of today come with tomorrow's sync", async () => {
  const snap = await connected();
  const { get, accounts, plan, margin } = snap;
  const path = `/accounts/${accounts.plan.id}/activities`;
  const { body: all } = await get(path);
  expect(all.pagination).toEqual({ offset: 0, limit: 1000, total: 25 });
  expect(all.data.at(-1)).toMatchObject({ type: "Gutschrift für Größe", trade_date: null });
  expect(all.data.at(-2)).toMatchObject({
    type: "CONTRIBUTION",
    trade_date: "2026-10-23T00:00:00Z",
  });
  const pages: Row[] = [];
  for (let offset = 0; offset < 25; offset += 10)
    pages.push(...(await get(path, { query: { limit: "10", offset: String(offset) } })).body.data);
  expect(pages).toEqual(all.data);
  expect((await get(path, { query: { offset: "25" } })).body).toMatchObject({ data: [], pagination: { total: 25 } });
  const count = async (query: Record<string, string>) => (await get(path, { query })).body.pagination.total;
  expect(await count({ startDate: "2026-10-31" })).toBe(23);
  expect(await count({ startDate: "2026-10-23", endDate: "2026-10-23" })).toBe(1);
  expect(await count({ type: "SPLIT,FEE" })).toBe(2);
  expect((await get(path, { query: { limit: "5000" } })).body.pagination.limit).toBe(1000);
  for (const [name, value] of [
    ["limit", "0"],
    ["offset", "-1"],
    ["startDate", "20.11.2026"],
    ["endDate", "2026-13-01"],
  ])
    expect((await get(path, { query: { [String(name)]: String(value) } })).status).toBe(400);
  plan.deposit("5");
  snap.book.sync();
  expect(await count({})).toBe(25);
  snap.later(86_400);
  snap.book.sync();
  expect(await count({})).toBe(26);
  const before = (await get(path)).body.data.map(({ id }: Row) => id);
  snap.book.reprocess(accounts.plan);
  const after = (await get(path)).body.data;
  expect(after).toHaveLength(26);
  expect(after.filter(({ id }: Row) => before.includes(id))).toEqual([]);
  expect(margin.activities.length).toBe(
    (await get(`/accounts/${accounts.margin.id}/activities`)).body.pagination.total,
  );
});

it("SnapTrade: a signature over path, query and body, with a timestamp of these five minutes; in the words of both documents", async () => {
  const snap = await connected();
  const { call, partner, get } = snap;
  const status = async (options: Parameters<typeof call>[2], path = "/brokerages") => {
    const { status, body } = await call(partner, path, options);
    return status === 200 ? 200 : `${status} ${body.code} ${body.detail}`;
  };
  const unsigned = "401 1076 Unable to verify signature sent";
  expect(await status({})).toBe(200);
  expect(await status({ signedPrefix: "/api/v1" })).toBe(200);
  expect(await status({ prefix: "/api/v1" })).toBe(200);
  expect(await status({ prefix: "/api/v1", signedPrefix: "" })).toBe(unsigned);
  expect(await status({ consumerKey: "another" })).toBe(unsigned);
  expect(await status({ body: "{}", method: "POST" }, "/snapTrade/listUsers")).toBe(unsigned);
  const unsorted = { method: "POST", body: '{"userSecret":"","userId":"x"}' };
  expect(await status(unsorted, "/snapTrade/resetUserSecret")).toBe(unsigned);
  for (const timestamp of ["", "yesterday", String(snap.now()), String(Math.floor(snap.now() / 1000) - 301)])
    expect(await status({ timestamp })).toBe("401 0000 Invalid timestamp");
  expect(await status({ timestamp: String(Math.floor(snap.now() / 1000) - 299) })).toBe(200);
  const nobody = { ...partner, client_id: "NOBODY" };
  expect((await call(nobody, "/brokerages")).body.code).toBe("0000");
  const other = { method: "POST", body: { userId: "Ünal" } };
  expect(await status(other, "/snapTrade/registerUser")).toBe(200);
  const { headers } = await get("/authorizations", { prefix: "/api/v1" });
  expect([headers.get("deprecation"), headers.get("x-request-id")]).toEqual(["@1781222400", expect.any(String)]);
  snap.habits.wording = "default_detail";
  expect((await call(partner, "/brokerages", { consumerKey: "another" })).body).toEqual({
    default_detail: "Unable to verify signature sent",
    default_code: "1076",
  });
});

it("SnapTrade: users of a Commercial key with secrets that rotate, deleted in the end; a Personal key is its owner and registers nobody", async () => {
  const snap = await connected();
  const { call, partner, user, get, register, as } = snap;
  const body = { userId: user.id };
  expect((await call(partner, "/snapTrade/registerUser", { method: "POST", body })).status).toBe(400);
  const former = { ...user };
  const reset = { method: "POST", body: { userId: user.id, userSecret: user.secret } };
  const { body: rotated } = await call(partner, "/snapTrade/resetUserSecret", reset);
  expect(rotated).toEqual({ userId: user.id, userSecret: user.secret });
  expect((await as(former)("/accounts")).body).toMatchObject({ status_code: 401, code: "1083" });
  expect((await get("/accounts")).status).toBe(200);
  expect((await call(partner, "/accounts")).status).toBe(401);
  const second = await register(partner, "second");
  expect((await as(second)(`/accounts/${snap.accounts.plan.id}`)).body).toMatchObject({ code: "1011" });
  const removal = { method: "DELETE", query: { userId: "second" } };
  expect((await call(partner, "/snapTrade/deleteUser", removal)).body).toMatchObject({ status: "deleted" });
  expect((await call(partner, "/snapTrade/listUsers")).body).toEqual([user.id, "second"]);
  await snap.settle();
  expect((await call(partner, "/snapTrade/listUsers")).body).toEqual([user.id]);
  expect((await as(second)("/accounts")).status).toBe(401);
  expect((await call(partner, "/snapTrade/deleteUser", removal)).status).toBe(404);

  const personal = snap.book.addPartner({ isPersonal: true });
  const refused = await call(personal, "/snapTrade/registerUser", { method: "POST", body });
  expect(refused.body).toMatchObject({ status_code: 400, code: "1012" });
  expect((await call(personal, "/accounts")).body).toEqual([]);
  expect(snap.violations).toEqual(["POST /snapTrade/registerUser with a Personal key"]);
  expect((await call(personal, "/accounts", { query: { userId: "me", userSecret: "mine" } })).status).toBe(200);
  expect(snap.violations).toHaveLength(2);
});

it("SnapTrade: not read yet is not empty, a disabled connection goes on with what was read last, a brokerage that is down has 503 where nothing was read", async () => {
  const snap = await openSnapTrade();
  const { larch, login, margin, instruments } = furnish(snap.book);
  const user = await snap.register(snap.book.addPartner());
  const get = snap.as(user);
  snap.book.isFirstSyncHeld = true;
  const connection = snap.book.connect(user, larch, login, "read");
  const id = connection.accounts[0]?.id;
  const status = async () => (await get("/accounts")).body[0].sync_status;
  const never = { initial_sync_completed: false, last_successful_sync: null };
  expect(await status()).toEqual({ transactions: { ...never, first_transaction_date: null }, holdings: never });
  expect((await get(`/accounts/${id}/positions/all`)).body.results).toEqual([]);
  expect((await get(`/accounts/${id}/balances`)).body).toEqual([]);
  expect((await get(`/accounts/${id}/activities`)).body.pagination.total).toBe(0);
  snap.habits.early = "425";
  expect((await get(`/accounts/${id}/positions/all`)).body).toMatchObject({ status_code: 425, code: "3012" });
  larch.isDown = true;
  expect((await get(`/accounts/${id}/balances`)).body).toMatchObject({ status_code: 503, code: "3002" });
  larch.isDown = false;
  snap.book.finishFirstSync("holdings");
  expect(await status()).toMatchObject({
    transactions: { initial_sync_completed: false },
    holdings: { initial_sync_completed: true, last_successful_sync: "2026-11-20 15:00:00.123000+00:00" },
  });
  snap.book.finishFirstSync();
  expect(await status()).toMatchObject({
    transactions: { last_successful_sync: "2026-11-19", first_transaction_date: "2026-08-22" },
  });
  const apple = async () => (await get(`/accounts/${id}/positions/all`)).body.results[0].price;
  margin.price(instruments.apple, "210");
  expect(await apple()).toBe("210");
  const path = `/authorizations/${connection.id}`;
  expect((await get(`${path}/disable`, { method: "POST" })).status).toBe(200);
  margin.price(instruments.apple, "220");
  expect(await apple()).toBe("210");
  expect((await get(path)).body).toMatchObject({ disabled: true, disabled_date: "2026-11-20T15:00:00.123000Z" });
  margin.isUnavailable = true;
  snap.book.reconnect(connection, "read");
  expect((await get(`/accounts/${id}`)).body.sync_status.holdings).toMatchObject({ holdings_unavailable: true });
  expect((await get(`/accounts/${id}/positions/all`)).body.results).toEqual([]);
});

it("SnapTrade: daily data change with the day's sync or a refresh, which realtime and disabled connections do not have", async () => {
  const snap = await connected({ plan: "daily" });
  const { get, accounts, connection, margin, instruments } = snap;
  const apple = async () => (await get(`/accounts/${accounts.margin.id}/positions/all`)).body.results[0].price;
  margin.price(instruments.apple, "210");
  expect(await apple()).toBe("203.4567890123456789");
  expect((await get("/authorizations")).body).toMatchObject([{ data_freshness_mode: "delayed" }]);
  const path = `/authorizations/${connection.id}/refresh`;
  expect((await get(path, { method: "POST" })).status).toBe(200);
  expect((await get(path, { method: "POST" })).body).toMatchObject({ status_code: 429, code: "throttled" });
  expect(await apple()).toBe("203.4567890123456789");
  await snap.settle();
  expect(await apple()).toBe("210");
  snap.book.disable(connection);
  expect((await get(path, { method: "POST" })).body).toMatchObject({ status_code: 402, code: "3003" });
});

it("SnapTrade: retired addresses answer 410, unknown ones 404; both are written down", async () => {
  const { get, accounts, violations } = await connected();
  for (const name of ["holdings", "positions", "options"])
    expect((await get(`/accounts/${accounts.margin.id}/${name}`)).status).toBe(410);
  expect((await get("/holdings")).status).toBe(410);
  expect((await get(`/accounts/${accounts.margin.id}/orders`)).status).toBe(404);
  expect(violations).toHaveLength(5);
});

it("SnapTrade: 250 requests in any 60 seconds for a key, ten for an account of a Personal key, with headers that say when", async () => {
  const snap = await connected({ isPersonal: true });
  const { get, accounts } = snap;
  snap.allow(12);
  const path = `/accounts/${accounts.margin.id}/balances`;
  const limits = (headers: Headers, kind: string) =>
    ["Limit", "Remaining", "Reset"].map((name) => headers.get(`X-RateLimit-${kind}${name}`));
  for (let calls = 0; calls < 9; calls += 1) await get(path);
  snap.later(20);
  const last = await get(path);
  expect([last.status, limits(last.headers, "Account-")]).toEqual([200, ["10", "0", "40"]]);
  const over = await get(path);
  expect([over.status, limits(over.headers, "Account-"), limits(over.headers, "")]).toEqual([
    429,
    ["10", "0", "40"],
    ["12", "2", "40"],
  ]);
  expect(over.text).toBe(
    '{"detail":"Request was throttled. Expected available in 40 seconds.","status_code":429,"code":"0000"}',
  );
  expect((await get(`/accounts/${accounts.plan.id}/balances`)).status).toBe(200);
  expect((await get("/accounts")).status).toBe(200);
  const { status, headers } = await get("/accounts");
  expect([status, limits(headers, ""), limits(headers, "Account-")]).toEqual([
    429,
    ["12", "0", "40"],
    [null, null, null],
  ]);
  snap.later(40);
  expect((await get(path)).status).toBe(200);
});
