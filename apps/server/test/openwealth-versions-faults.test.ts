import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "./eventually.js";
import { START_TIMEOUT } from "./harness.js";
import type { VersionBank } from "./institutions/openwealth-versions.js";
import { startBanks } from "./openwealth-banks.js";

const ids = ["one", "two", "three"] as const;
const start = () =>
  startBanks(
    {
      one: { version: "1.1", grants: ["client_credentials"] },
      two: { version: "1.2", grants: ["client_credentials"] },
      three: { version: "2.0", grants: ["client_credentials"] },
    },
    { JOBS: "false" },
  );

const instead = (status: number, headers = {}) => ({ kind: "instead", reply: { status, headers } }) as const;
/** Until it is mended: a failed read is repeated at once. */
const ALWAYS = 1_000;

/** What goes wrong at a bank, and what a refresh then says. */
const faults: readonly (readonly [what: string, arrange: (bank: VersionBank) => void, outcome: string])[] = [
  ["a token that ends in the middle", (bank) => bank.expireAccessAfter(2), "refreshed"],
  ["503", (bank) => bank.fail("positions", instead(503), ALWAYS), "failed"],
  ["503 that says when", (bank) => bank.fail("positions", instead(503, { "retry-after": "1" })), "refreshed"],
  ["500 for transactions", (bank) => bank.fail("transactions", instead(500), ALWAYS), "failed"],
  ["429 for a moment", (bank) => bank.fail("positions", instead(429, { "retry-after": "1" })), "refreshed"],
  ["a slow answer", (bank) => bank.fail("positions", { kind: "slow", milliseconds: 300 }), "refreshed"],
  ["half a page", (bank) => bank.fail("positions", { kind: "half" }, ALWAYS), "failed"],
  ["a page twice", (bank) => bank.between({ list: "positions", after_page: 1, trick: "repeat" }), "refreshed"],
  ["an odd position", (bank) => bank.spoil("positions", ({ currency: _, ...row }) => row), "failed"],
  ["transactions refused", (bank) => bank.fail("transactions", instead(403), ALWAYS), "incomplete"],
  ["429 for an hour", (bank) => bank.fail("customers", instead(429, { "retry-after": "3600" }), ALWAYS), "throttled"],
];

describe("banks with OpenWealth 1.1, 1.2 and 2.0 under a mandate", () => {
  let at: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    at = await start();
  }, START_TIMEOUT);
  afterAll(() => at?.close());

  it.each(ids)("[C-5.298] %s loses nothing by what goes wrong", { timeout: START_TIMEOUT }, async (id) => {
    const bank = at.banks[id];
    const token = await at.connectByNumber(id, "company");
    for (const [what, arrange, outcome] of faults) {
      arrange(bank);
      await at.passes();
      await eventually(async () => (await at.refresh(token)) === outcome, `${outcome} after ${what}`);
      bank.institution.heal();
      bank.spoil("positions", null);
      await at.expectTruth(token, id, "company");
    }
    expect(bank.violations).toEqual({ calls: [], parameters: [] });
  });

  it("[C-5.299] a wrong version is told by the check of the settings", { timeout: START_TIMEOUT }, async () => {
    const { settings, banks } = at;
    expect(await at.check()).toMatchObject({ ok: true });
    const wrong = { one: "2.0", two: "3.2", three: "3.2" };
    await at.set(settings.map((bank) => ({ ...bank, version: wrong[bank.id as keyof typeof wrong] })));
    const { ok, message } = await at.check();
    expect([ok, message.split("; ")]).toEqual([
      false,
      [
        "one: the bank answers as version 1.1 or 1.2 describes, not 2.0",
        "two: the bank answers as version 1.1 or 1.2 describes, not 3.2",
        "three: the bank answers as version 2.0 describes, not 3.2",
      ],
    ]);
    await at.set(settings.map((bank) => ({ ...bank, version: bank.id === "three" ? "1.1" : bank.version })));
    expect((await at.check()).message).toBe("three: the bank answers as version 2.0 describes, not 1.1");
    await at.set(settings);
    expect(await at.check()).toMatchObject({ ok: true });
    for (const { violations } of Object.values(banks)) expect(violations.calls).toEqual([]);
  });
});
