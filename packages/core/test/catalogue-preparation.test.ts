import type { Share } from "@org/admission";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createConnectors } from "../src/catalogue/connectors.js";
import { createTestRuntime } from "../src/testing/index.js";

const CONNECTORS = 40_000;
/** The most connectors that may be worked through before the event loop is left to others: one step of a millisecond is 1,000. */
const MAX_RUN = 12_000;

const rows = Array.from({ length: CONNECTORS }, (_, index) => ({
  id: `esp:${String(index).padStart(6, "0")}`,
  name: `Bank ${index}`,
  type: "e-banking",
  countries: ["esp"],
  available: true,
  provider: "scripted",
  provider_ref: null,
  metadata: {},
}));

function prepared() {
  const waits: string[] = [];
  let reads = 0;
  let asked = 0;
  const connectors = createConnectors({
    catalogue: {
      revision: async () => "1",
      async all() {
        reads += 1;
        return { revision: "1", connectors: rows };
      },
      decided: async () => [],
      find: async () => null,
      importAll: async () => ({ inserted: 0, updated: 0, unchanged: 0 }),
    },
    mac: createTestRuntime().mac,
    defaultProvider: null,
    providers: {
      names: [],
      offering: (tenantId) => String(tenantId),
      serves() {
        asked += 1;
        return true;
      },
    },
    loop: {
      async wait(share: () => Share) {
        waits.push(share().name);
      },
    } as never,
  });
  return { connectors, waits, counts: () => ({ reads, asked }) };
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe("[C-9.480] preparing a large catalogue", () => {
  it("leaves the event loop to others every few thousand connectors, at the cost of the tenant that asked", async () => {
    const { connectors, waits } = prepared();
    let now = 0;
    vi.spyOn(performance, "now").mockImplementation(() => {
      now += 1;
      return now;
    });
    await connectors.list({}, "a-tenant");
    const leaves = (name: string) => waits.filter((share) => share === name).length;
    expect([...new Set(waits)].sort()).toEqual(["a-tenant", "operators"]);
    expect(leaves("operators")).toBeGreaterThanOrEqual(Math.floor(CONNECTORS / MAX_RUN));
    expect(leaves("a-tenant")).toBeGreaterThanOrEqual(Math.floor(CONNECTORS / MAX_RUN));
  });

  it("[C-9.522] reads an import's lines a hundred in a step, at the operators' cost", async () => {
    const { connectors, waits } = prepared();
    let now = 0;
    // Whoever looks at the clock finds that it is time to leave the event loop to others.
    vi.spyOn(performance, "now").mockImplementation(() => {
      now += 11;
      return now;
    });
    await connectors.importLines(rows.slice(0, 1_000).map((row) => JSON.stringify(row)));
    expect(waits).toEqual(Array(10).fill("operators"));
  });

  it("is done once for all that ask meanwhile, and once for offerings that are the same", async () => {
    const { connectors, counts } = prepared();
    const all = await Promise.all(["a", "a", "b", "a", "b"].map((tenant) => connectors.all(tenant)));
    expect(new Set(all).size).toBe(1);
    // One look at each connector for each of the two offerings.
    expect(counts()).toEqual({ reads: 1, asked: 2 * CONNECTORS });
  });
});
