import {
  type BankProvider,
  createPace,
  type HttpClient,
  hostsIn,
  type LoginStep,
  type SnapshotData,
} from "@org/provider-kit";
import { createHttpClient } from "@org/provider-kit/http";
import { conformanceCases, type InstitutionMode, requestsFor } from "@org/provider-kit/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import definition from "../src/index.js";
import { larkspur, larkspurQueries, truthOf } from "./stand-in/customers.js";
import { type FlexServiceOptions, startFlexService } from "./stand-in/flex-service.js";
import type { FlexTruth } from "./stand-in/truth.js";

const requests = requestsFor("usa:interactive-brokers");
const start = Date.parse("2026-11-20T06:00:00Z");
const minutes = 60_000;

/** The stand-in and the kit's services on one clock, which moves when a call waits. */
async function institution(options: Partial<FlexServiceOptions> = {}, timeout_ms?: number) {
  let now = start;
  const clock = () => new Date(now);
  const sleep = async (milliseconds: number) => {
    now += milliseconds;
  };
  const token = larkspur();
  const service = await startFlexService({ clock, tokens: [token], ...options });
  const settings = definition.settings.parse({ base_url: service.base_url });
  const client = createHttpClient({ hosts: hostsIn(settings), clock });
  onTestFinished(async () => {
    await client.close();
    await service.close();
  });
  const http: HttpClient = timeout_ms ? { request: (request) => client.request({ ...request, timeout_ms }) } : client;
  const pace = createPace({ clock, sleep });
  const log = { info: () => undefined, warn: () => undefined };
  const random = (bytes: number) => new Uint8Array(bytes);
  const provider = await definition.create({ settings, http, clock, random, sleep, log, pace });
  return { service, settings, http, provider, token, sleep };
}

type Provider = Omit<BankProvider, "name">;
const login = (provider: Provider, token: string, query_id: string) =>
  provider.login(requests.login({ token, query_id }));

async function entered(provider: Provider, token: string, query_id: string = larkspurQueries.activity) {
  const step = await login(provider, token, query_id);
  if (step.kind !== "authenticated") throw new Error(`login came to ${step.kind}`);
  return step;
}

/** Refreshes as often as the institution asks, until it has prepared the data. */
async function refreshed(
  { provider, sleep }: Awaited<ReturnType<typeof institution>>,
  access: unknown,
  pending: unknown = null,
) {
  let state = pending;
  for (let round = 0; round < 200; round += 1) {
    const fetched = await provider.fetch(requests.fetch(access, { refresh: true, pending_state: state }));
    const later = fetched.pending ?? fetched.throttled;
    if (!later) return fetched;
    state = fetched.pending ? JSON.parse(JSON.stringify(fetched.pending.state)) : state;
    await sleep(later.retry_after * 1_000);
  }
  throw new Error("pending for good");
}

/** Compares a snapshot with the truth; what the truth leaves open is taken from the snapshot. */
function expectTruth(snapshot: SnapshotData | undefined, truth: FlexTruth) {
  expect(snapshot?.as_of).toEqual(new Date(truth.as_of));
  expect(snapshot?.portfolios?.map(({ key, currency, balance }) => ({ account: key, currency, balance }))).toEqual(
    truth.portfolios,
  );
  const held = new Map(snapshot?.holdings?.map((row) => [`${row.portfolio_key} ${row.key}`, row]));
  expect(held.size).toBe(snapshot?.holdings?.length);
  expect([...held.keys()].sort()).toEqual(
    truth.holdings
      .map(({ account, conid, currency }) => `${account} ${conid === null ? `CASH:${currency}` : `CONID:${conid}`}`)
      .sort(),
  );
  for (const { account, conid, price_unit, ...figures } of truth.holdings) {
    const row = held.get(`${account} ${conid === null ? `CASH:${figures.currency}` : `CONID:${conid}`}`);
    expect(row).toMatchObject({ subtype: null, ...figures });
    if (price_unit) expect(row?.price_unit ?? "currency").toBe(price_unit);
  }
  const moved = new Map(
    snapshot?.transactions?.map((row) => [
      `${row.portfolio_key} ${row.key?.replace(/:(?:cancelled|CONID:\d+)$/, "")}`,
      row,
    ]),
  );
  expect(moved.size).toBe(snapshot?.transactions?.length);
  expect([...moved.keys()].sort()).toEqual(
    truth.transactions.map(({ account, id }) => `${account} transactionID:${id}`).sort(),
  );
  for (const { account, id, trade_id: _, conid, balance, ...figures } of truth.transactions) {
    const row = moved.get(`${account} transactionID:${id}`);
    expect(row).toMatchObject(figures);
    expect(row?.balance ?? "0").toBe(balance ?? "0");
    if (conid !== null && figures.kind !== "fx") expect(row?.holding_key).toBe(`CONID:${conid}`);
  }
}

/** Supplements `judged.test.ts`, which the author of the stand-in wrote. */
describe("[C-5.100] Interactive Brokers against the stand-in", () => {
  it("[C-5.120] brings every fact that the truth tells, digit by digit, on the first day and on the next", async () => {
    const query = larkspurQueries.activity;
    const bank = await institution();
    const { access, user_key } = await entered(bank.provider, bank.token.value, query);
    expect(user_key).toBe("accounts U7000001 U7000002 U7000003");
    const first = await bank.provider.fetch(requests.fetch(access));
    expectTruth(first.snapshot, truthOf(bank.token, query, "first"));
    expect(bank.service.begun.get(query)).toBe(1);

    bank.service.publishNextDay();
    await bank.sleep(24 * 60 * minutes);
    const next = await refreshed(bank, access);
    expectTruth(next.snapshot, truthOf(bank.token, query, "second", false));
    expect(bank.service.violations).toEqual([]);
  });

  it("[C-5.102] a reference that the institution forgets is asked for anew, and what runs out meanwhile is told", async () => {
    const bank = await institution();
    const { access } = await entered(bank.provider, bank.token.value);
    await bank.sleep(2 * minutes);
    bank.service.takeToGenerate(minutes);
    const waiting = await bank.provider.fetch(requests.fetch(access, { refresh: true }));
    expect(waiting.pending).toBeDefined();
    bank.service.forgetReferences();
    bank.service.takeToGenerate(0);
    await bank.sleep(minutes / 4);
    const again = { refresh: true, pending_state: waiting.pending?.state };
    const anew = await bank.provider.fetch(requests.fetch(access, again));
    // The request for another statement waits for its own turn.
    expect(anew.pending?.state).toMatchObject({ renewed: true, reference: null });
    const { snapshot } = await refreshed(bank, access, anew.pending?.state);
    expect(snapshot?.portfolios).toHaveLength(3);

    bank.service.takeToGenerate(minutes);
    const late = await bank.provider.fetch(requests.fetch(access, { refresh: true }));
    bank.token.expires_at = new Date(start);
    await bank.sleep(2 * minutes);
    const over = { refresh: true, pending_state: late.pending?.state };
    expect(await bank.provider.fetch(requests.fetch(access, over))).toEqual({ refused: "rejected" });
  });

  it("[C-5.101] a token for another address, and a service that is switched off", async () => {
    const { provider, token } = await institution();
    const { access } = await entered(provider, token.value);
    token.address = "203.0.113.7";
    expect(nameOf(await login(provider, token.value, larkspurQueries.activity))).toBe("UserInteractionNeeded");
    const waitedFor = { refresh: true, awaited: true };
    expect(await provider.fetch(requests.fetch(access, waitedFor))).toEqual({ refused: "blocked" });
    Object.assign(token, { address: null, is_active: false });
    expect(await provider.fetch(requests.fetch(access, waitedFor))).toEqual({ refused: "rejected" });
    expect(await login(provider, "000000000000000000000000", "1")).toEqual({ kind: "rejected" });
    expect(await login(provider, token.value, "9999999")).toMatchObject({ kind: "failed" });
  });

  it.each([
    ["cut in the middle", { kind: "cut_in_the_middle" }, /no whole answer/],
    ["half", { kind: "half" }, /cannot be read: line \d+/],
    ["a proxy's page", { kind: "html", status: 502 }, /502 with a web page/],
    ["too slow", { kind: "hang" }, /no answer within/],
  ] as const)(
    "[C-5.105] a statement that is %s is a failure in clean words, and the next one is good",
    async (_, problem, words) => {
      const { provider, service, token, sleep } = await institution({}, problem.kind === "hang" ? 500 : undefined);
      const { access } = await entered(provider, token.value);
      service.fail("GetStatement", problem);
      await sleep(2 * minutes);
      // The statement is ready after four seconds, at the second look.
      service.takeToGenerate(0);
      const { failed } = await provider.fetch(requests.fetch(access, { refresh: true, awaited: true }));
      expect(failed?.message).toMatch(words);
      expect(failed?.message).not.toMatch(/U7000|1234567890|1000001|Larkspur/);
      await sleep(2 * minutes);
      const good = await provider.fetch(requests.fetch(access, { refresh: true, awaited: true }));
      expect(good.snapshot?.portfolios).toHaveLength(3);
    },
  );

  it("[C-5.100] the check of the settings says whether the way is open", async () => {
    const { settings, http, service } = await institution();
    const { signal } = new AbortController();
    expect(await definition.check?.({ settings, http, clock: () => new Date(0), signal })).toMatchObject({ ok: true });
    service.fail("SendRequest", { kind: "html" });
    await expect(definition.check?.({ settings, http, clock: () => new Date(0), signal })).rejects.toThrow(
      /a web page/,
    );
  });
});

describe("[C-10.22] the provider of Interactive Brokers", () => {
  const modes: readonly InstitutionMode[] = ["well", "hangs", "down", "nonsense", "throttles", "withdrawn"];
  const cases = conformanceCases(async () => {
    let now = start;
    const clock = () => new Date(now);
    const sleep = async (milliseconds: number, signal: AbortSignal) => {
      signal.throwIfAborted();
      now += milliseconds;
    };
    const token = larkspur();
    const service = await startFlexService({ clock, tokens: [token], generation_ms: 0 });
    const { institution } = service;
    const always = Number.POSITIVE_INFINITY;
    return {
      definition,
      settings: { base_url: service.base_url },
      connector: { connector_id: "usa:interactive-brokers", provider_ref: null },
      customer: {
        fields: { token: token.value, query_id: larkspurQueries.activity },
        wait: async () => {
          now += 15_000;
        },
      },
      stranger: { token: "000000000000000000000000", query_id: "1" },
      figures: ["25305.00000001", "10821.5201002896", "10234.567891234", "-5496.605"],
      clock,
      services: { sleep, pace: createPace({ clock, sleep }) },
      institution: {
        modes,
        asked: () => service.calls.SendRequest + service.calls.GetStatement,
        set(mode) {
          if (mode === "hangs") institution.fail(() => true, { kind: "hang" }, always);
          if (mode === "down") institution.fail(() => true, { kind: "html", status: 503 }, always);
          if (mode === "nonsense")
            institution.fail(() => true, { kind: "instead", reply: { body: `<Odd>${token.value}</Odd>` } }, always);
          if (mode === "throttles") service.answerWith(1018);
          if (mode === "withdrawn") token.is_active = false;
        },
      },
      close: () => service.close(),
    };
  });
  for (const { name, run } of cases)
    it(name, async () => {
      await run();
    });
});

function nameOf(step: LoginStep): string {
  return step.kind === "failed" ? step.error_code : step.kind;
}
