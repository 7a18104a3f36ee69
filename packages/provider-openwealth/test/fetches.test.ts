import type { FetchResult } from "@org/provider-kit";
import { requestsFor } from "@org/provider-kit/testing";
import { expect, test } from "vitest";
import { example } from "./examples.js";
import { type Asked, clientCredentials, providerOf, type Said, scriptedBank } from "./scripted-bank.js";

const requests = requestsFor("che:alpenrose", "alpenrose");
const today = "2026-11-20";
const account = { id: "a-1", type: "safekeepingAccount", referenceCurrency: "CHF" };
const equity = JSON.parse(example("positions/002-equity"));

/** Position `id` of `day`; `more` overrides its members. */
function position(id: string, day: string, more: object = {}) {
  return { ...equity, id, positionDate: day, account, ...more };
}

const ended = {
  access_token: "at-0",
  ends_at: Date.parse("2026-11-19T00:00:00Z"),
  refresh_token: "rt-0",
  refresh_ends_at: null,
};
const usable = { ...ended, ends_at: Date.parse("2026-11-21T00:00:00Z") };
const accessWith = (tokens: object | null) => ({ customer_id: "c/1", customer_number: null, tokens });

type Part = "token" | "accounts" | "positions" | "transactions" | "positions of account" | "revoke";
type Parts = Partial<Record<Part, (asked: Asked) => Said | Promise<Said>>>;

/** A bank whose customer holds one position; `parts` replaces individual answers. */
function bankWith(parts: Parts = {}) {
  let issued = 0;
  const usual: Record<Part, (asked: Asked) => Said | Promise<Said>> = {
    token: () => {
      issued += 1;
      return { body: { access_token: `at-${issued}`, expires_in: 300, refresh_token: `rt-${issued}` } };
    },
    accounts: () => ({ body: [account] }),
    positions: ({ query }) => ({ body: [position("p-1", query.date ?? "")] }),
    transactions: () => ({ body: [] }),
    "positions of account": () => ({ status: 500 }),
    revoke: () => ({}),
  };
  return scriptedBank((asked) => {
    const part = partOf(asked.path);
    return (parts[part] ?? usual[part])(asked);
  });
}

function partOf(path: string): Part {
  if (path === "/token" || path === "/revoke") return path.slice(1) as Part;
  if (path.startsWith("/v3/accounts/")) return "positions of account";
  return path.replace("/v3/customers/c%2F1/", "") as Part;
}

async function fetched(parts: Parts, { tokens = usable, since = null as Date | null } = {}) {
  const bank = bankWith(parts);
  const { provider } = await providerOf(bank);
  const result = await provider.fetch(requests.fetch(accessWith(tokens), { since }));
  return { result, asked: bank.asked, paths: (part: Part) => bank.asked.filter(({ path }) => partOf(path) === part) };
}

function snapshotOf(result: FetchResult) {
  if (result.snapshot === undefined) throw new Error(`no data: ${JSON.stringify(result)}`);
  return result.snapshot;
}

test("[C-5.114] everything of a customer, as of the positions' day, with a correlation id for each request", async () => {
  const buy = JSON.parse(example("transactions/002-equity-buy"));
  const transactions = ({ query }: Asked) => ({ body: query.date === today ? [buy] : [] });
  const { result, asked, paths } = await fetched({ transactions });
  const snapshot = snapshotOf(result);
  expect(snapshot.as_of).toEqual(new Date(`${today}T00:00:00Z`));
  expect(snapshot.portfolios).toMatchObject([
    { key: "a-1", balance: "10000", currency: "CHF", type: "S" },
    // No longer in the list of accounts, but a transaction moved something in it.
    { key: "safekeeping-account-1", balance: null, currency: "CHF", type: "S" },
  ]);
  expect(snapshot.holdings).toMatchObject([{ key: "p-1", portfolio_key: "a-1", amount: "1000" }]);
  expect(snapshot.transactions).toHaveLength(1);
  expect(result).not.toHaveProperty("access");
  const ids = asked.map(({ headers }) => headers["x-correlation-id"] ?? "");
  expect(new Set(ids).size).toBe(asked.length);
  expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  // 90 days and today, each once.
  const days = paths("transactions").map(({ query }) => query.date);
  expect([days.length, new Set(days).size]).toEqual([91, 91]);
  expect([days.toSorted()[0], days.toSorted()[90]]).toEqual(["2026-08-22", today]);
});

test("[C-5.112] later on transactions are read from four days before what is known", async () => {
  const { paths } = await fetched({}, { since: new Date("2026-11-18T00:00:00Z") });
  const days = paths("transactions").map(({ query }) => query.date);
  expect(days.toSorted()).toEqual(Array.from({ length: 7 }, (_, index) => `2026-11-${14 + index}`));
});

test("[C-5.109] figures keep the digits of the JSON text", async () => {
  const text = JSON.stringify([position("p-1", today)])
    .replace('"value":1000', '"value":1000.000100')
    .replace(/"amount":10000/g, '"amount":12345678901234567.10');
  const { result } = await fetched({ positions: () => ({ body: text }) });
  expect(snapshotOf(result).holdings).toMatchObject([{ amount: "1000.000100", balance: "12345678901234567.10" }]);
  expect(snapshotOf(result).portfolios).toMatchObject([{ balance: "12345678901234567.10" }]);
});

test("[C-5.110] before the night's work the bank has nothing of today: the latest confirmed day counts", async () => {
  const positions = ({ query }: Asked): Said => {
    if (query.end_of_day_indicator !== "true") return { status: 500 };
    if (query.date === today) return { status: 404, body: { type: "/problems/RESOURCE_NOT_READY" } };
    return { body: query.date === "2026-11-18" ? [position("p-1", "2026-11-18")] : [] };
  };
  const { result } = await fetched({ positions });
  expect(snapshotOf(result).as_of).toEqual(new Date("2026-11-18T00:00:00Z"));
});

test("[C-5.110] a bank that confirms nothing is read as it stands; one that holds nothing has an empty list", async () => {
  const positions = ({ query }: Asked) => ({
    body: query.end_of_day_indicator === undefined ? [position("p-1", today, { endOfDayIndicator: false })] : [],
  });
  const unconfirmed = await fetched({ positions }, { since: new Date(today) });
  expect(snapshotOf(unconfirmed.result).holdings).toHaveLength(1);
  expect(unconfirmed.paths("transactions").map(({ query }) => query.end_of_day_indicator)).toEqual(
    Array(5).fill(undefined),
  );
  const nothing = await fetched({ positions: () => ({ body: [] }) }, { since: new Date(today) });
  expect(snapshotOf(nothing.result)).toMatchObject({ holdings: [], portfolios: [{ balance: "0" }] });
});

test("[C-5.113] a bank that prepares its positions is asked again later", async () => {
  const notReady = { status: 404, body: { type: "/problems/RESOURCE_NOT_READY" } };
  const { result } = await fetched({ positions: () => notReady });
  expect(result).toEqual({ pending: { retry_after: 900, state: null } });
});

test("[C-5.110] a list that changes while it is read is begun again, and given up after three times", async () => {
  let reads = 0;
  const changing = (times: number, second: () => Said) => {
    reads = 0;
    return ({ query }: Asked): Said => {
      if (query.cursor === undefined) {
        reads += 1;
        return { body: [position("p-1", today)], headers: { nextcursor: "2" } };
      }
      return reads <= times ? second() : { body: [position("p-2", today)] };
    };
  };
  const faults: (() => Said)[] = [
    () => ({ body: [position("p-2", "2026-11-19")] }),
    () => ({ body: [position("p-1", today, { quantity: { type: "unit", value: 7 } })] }),
    () => ({ status: 400 }),
  ];
  for (const fault of faults) {
    const { result } = await fetched({ positions: changing(2, fault) }, { since: new Date(today) });
    expect(snapshotOf(result).holdings?.map(({ key }) => key)).toEqual(["p-1", "p-2"]);
    expect(reads).toBe(4);
    await expect(fetched({ positions: changing(6, fault) })).rejects.toThrow("kept changing");
  }
});

test("[C-5.110] a position that goes while the list is read does not hide another one", async () => {
  let held = [position("p-1", today), position("p-2", today), position("p-3", today)];
  // Cursors count rows, one per page.
  const positions = ({ query }: Asked): Said => {
    const from = Number(query.cursor ?? 0);
    const said = {
      body: held.slice(from, from + 1),
      headers: { nextcursor: from + 1 < held.length ? `${from + 1}` : "" },
    };
    if (from === 0) held = held.filter(({ id }) => id !== "p-1");
    return said;
  };
  const { result } = await fetched({ positions }, { since: new Date(today) });
  expect(snapshotOf(result).holdings?.map(({ key }) => key)).toEqual(["p-2", "p-3"]);
});

test("a page that comes twice counts once; pages that do not end are not followed", async () => {
  const twice = ({ query }: Asked): Said => ({
    body: [position("p-1", today)],
    headers: { "x-next-cursor": query.cursor === undefined ? "2" : "" },
  });
  const { result } = await fetched({ positions: twice }, { since: new Date(today) });
  expect(snapshotOf(result).holdings).toHaveLength(1);
  const circle = () => ({ body: [position("p-1", today)], headers: { nextcursor: "again" } });
  await expect(fetched({ positions: circle })).rejects.toThrow("do not end");
  await expect(fetched({ accounts: () => ({ body: [], headers: { nextcursor: "again" } }) })).rejects.toThrow(
    "do not end",
  );
});

test("hundreds of accounts are read one by one where the bank does not give all at once, four at a time", async () => {
  const accounts = Array.from({ length: 300 }, (_, index) => ({ ...account, id: `a-${index}` }));
  let atOnce = 0;
  let most = 0;
  const { result, paths } = await fetched(
    {
      accounts: ({ query }) => {
        const from = Number(query.cursor ?? 0);
        return {
          body: accounts.slice(from, from + 100),
          headers: { nextcursor: from < 200 ? String(from + 100) : "" },
        };
      },
      positions: () => ({ status: 400, body: { type: "/problems/RESOURCE_TOO_LARGE" } }),
      "positions of account": async ({ path }) => {
        atOnce += 1;
        most = Math.max(most, atOnce);
        await new Promise(setImmediate);
        atOnce -= 1;
        const id = path.split("/")[3] ?? "";
        return { body: [position(`p-${id}`, today, { account: { ...account, id } })] };
      },
    },
    { since: new Date(today) },
  );
  expect(snapshotOf(result).portfolios).toHaveLength(300);
  expect(snapshotOf(result).holdings).toHaveLength(300);
  expect(paths("positions of account")).toHaveLength(300);
  expect(most).toBe(4);
});

test("a token that has ended is exchanged before the first request, once, and the new ones come back", async () => {
  const { result, paths } = await fetched({}, { tokens: ended });
  expect(paths("token")).toHaveLength(1);
  expect(paths("token")[0]?.form).toEqual({ grant_type: "refresh_token", refresh_token: "rt-0" });
  expect(snapshotOf(result).holdings).toHaveLength(1);
  expect(result.access).toEqual(
    accessWith({ ...ended, access_token: "at-1", ends_at: expect.any(Number), refresh_token: "rt-1" }),
  );
});

test("[C-5.111] a token that ends in the middle is exchanged once for all requests that are under way", async () => {
  const stale = (said: Said) => (asked: Asked) =>
    asked.headers.authorization === "Bearer at-0" ? { status: 401 } : said;
  const { result, paths } = await fetched({ transactions: stale({ body: [] }) });
  expect(paths("token")).toHaveLength(1);
  expect(snapshotOf(result).transactions).toEqual([]);
  expect(result.access).toMatchObject({ tokens: { refresh_token: "rt-1" } });
  const problem = { status: 403, body: { type: "/problems/EXPIRED_TOKEN" } };
  const named = await fetched({
    positions: (asked) => (asked.headers.authorization === "Bearer at-0" ? problem : { body: [] }),
  });
  expect(named.paths("token")).toHaveLength(1);
});

test("a bank that gives no new refresh token lets the old one stand", async () => {
  const token = () => ({ body: { access_token: "at-9" } });
  const { result } = await fetched({ token }, { tokens: ended });
  expect(result.access).toEqual(accessWith({ ...ended, access_token: "at-9", ends_at: null }));
});

test.each<[string, Parts, object]>([
  ["data", {}, {}],
  [
    "refused",
    { accounts: () => ({ status: 403, body: { type: "/problems/NO_ACCESS_TO_RESOURCE" } }) },
    { refused: "rejected" },
  ],
  ["refused for another reason", { accounts: () => ({ status: 404 }) }, { refused: "rejected" }],
  ["a new token that is not accepted", { accounts: () => ({ status: 401 }) }, { refused: "rejected" }],
  ["throttled", { positions: () => ({ status: 429, retry_after: 17 }) }, { throttled: { retry_after: 17 } }],
  ["throttled among many", { transactions: () => ({ status: 429 }) }, { throttled: { retry_after: 60 } }],
  ["busy, with a time", { positions: () => ({ status: 503, retry_after: 25 }) }, { throttled: { retry_after: 25 } }],
  [
    "pending",
    { positions: () => ({ status: 503, body: { type: "/problems/RESOURCE_NOT_READY" } }) },
    { pending: { retry_after: 900 } },
  ],
  [
    "a failure",
    { positions: () => ({ status: 500, body: { type: "/problems/TECHNICAL_ERROR", detail: "rt-1" } }) },
    {
      failed: {
        message: expect.stringMatching(/^alpenrose answered 500 \(TECHNICAL_ERROR\), correlation id [-0-9a-f]+$/),
      },
    },
  ],
  [
    "half a list",
    { positions: () => ({ body: [{ id: "p" }] }) },
    { failed: { message: expect.stringContaining("not as described") } },
  ],
  [
    "a cut connection",
    {
      transactions: () => {
        throw new Error("the other side hung up");
      },
    },
    { failed: { message: "the other side hung up" } },
  ],
])("[C-5.111] new tokens are never lost: %s", async (_, parts, outcome) => {
  const { result } = await fetched(parts, { tokens: ended });
  expect(result).toMatchObject(outcome);
  const last = result.access as { tokens: { refresh_token: string } } | undefined;
  expect(last?.tokens.refresh_token).toMatch(/^rt-[12]$/);
});

test("a token that comes back while another request fails is not lost either", async () => {
  let release = () => {};
  const refused = new Promise<void>((resolve) => {
    release = resolve;
  });
  let issued = 0;
  const token = async () => {
    release();
    await new Promise(setImmediate);
    issued += 1;
    return { body: { access_token: `at-${issued}`, refresh_token: `rt-${issued}` } };
  };
  const transactions = async (asked: Asked): Promise<Said> => {
    if (asked.query.date === "2026-08-22") return { status: 401 };
    await refused;
    return { status: 429 };
  };
  const { result } = await fetched({ token, transactions });
  expect(result).toMatchObject({ access: { tokens: { refresh_token: `rt-${issued}` } } });
  expect(result.throttled ?? result.refused).toBeDefined();
});

test.each<[string, object, object, Said]>([
  ["rejected", ended, { refused: "rejected" }, { status: 400, body: { error: "invalid_grant" } }],
  [
    "consent_expired",
    { ...ended, refresh_ends_at: Date.parse("2026-11-20T09:00:00Z") },
    { refused: "consent_expired" },
    { status: 400, body: { error: "invalid_grant" } },
  ],
  ["sca_required", ended, { refused: "sca_required" }, { status: 400, body: { error: "login_required" } }],
  ["sca_required", { ...ended, refresh_token: null }, { refused: "sca_required" }, {}],
  ["throttled", ended, { throttled: { retry_after: 3 } }, { status: 429, retry_after: 3 }],
])("[C-5.113] a refresh token that is not accepted: %s", async (_, tokens, outcome, said) => {
  const { result } = await fetched({ token: () => said }, { tokens: tokens as typeof ended });
  expect(result).toEqual(outcome);
});

test("a client that is refused is a failure of the installation, not of its customers", async () => {
  const refusing = { token: () => ({ status: 401, body: { error: "invalid_client" } }) };
  await expect(fetched(refusing, { tokens: ended })).rejects.toThrow("invalid_client");
  const { provider } = await providerOf(bankWith(refusing), { auth: clientCredentials });
  await expect(provider.fetch(requests.fetch(accessWith(null)))).rejects.toThrow("invalid_client");
});

test("the consent ends with the refresh token, where the bank says so and it is no short one", async () => {
  const token = (lifetime: number) => () => ({
    body: { access_token: "at", refresh_token: "rt", refresh_token_expires_in: lifetime },
  });
  const long = await fetched({ token: token(90 * 86_400) }, { tokens: ended });
  expect(long.result).toMatchObject({ consent_expires_at: new Date("2027-02-18T10:00:00Z") });
  const short = await fetched({ token: token(86_400) }, { tokens: ended });
  expect(short.result).toMatchObject({ consent_expires_at: null });
});

test("without transactions the rest arrives", async () => {
  for (const status of [403, 501]) {
    const { result } = await fetched({ transactions: () => ({ status }) });
    expect(snapshotOf(result)).toMatchObject({ transactions: null, holdings: [{ key: "p-1" }] });
  }
});

test("[C-5.113] a short wait is waited for, and a longer one keeps the days that are read for the next fetch", async () => {
  // Allows this many requests; a pause allows more.
  let left = 20;
  const limited = (wait: number) => (said: (asked: Asked) => Said) => (asked: Asked) => {
    left -= 1;
    return left < 0 ? { status: 429, retry_after: wait } : said(asked);
  };
  const buy = JSON.parse(example("transactions/002-equity-buy"));
  const booked = ({ query }: Asked): Said => ({ body: query.date === "2026-08-25" ? [buy] : [] });
  const short = bankWith({ transactions: limited(2)(booked) });
  const { provider, time } = await providerOf(short);
  const patient = provider.fetch(requests.fetch(accessWith(usable)));
  // The first wait is the time limit of the read.
  for (let pauses = 1; pauses < 5; pauses += 1) {
    await expect.poll(() => time.waits.length, { timeout: 60_000 }).toBe(1 + pauses);
    left = 20;
    time.waits[pauses]?.();
  }
  expect(snapshotOf(await patient).transactions).toHaveLength(1);

  left = 20;
  const long = bankWith({ transactions: limited(60)(booked) });
  const impatient = await providerOf(long);
  let result = await impatient.provider.fetch(requests.fetch(accessWith(usable)));
  let rounds = 0;
  for (; result.pending !== undefined && rounds < 10; rounds += 1) {
    expect(result.pending.retry_after).toBe(60);
    left = 20;
    result = await impatient.provider.fetch(
      requests.fetch(accessWith(usable), { pending_state: result.pending.state }),
    );
  }
  expect([rounds, snapshotOf(result).transactions?.length]).toEqual([4, 1]);
  // Without new days there is no progress, so the bank's own waiting time applies.
  left = 0;
  const none = await impatient.provider.fetch(requests.fetch(accessWith(usable)));
  expect(none).toEqual({ throttled: { retry_after: 60 } });
});

test("[C-5.136] where nobody waits, a read that is slowed down gives its place back as soon as nothing is lost by that", async () => {
  const planned = { refresh: true, since: new Date("2026-11-18T00:00:00Z") };
  const slow = { status: 429, retry_after: 2 };
  const before = await providerOf(bankWith({ accounts: () => slow }));
  expect(await before.provider.fetch(requests.fetch(accessWith(usable), planned))).toEqual({
    throttled: { retry_after: 2 },
  });

  // In the middle it waits, also at the first day of transactions: everything would have to be read again.
  let left = 2;
  const limited = (said: (asked: Asked) => Said) => (asked: Asked) => {
    left -= 1;
    return left < 0 ? slow : said(asked);
  };
  const positions = limited(({ query }) => ({ body: [position("p-1", query.date ?? "")] }));
  const { provider, time } = await providerOf(
    bankWith({
      accounts: limited(() => ({ body: [account] })),
      positions,
      transactions: limited(() => ({ body: [] })),
    }),
  );
  const begun = provider.fetch(requests.fetch(accessWith(usable), planned));
  await expect.poll(() => time.waits.length, { timeout: 60_000 }).toBe(2);
  left = 4;
  time.waits[1]?.();
  const interrupted = await begun;
  const kept = interrupted.pending?.state as { days: object } | undefined;
  expect([interrupted.pending?.retry_after, Object.keys(kept?.days ?? {}).length]).toEqual([2, 4]);
  left = 5;
  const rest = { ...planned, pending_state: kept };
  expect(snapshotOf(await provider.fetch(requests.fetch(accessWith(usable), rest))).holdings).toHaveLength(1);
  // One wait of each read is its time limit.
  expect(time.waits).toHaveLength(3);
});

test("what a bank sends as null is left out; figures that cannot be stored are, too, with a line in the log", async () => {
  const text = JSON.stringify([{ ...position("p-1", today), costPrice: null, name: null }]).replace(
    '"value":1000',
    '"value":0.100000000000000000000001',
  );
  const { provider, warnings } = await providerOf(bankWith({ positions: () => ({ body: text }) }));
  const result = await provider.fetch(requests.fetch(accessWith(usable), { since: new Date(today) }));
  expect(snapshotOf(result).holdings).toMatchObject([{ amount: null, balance: "10000" }]);
  expect(warnings).toEqual([expect.stringContaining('{"bank":"alpenrose","figures":1}')]);
});

test("a read that takes too long is given up in time to hand back new tokens; an abort is obeyed", async () => {
  let slow = () => {};
  const reached = new Promise<void>((resolve) => {
    slow = resolve;
  });
  const hanging = ({ signal }: Asked) =>
    new Promise<Said>((_, reject) => {
      slow();
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
  const { provider, time } = await providerOf(bankWith({ positions: hanging }));
  const reading = provider.fetch(requests.fetch(accessWith(ended)));
  await reached;
  time.waits[0]?.();
  expect(await reading).toMatchObject({
    failed: { message: expect.stringContaining("took longer") },
    access: { tokens: { refresh_token: "rt-1" } },
  });
  const cut = new AbortController();
  const aborted = provider.fetch(requests.fetch(accessWith(usable), { signal: cut.signal }));
  await new Promise(setImmediate);
  cut.abort(new Error("enough"));
  await expect(aborted).rejects.toThrow("enough");
});

test("an access that does not go with the settings any more is rejected, unasked", async () => {
  for (const access of [null, { customer_id: 1 }, accessWith(null)]) {
    const bank = bankWith();
    const { provider } = await providerOf(bank);
    expect(await provider.fetch(requests.fetch(access))).toEqual({ refused: "rejected" });
    expect(bank.asked).toHaveLength(0);
  }
});

test("a removed connection gives its tokens back, and may do so twice", async () => {
  const bank = bankWith();
  const { provider } = await providerOf(bank);
  await provider.revoke?.(requests.revoke(accessWith(usable)));
  expect(bank.asked.map(({ form }) => form)).toEqual([
    { token: "rt-0", token_type_hint: "refresh_token" },
    { token: "at-0", token_type_hint: "access_token" },
  ]);
  const known = bankWith({ revoke: () => ({ status: 400, body: { error: "invalid_token" } }) });
  await (await providerOf(known)).provider.revoke?.(requests.revoke(accessWith(usable)));
  const away = bankWith({ revoke: () => ({ status: 500 }) });
  await expect((await providerOf(away)).provider.revoke?.(requests.revoke(accessWith(usable)))).rejects.toThrow("500");
  const ours = bankWith();
  await (await providerOf(ours, { auth: clientCredentials })).provider.revoke?.(requests.revoke(accessWith(null)));
  expect(ours.asked).toHaveLength(0);
});
