import { createHash } from "node:crypto";
import { expect, it, onTestFinished } from "vitest";
import { type SaxoApp, startSaxo } from "./saxo.js";
import { furnish } from "./saxo-book.js";

const REDIRECT = "https://wealth.example.com/callback";
const VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE = createHash("sha256").update(VERIFIER).digest("base64url");

async function bank(app?: SaxoApp) {
  let now = Date.parse("2026-11-20T15:00:00Z");
  const saxo = await startSaxo({ clock: () => new Date(now), ...(app && { app }) });
  onTestFinished(() => saxo.close());
  saxo.register(REDIRECT);
  async function authorize(more: Record<string, string> = {}) {
    const query = new URLSearchParams({
      response_type: "code",
      client_id: saxo.app.key,
      redirect_uri: REDIRECT,
      state: "y90dsygas98dygoidsahf8sa",
      code_challenge: CHALLENGE,
      code_challenge_method: "S256",
      ...more,
    });
    const answer = await fetch(`${saxo.authorization_url}?${query}`, { redirect: "manual" });
    const back = new URL(answer.headers.get("location") ?? "https://none.example.com");
    return { status: answer.status, ...Object.fromEntries(back.searchParams) } as Record<string, string | number>;
  }
  async function token(form: Record<string, string>, secret: string | null = saxo.app.secret) {
    const basic = `Basic ${Buffer.from(`${saxo.app.key}:${secret}`).toString("base64")}`;
    const answer = await fetch(saxo.token_url, {
      method: "POST",
      headers: secret === null ? {} : { authorization: basic },
      body: new URLSearchParams(form),
    });
    const body = (await answer.json()) as { readonly access_token: string; readonly refresh_token: string };
    return { status: answer.status, ...body };
  }
  const exchange = async (more: Record<string, string> = {}) =>
    token({
      grant_type: "authorization_code",
      code: String((await authorize()).code),
      redirect_uri: REDIRECT,
      code_verifier: VERIFIER,
      ...more,
    });
  let accessToken = "";
  async function get(path: string) {
    const url = path.startsWith("http") ? path : saxo.institution.url + path;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${accessToken}` } });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, body: text ? JSON.parse(text) : null };
  }
  return {
    ...saxo,
    authorize,
    token,
    exchange,
    get,
    ofOpenApi: (path: string) => get(`/openapi${path}`),
    use: (token: string) => {
      accessToken = token;
    },
    later: (seconds: number) => {
      now += seconds * 1000;
    },
  };
}

async function openBank() {
  const saxo = await bank();
  saxo.use((await saxo.exchange()).access_token);
  const client = `ClientKey=${encodeURIComponent(saxo.book.client.key)}`;
  return { ...saxo, ...furnish(saxo.book), client };
}

it("[C-5.190] Saxo: a code for a registered address, once, with its verifier; tokens of 20 minutes and an hour, each refresh token used once", async () => {
  const saxo = await bank();
  expect(await saxo.authorize()).toMatchObject({ status: 302, state: "y90dsygas98dygoidsahf8sa" });
  expect(await saxo.authorize({ redirect_uri: "https://other.example.com" })).toEqual({ status: 400 });
  expect(await saxo.authorize({ client_id: "other" })).toEqual({ status: 400 });
  expect(await saxo.authorize({ response_type: "token" })).toMatchObject({ error: "unsupported_response_type" });
  saxo.agree(false);
  expect(await saxo.authorize()).toMatchObject({ error: "access_denied", state: "y90dsygas98dygoidsahf8sa" });
  saxo.agree(true);
  const refused = { status: 400, error: "invalid_grant" };
  expect(await saxo.exchange({ code_verifier: `${VERIFIER}0` })).toEqual(refused);
  expect(await saxo.exchange({ redirect_uri: "https://other.example.com" })).toEqual(refused);
  const form = { grant_type: "authorization_code", redirect_uri: REDIRECT, code_verifier: VERIFIER };
  const code = String((await saxo.authorize()).code);
  expect(await saxo.token({ ...form, code }, "wrong")).toEqual({ status: 401, error: "invalid_client" });
  const first = await saxo.token({ ...form, code });
  expect(first).toMatchObject({
    status: 201,
    token_type: "Bearer",
    expires_in: 1200,
    refresh_token_expires_in: 3600,
  });
  expect(await saxo.token({ ...form, code })).toEqual(refused);
  const renew = (refresh_token: string) => saxo.token({ grant_type: "refresh_token", refresh_token });
  saxo.use(first.access_token);
  expect((await saxo.ofOpenApi("/port/v1/users/me")).status).toBe(200);
  saxo.later(1200);
  expect(await saxo.ofOpenApi("/port/v1/users/me")).toMatchObject({ status: 401, text: "" });
  const second = await renew(first.refresh_token);
  expect(second.status).toBe(201);
  expect(await renew(first.refresh_token)).toEqual(refused);
  saxo.use(second.access_token);
  expect((await saxo.ofOpenApi("/port/v1/users/me")).status).toBe(200);
  saxo.later(3600);
  expect(await renew(second.refresh_token)).toEqual(refused);
  const third = await saxo.exchange();
  saxo.use(third.access_token);
  saxo.expire();
  expect((await saxo.ofOpenApi("/port/v1/users/me")).status).toBe(401);
  saxo.revoke();
  expect(await renew(third.refresh_token)).toEqual(refused);
});

it("[C-5.190] Saxo: an application without a secret needs a challenge", async () => {
  const saxo = await bank({ key: "native", secret: null });
  expect(await saxo.authorize({ code_challenge_method: "S512" })).toMatchObject({ error: "invalid_request" });
  expect(await saxo.exchange({ client_id: "native" })).toMatchObject({ status: 201 });
  expect(await saxo.exchange({ client_id: "other" })).toEqual({ status: 401, error: "invalid_client" });
});

it("[C-5.190] Saxo: accounts, balances in the currency of what was asked, positions to the digit, by field groups", async () => {
  const saxo = await openBank();
  const { client, eur, usd, positions } = saxo;
  const { body: me } = await saxo.ofOpenApi("/port/v1/clients/me");
  expect(me).toMatchObject({ ClientKey: saxo.book.client.key, DefaultCurrency: "EUR", DefaultAccountId: eur.id });
  const { body: accounts } = await saxo.ofOpenApi("/port/v1/accounts/me");
  expect(accounts.Data).toMatchObject([
    { AccountKey: eur.key, Currency: "EUR" },
    { AccountKey: usd.key, Currency: "USD" },
  ]);
  const inDollars = `${client}&AccountKey=${encodeURIComponent(usd.key)}`;
  // 20000.03 − 17 × 248.1337 − 1 (4218.27 by the cent) − 12.3457 × 161.9 − 6.1 (tesla) + 4.42 − 0.66.
  const { body: dollars } = await saxo.ofOpenApi(`/port/v1/balances?${inDollars}`);
  expect(dollars).toMatchObject({ Currency: "USD", CashBalance: 13779.66, TransactionsNotBooked: 0 });
  // 17 × 271.49 + 12.3457 × 170.07, and eight short of 402.6 at 391.09.
  expect(dollars).toMatchObject({ NonMarginPositionsValue: 6714.963199, UnrealizedMarginProfitLoss: 92.08 });
  expect(dollars.TotalValue).toBe(20586.703199);
  const { body: whole } = await saxo.ofOpenApi("/port/v1/balances/me");
  expect(whole).toMatchObject({ Currency: "EUR", OpenPositionsCount: 7, NetPositionsCount: 6 });
  const groups = "FieldGroups=PositionBase,PositionView,DisplayAndFormat";
  const { body: list } = await saxo.ofOpenApi(`/port/v1/positions?${inDollars}&${groups}`);
  const [apple, fund, tesla] = list.Data;
  expect(list.Data).toHaveLength(3);
  expect(apple).toMatchObject({
    PositionId: positions.apple.id,
    PositionBase: { Amount: 17, OpenPrice: 248.1337, AccountId: usd.id, AssetType: "Stock", Uic: 211 },
    PositionView: {
      CurrentPrice: 271.49,
      MarketValue: 4615.33,
      MarketValueOpen: 4218.2729,
      ProfitLossOnTrade: 397.0571,
    },
    DisplayAndFormat: { Currency: "USD", Symbol: "AAPL:xnas" },
  });
  expect(apple.Exchange).toBeUndefined();
  expect(fund.PositionView.MarketValue).toBe(2099.633199);
  expect(tesla).toMatchObject({
    PositionBase: { Amount: -8 },
    PositionView: { Exposure: -3128.72, ProfitLossOnTrade: 92.08 },
  });
  expect(tesla.PositionView.MarketValue).toBeUndefined();
  const { body: inEuros } = await saxo.ofOpenApi("/port/v1/positions/me?FieldGroups=PositionView,DisplayAndFormat");
  expect(inEuros.Data[0].PositionBase).toBeUndefined();
  // 4615.33 × 0.8643; 15000 nominal at 77.085 percent; 10,000 euros bought.
  expect(inEuros.Data[0].PositionView.MarketValueInBaseCurrency).toBe(3989.029719);
  expect(inEuros.Data[3].PositionView.MarketValue).toBe(11562.75);
  expect(inEuros.Data[6]).toMatchObject({
    NetPositionId: "EURUSD_FxSpot",
    PositionView: { Exposure: 10000, ExposureCurrency: "EUR", ProfitLossOnTrade: 69.3 },
  });
  const { body: net } = await saxo.ofOpenApi(`/port/v1/netpositions?${client}`);
  expect(net.Data[0]).toMatchObject({
    NetPositionBase: { Amount: 20, AmountLong: 20, AmountShort: 0, Uic: 211 },
    NetPositionView: { AverageOpenPrice: 248.757145, PositionCount: 2, MarketValue: 5429.8 },
  });
  positions.world.instrument.price = null;
  const { body: unpriced } = await saxo.ofOpenApi(`/port/v1/positions?${client}&PositionId=${positions.world.id}`);
  expect(unpriced.Data).toMatchObject([
    { PositionView: { CalculationReliability: "NoMarketAccess", CurrentPrice: 0, MarketValue: 0 } },
  ]);
  const { body: instrument } = await saxo.ofOpenApi("/ref/v1/instruments/details/22041127/Bond");
  expect(instrument).toMatchObject({ CurrencyCode: "EUR", Uic: 22041127, Symbol: "DE0001102614" });
  const { body: some } = await saxo.ofOpenApi("/ref/v1/instruments/details?Uics=211,21&AssetTypes=Stock,FxSpot");
  expect(some.Data.map(({ Uic }: { Uic: number }) => Uic)).toEqual([211, 21]);
});

it("[C-5.190] Saxo: trades and bookings of days that are over, page by page; today's are not booked yet", async () => {
  const saxo = await openBank();
  const { client, eur, usd, positions, dividend } = saxo;
  const key = encodeURIComponent(saxo.book.client.key);
  const days = "FromDate=2026-01-01&ToDate=2026-12-31";
  const { body: trades } = await saxo.ofOpenApi(`/cs/v1/reports/trades/${key}?${days}`);
  expect(trades.Data).toHaveLength(9);
  expect(trades.Data[0]).toMatchObject({
    TradeEventType: "Bought",
    Amount: 17,
    Price: 248.1337,
    TradedValue: -4218.2729,
  });
  expect(trades.Data[0]).toMatchObject({ BookedAmountAccountCurrency: -4219.27, TradeDate: "2026-10-01" });
  expect(trades.Data[3]).toMatchObject({ AssetType: "Bond", TradedValue: -11464.815, AccountCurrency: "EUR" });
  expect(trades.Data[8]).toMatchObject({ TradeEventType: "Sold", Amount: -2, ToOpenOrClose: "ToClose" });
  expect(trades.Data[8]).toMatchObject({ TradedValue: 1719.9, BookedAmountAccountCurrency: 1717.9 });
  const { text } = await saxo.ofOpenApi(`/cs/v1/reports/bookings/${key}?${days}`);
  expect(text).toContain('"Amount":-1.03999996185303');
  const { body: paid } = await saxo.ofOpenApi(
    `/cs/v1/reports/bookings/${key}?FilterType=CaMasterRecordId&FilterValue=9652429`,
  );
  expect(paid.Data).toMatchObject([
    {
      BkAmountId: dividend.id,
      Amount: 4.42,
      Currency: "USD",
      AccountId: usd.id,
      Uic: 211,
      CaEventName: "Cash dividend",
    },
    { Amount: -0.66 },
  ]);
  saxo.page(4);
  const seen: string[] = [];
  const links: string[] = [];
  let next: string | undefined = `/openapi/cs/v1/reports/bookings/${key}?${days}`;
  while (next) {
    const { body } = await saxo.get(next);
    seen.push(...body.Data.map(({ BkAmountId }: { BkAmountId: string }) => BkAmountId));
    next = body.__next;
    if (next) links.push(next);
  }
  expect(seen).toEqual(saxo.book.bookings.map(({ id }) => id));
  expect(links[0]).toContain("%24skiptoken=4");
  saxo.links("addresses");
  const { body: two } = await saxo.ofOpenApi(`/port/v1/positions?${client}&$top=2&$skip=3`);
  expect(two.Data.map(({ PositionId }: { PositionId: string }) => PositionId)).toEqual([
    positions.bond.id,
    positions.fund.id,
  ]);
  expect((await saxo.get(two.__next)).body.Data[0].PositionId).toBe(positions.tesla.id);
  expect((await saxo.ofOpenApi(`/port/v1/closedpositions?${client}`)).body).toEqual({ Data: [] });
  saxo.noContent();
  expect((await saxo.ofOpenApi(`/port/v1/closedpositions?${client}`)).status).toBe(204);
  const balance = `/port/v1/balances?${client}&AccountKey=${encodeURIComponent(eur.key)}`;
  const { body: before } = await saxo.ofOpenApi(balance);
  saxo.book.close(positions.world, "113.001", { commission: "3.07" });
  const { body: today } = await saxo.ofOpenApi(balance);
  expect(today.CashBalance).toBe(before.CashBalance);
  // 41 × 113.001, less the commission.
  expect(today.TransactionsNotBooked).toBe(4629.97);
  const { body: closed } = await saxo.ofOpenApi(`/port/v1/closedpositions?${client}`);
  expect(closed.Data).toMatchObject([
    { ClosedPosition: { Amount: 41, ClosingPrice: 113.001, ClosedProfitLoss: 167.854 } },
  ]);
  const reported = async () =>
    (await saxo.ofOpenApi(`/cs/v1/reports/closedPositions/${key}/2026-11-01/2026-11-30`)).body.Data.length;
  expect(await reported()).toBe(1);
  saxo.later(86_400);
  saxo.use((await saxo.exchange()).access_token);
  expect(await reported()).toBe(2);
  expect((await saxo.ofOpenApi(balance)).body.TransactionsNotBooked).toBe(0);
});

it("[C-5.190] Saxo: faulty requests are refused by name, a session has 120 requests a minute for each group of services", async () => {
  const saxo = await openBank();
  const refused = async (path: string) => {
    const { status, body } = await saxo.ofOpenApi(path);
    return [status, body?.ErrorCode, body && Object.keys(body.ModelState)[0]];
  };
  expect(await refused("/port/v1/positions")).toEqual([400, "InvalidRequest", "ClientKey"]);
  expect(await refused("/port/v1/positions/me?Colour=red")).toEqual([400, "InvalidRequest", "Colour"]);
  expect(await refused("/port/v1/positions/me?FieldGroups=Everything")).toEqual([400, "InvalidRequest", "FieldGroups"]);
  expect(await refused("/port/v1/balances?ClientKey=other")).toEqual([401, undefined, null]);
  const reports = `/cs/v1/reports/trades/${encodeURIComponent(saxo.book.client.key)}`;
  expect(await refused(`${reports}?FromDate=2026-01-01`)).toEqual([400, "BadRequestError", "ToDate"]);
  expect(await refused(`${reports}?FromDate=1.1.2026&ToDate=2026-01-31`)).toEqual([400, "BadRequestError", "FromDate"]);
  expect(await refused(`${reports}?TradeId=1`)).toEqual([400, "BadRequestError", "AccountKey"]);
  expect((await saxo.ofOpenApi("/port/v1/orders/me")).status).toBe(404);
  expect(saxo.violations).toHaveLength(8);
  saxo.spoil("/port/v1/users/me", (body) => ({ ...body, Name: 7 }));
  expect((await saxo.ofOpenApi("/port/v1/users/me")).body.Name).toBe(7);
  saxo.spoil("/port/v1/users/me", null);
  saxo.throttle(1);
  expect((await saxo.ofOpenApi("/port/v1/users/me")).status).toBe(429);
  const { headers } = await saxo.ofOpenApi("/port/v1/users/me");
  const left = Number(headers.get("x-ratelimit-session-remaining"));
  expect([headers.get("x-ratelimit-session-limit"), headers.get("x-ratelimit-session-reset")]).toEqual(["120", "60"]);
  for (let calls = 0; calls < left; calls += 1) expect((await saxo.ofOpenApi("/port/v1/users/me")).status).toBe(200);
  saxo.later(20);
  const over = await saxo.ofOpenApi("/port/v1/users/me");
  expect([over.status, over.text, over.headers.get("x-ratelimit-session-reset")]).toEqual([429, "", "40"]);
  expect((await saxo.ofOpenApi("/ref/v1/instruments/details?Uics=21")).status).toBe(200);
  saxo.limit(false);
  expect((await saxo.ofOpenApi("/port/v1/users/me")).status).toBe(200);
  saxo.limit(true);
  saxo.later(40);
  expect((await saxo.ofOpenApi("/port/v1/users/me")).status).toBe(200);
});
