import { createInvestmentData, pendingStatus, type TenantActor } from "@org/core";
import { createMemoryStorage, samples } from "@org/core/testing";
import { describe, expect, it } from "vitest";

const ready = { ...pendingStatus(samples.now.toISOString()), pending: false };
const { product, transaction } = ready.errored;
const failed = (over: Partial<typeof product>) => ({ product: { ...product, ...over }, transaction });
const RELOGIN = "svc-needs-relogin";

describe("what a source says", () => {
  it.each([
    [{}, true, "ok"],
    [{}, false, "pending", /not delivered/, "say so"],
    [{ pending: true }, false, "pending", /^no data yet$/, "ask again soon"],
    [{ blocked: true }, true, "stale", /^blocked$/, RELOGIN],
    [{ blocked: true, pending: true }, false, "error", /^blocked$/, RELOGIN],
    [{ errored: failed({ auth: true }) }, true, "stale", /^blocked$/, RELOGIN],
    [{ sca_token: "sca", errored: failed({ portfolio: true }) }, false, "error", /^blocked$/, RELOGIN],
    [{ errored: failed({ portfolio: true }) }, true, "stale", /extraction failed/, /^wait; a login would not help$/],
    [{ errored: failed({ portfolio: true }) }, false, "error", /extraction failed/, /^wait; a login would not help$/],
  ] as const)(
    "[C-4.146] [C-4.182] with %j and data %j it is %s, with a reason and a next step where it is not ok",
    async (change, hasData, state, message?, next?) => {
      const { sources } = await portfoliosOf(change, hasData ? ["portfolios"] : []);
      expect(sources).toMatchObject([{ state, ...(message && { message: expect.stringMatching(message) }) }]);
      if (next) expect(sources[0]?.next_action).toMatch(next);
      else expect(sources[0]).not.toHaveProperty("next_action");
    },
  );

  it("[C-4.147] accounts that failed say that the holdings are known, where they are", async () => {
    const errored = failed({ portfolio: true });
    expect((await portfoliosOf({ errored }, ["holdings"])).sources).toMatchObject([
      {
        ...{ state: "error", message: "the last extraction failed; its holdings are known" },
        next_action: "read its holdings instead; a login would not help",
      },
    ]);
    for (const known of [[], ["portfolios"]] as const)
      expect(JSON.stringify((await portfoliosOf({ errored }, known)).sources)).not.toContain("holdings");
  });

  it("[C-4.147] one statement more is made only where accounts failed", async () => {
    const reads: string[] = [];
    await portfoliosOf({}, ["portfolios", "holdings"], reads);
    expect(reads).toEqual(["portfolios"]);
    await portfoliosOf({ errored: failed({ portfolio: true }) }, ["holdings"], reads);
    expect(reads).toEqual(["portfolios", "portfolios", "holdings"]);
  });
});

async function portfoliosOf(
  change: Partial<typeof ready>,
  known: readonly ("portfolios" | "holdings")[],
  reads: string[] = [],
) {
  const storage = createMemoryStorage();
  const tenant = await samples.newTenant(storage);
  const { connection_id } = await tenant.connect({ status: { ...ready, ...change } });
  await tenant.run(({ snapshots }) =>
    snapshots.publish({
      ...{ connection_id, as_of: samples.now, published_at: samples.now },
      ...(known.includes("portfolios") && { portfolios: [samples.portfolio()] }),
      ...(known.includes("holdings") && { holdings: [samples.holding()] }),
    }),
  );
  const { reader } = storage;
  const data = createInvestmentData({
    reader: {
      transactionVersions: reader.transactionVersions,
      portfolios(...args) {
        reads.push("portfolios");
        return reader.portfolios(...args);
      },
      holdings(...args) {
        reads.push("holdings");
        return reader.holdings(...args);
      },
      transactions: reader.transactions,
      connectionsOf: reader.connectionsOf,
    },
    runtime: { clock: () => samples.now },
  });
  const actor: TenantActor = { tenant_id: tenant.tenant_id, application_id: "a", trace_id: null, address: null };
  return data.portfolios(actor, { page: 1, page_size: 10, credentials_token: connection_id });
}
