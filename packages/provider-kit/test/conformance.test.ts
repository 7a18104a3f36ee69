import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { BankProvider, FetchResult, ProviderDefinition, SnapshotData } from "../src/index.js";
import { conformanceCases } from "../src/testing/index.js";
import { smallBank, smallBankSetup } from "./small-bank.js";

describe.each(["code", "redirect"] as const)("[C-10.22] a provider that keeps every rule, by %s", (way) => {
  for (const { name, run } of conformanceCases(() => smallBankSetup(way)))
    it(name, async () => {
      await run();
    });
});

it("[C-10.22] every rule has something to hold at a bank with everything", async () => {
  const idle = async (way: "code" | "redirect") => {
    const cases = conformanceCases(() => smallBankSetup(way));
    const outcomes = await Promise.all(cases.map(async ({ name, run }) => ((await run()) === null ? null : name)));
    return outcomes.filter((name) => name !== null);
  };
  const both = await Promise.all([idle("code"), idle("redirect")]);
  expect(both[0].filter((name) => both[1].includes(name))).toEqual([]);
});

type Made = Omit<BankProvider, "name">;
// biome-ignore lint/suspicious/noExplicitAny: definitions with whatever settings.
type Definition = ProviderDefinition<any>;
type Spoil = (made: Made, given: Parameters<Definition["create"]>[0]) => Partial<Made>;

const spoilt = (spoil: Spoil): Definition => ({
  ...smallBank,
  async create(given) {
    const made = await smallBank.create(given);
    return { ...made, ...spoil(made, given) };
  },
});
const snapshots =
  (change: (snapshot: SnapshotData) => SnapshotData): Spoil =>
  ({ fetch }) => ({
    async fetch(request) {
      const result = await fetch(request);
      return result.snapshot ? { ...result, snapshot: change(result.snapshot) } : result;
    },
  });
const firstOf = <Row>(rows: readonly Row[] | null, change: Partial<Row>) =>
  rows?.map((row, index) => (index === 0 ? { ...row, ...change } : row)) ?? null;
const never = new AbortController().signal;
let serial = 0;
const nextNumber = () => {
  serial += 1;
  return serial;
};

/** For each rule, a provider that breaks it. */
const broken: readonly (readonly [rule: string, how: string, definition: Definition, way?: "redirect"])[] = [
  [
    "name, title",
    "an id without a country",
    { ...smallBank, connectors: () => [{ id: "small", name: "x", country: "che" }] },
  ],
  [
    "name, title",
    "two rows of one id",
    { ...smallBank, connectors: () => Array(2).fill({ id: "che:a", name: "x", country: "che" }) },
  ],
  [
    "a setting that it does not know",
    "a loose schema",
    { ...smallBank, settings: z.looseObject(smallBank.settings.shape) },
  ],
  ["good settings", "a check that nothing fails", { ...smallBank, check: async () => undefined }],
  ["what it asks for", "a name with spaces", spoilt(() => ({ credentialFields: () => [{ name: "user name" }] }))],
  ["what it tells before", "half a day", spoilt(() => ({ terms: () => ({ transactions: 0.5 }) }))],
  [
    "a customer gets in",
    "another user_key each time",
    spoilt(({ answer }) => ({
      answer: async (request) => ({ ...(await answer?.(request)), user_key: `${nextNumber()}` }) as never,
    })),
  ],
  [
    "a login goes on at another replica",
    "logins in memory",
    spoilt(({ login, answer }) => {
      const begun = new Set<string>();
      return {
        async login(request) {
          const step = await login(request);
          begun.add(JSON.stringify("state" in step && step.state));
          return step;
        },
        answer: async (request) =>
          begun.has(JSON.stringify(request.state)) && answer ? answer(request) : { kind: "rejected" },
      };
    }),
  ],
  [
    "state and access are JSON",
    "a date in the state",
    spoilt(({ login }) => ({
      async login(request) {
        const step = await login(request);
        return "state" in step ? { ...step, state: { ...(step.state as object), at: new Date(0) } } : step;
      },
    })),
  ],
  [
    "whoever is not known",
    "a wrong password is thrown",
    spoilt(({ login }) => ({
      async login(request) {
        const step = await login(request);
        if (step.kind === "rejected") throw new Error("401");
        return step;
      },
    })),
  ],
  [
    "a wrong answer",
    "it ends the login",
    spoilt(() => ({ answer: async () => ({ kind: "failed", error_code: "InternalError" }) })),
  ],
  [
    "what a fetch brings",
    "a fact that nobody knows",
    spoilt(snapshots((made) => ({ ...made, transactions: firstOf(made.transactions, { fee: "1" } as never) }))),
  ],
  [
    "what a fetch brings",
    "a number of a security that nobody knows",
    spoilt(
      snapshots((made) => ({ ...made, holdings: firstOf(made.holdings, { identifiers: { issin: "x" } as never }) })),
    ),
  ],
  ["a look at a challenge", "it answers nothing", spoilt(() => ({ look: async () => undefined as never }))],
  [
    "a callback is taken once",
    "it remembers who came in",
    spoilt(({ resume }) => {
      const seen = new Map<string, ReturnType<NonNullable<typeof resume>>>();
      return {
        resume(request) {
          const code = request.params.code ?? "";
          const step = seen.get(code) ?? resume?.(request) ?? Promise.reject(new Error());
          seen.set(code, step);
          return step;
        },
      };
    }),
    "redirect",
  ],
  [
    "a callback with what the institution never sent",
    "it asks nobody",
    spoilt(() => ({
      resume: async () => ({ kind: "authenticated", user_key: "customer 1", access: { token: "token-of" } }),
    })),
    "redirect",
  ],
  [
    "what a fetch brings",
    "a customer whom the login knew for good",
    spoilt(({ answer, fetch }) => ({
      answer: async (request) => ({ ...(await answer?.(request)), user_key_is_final: true }) as never,
      fetch: async (request) => ({ ...(await fetch(request)), user_key: "customer 1" }),
    })),
  ],
  [
    "what a fetch brings",
    "an amount that is a number",
    spoilt(snapshots((it) => ({ ...it, portfolios: firstOf(it.portfolios, { balance: 1 as never }) }))),
  ],
  [
    "what a fetch brings",
    "a holding of no portfolio",
    spoilt(snapshots((it) => ({ ...it, holdings: firstOf(it.holdings, { portfolio_key: "2" }) }))),
  ],
  [
    "amounts have the digits",
    "amounts went through a float",
    spoilt(
      snapshots((it) => ({
        ...it,
        portfolios: it.portfolios?.map((row) => ({ ...row, balance: String(Number(row.balance)) })) ?? null,
      })),
    ),
  ],
  [
    "keys stay",
    "keys are counted",
    spoilt(snapshots((it) => ({ ...it, holdings: firstOf(it.holdings, { key: `${nextNumber()}` }) }))),
  ],
  [
    "a fetch of what is new",
    "holdings that did not change are left out",
    spoilt(({ fetch }) => ({
      async fetch(request) {
        const result = await fetch(request);
        return result.snapshot && request.since
          ? { ...result, snapshot: { ...result.snapshot, holdings: [] } }
          : result;
      },
    })),
  ],
  [
    "a signal that has aborted",
    "it is not looked at",
    spoilt(({ fetch }) => ({ fetch: (request) => fetch({ ...request, signal: never }) })),
  ],
  [
    "an institution that is down",
    "503 is taken for a refusal",
    spoilt(({ fetch }) => ({
      fetch: (request): Promise<FetchResult> => fetch(request).catch(() => ({ refused: "blocked" })),
    })),
  ],
  [
    "an institution that answers nonsense",
    "it is taken for an empty account",
    spoilt(({ fetch }, { clock }) => ({
      fetch: (request): Promise<FetchResult> =>
        fetch(request).catch(() => ({
          snapshot: { as_of: clock(), portfolios: [], holdings: [], transactions: [] },
          consent_expires_at: null,
        })),
    })),
  ],
  [
    "an institution that wants fewer requests",
    "429 is thrown",
    spoilt(({ fetch }) => ({
      async fetch(request) {
        const result = await fetch(request);
        if (result.throttled) throw new Error("429");
        return result;
      },
    })),
  ],
  [
    "a fetch that nobody waits for",
    "it sleeps until the report is there",
    spoilt(({ fetch }, { sleep }) => ({
      async fetch(request) {
        await sleep(1, request.signal);
        return fetch(request);
      },
    })),
  ],
  [
    "a fetch that nobody waits for",
    "it waits for its turn",
    spoilt(({ fetch }, { pace }) => ({
      async fetch(request) {
        await pace("client", [{ every_ms: 1_000, calls: 1 }], request.signal);
        return fetch(request);
      },
    })),
  ],
  [
    "an access that is not accepted any more",
    "403 is thrown",
    spoilt(({ fetch }) => ({
      async fetch(request) {
        const result = await fetch(request);
        if (result.refused) throw new Error("403");
        return result;
      },
    })),
  ],
  ...(["the token of the access", "the client's secret", "the PIN"] as const).map(
    (what) =>
      [
        "no error and no line of the log",
        `${what} is in the cause of an error`,
        spoilt(({ fetch, login }, { settings }) => ({
          fetch: (request) =>
            fetch(request).catch((error: Error) => {
              const shown =
                what === "the client's secret" ? settings.client_secret : (request.access as { token: string }).token;
              throw what === "the PIN" ? error : new Error("failed", { cause: { request: [shown] } });
            }),
          login: (request) =>
            login(request).catch((error: Error) => {
              throw what === "the PIN" ? new Error(`no answer to ${JSON.stringify(request.fields)}`) : error;
            }),
        })),
      ] as const,
  ),
  [
    "no error and no line of the log",
    "the access is logged",
    spoilt(({ fetch }, { log }) => ({
      async fetch(request) {
        log.warn("a fetch", { access: JSON.stringify(request.access) });
        return fetch(request);
      },
    })),
  ],
  [
    "an access can be given back twice",
    "the second time is thrown",
    spoilt(() => {
      let isGone = false;
      return {
        async revoke() {
          if (isGone) throw new Error("unknown token");
          isGone = true;
        },
      };
    }),
  ],
  [
    "a notification",
    "anybody is believed",
    spoilt(() => ({ notify: async () => ({ kind: "changed", user_keys: ["1"] }) })),
  ],
];

for (const [rule, how, definition, way = "code"] of broken)
  it(`[C-10.22] ${rule}: ${how} is found`, async () => {
    const cases = conformanceCases(async () => ({ ...(await smallBankSetup(way)), definition }));
    const found = cases.filter(({ name }) => name.startsWith(rule));
    expect(found).toHaveLength(1);
    await expect(found[0]?.run()).rejects.toThrow();
  });

it("[C-10.22] a bank that asks for a code has to be shown a wrong one", async () => {
  const cases = conformanceCases(async () => {
    const { wrong_answer: _, ...setup } = await smallBankSetup("code");
    return setup;
  });
  await expect(cases.find(({ name }) => name.startsWith("a wrong answer"))?.run()).rejects.toThrow("wrong_answer");
});

it("[C-10.22] no rule is without a provider that breaks it, but the one that takes ten seconds to break", () => {
  const names = conformanceCases(() => smallBankSetup("code")).map(({ name }) => name);
  const unbroken = names.filter((name) => !broken.some(([rule]) => name.startsWith(rule)));
  expect(unbroken).toEqual(["a signal that aborts while the institution hangs ends every call"]);
});
