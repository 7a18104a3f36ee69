import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "./harness.js";
import { oneBackend } from "./installation.js";
import { ingest, waitingLetter } from "./letters.js";

const BACKEND = oneBackend(
  "what is compared is in the conformance suite of stores; this is about figures and endpoints",
);

const holdings = {
  ...{ when: { column: "Row", is: "holding" }, is: "holding", type: "VI" },
  values: { value: { column: "Value" }, units: { column: "Units" } },
};
const movement = (kind: string) => ({
  ...{ when: { column: "Row", is: kind }, is: "transaction", kind },
  values: { cash: { column: "Value" }, units: { column: "Units" } },
});

/** Files with movements, and files of a bank that sends none. */
const moving = mappingOf(
  "fern",
  ["Day", "Row", "Account", "Name", "Units", "Value", "Currency"],
  [holdings, movement("buy"), movement("dividend")],
);
const still = mappingOf("moss", ["Date", "Row", "Account", "Name", "Units", "Value", "Currency"], [holdings]);

function mappingOf(name: string, header: readonly string[], rows: readonly object[]) {
  return {
    ...{ language: 1, name, title: name, recognise: { header }, delimiter: ";" },
    account: { number: { column: "Account" }, currency: { column: "Currency" } },
    values: { date: { column: header[0] }, currency: { column: "Currency" }, name: { column: "Name" } },
    tables: [{ rows }],
  };
}

describe("statements of a file that do not follow from each other", () => {
  let server: TestServer;
  let files = 0;

  beforeAll(async () => {
    server = await startTestServer({ backend: BACKEND });
    for (const mapping of [moving, still])
      await server.operate("/operator/v1/datafeed-mappings/set", { connector_id: sandboxBanks.datafeed, mapping });
  }, START_TIMEOUT);
  afterAll(() => server?.remove());

  /** A client with one account, and what is sent and asked about it. */
  async function client(mapping = moving) {
    const letter_id = await waitingLetter(server, server.demo, sandboxBanks.datafeed);
    const client_ref = `P-${letter_id.slice(-8)}`;
    await server.demo.post("/clients/v1/assign", { client_ref, letter_id });
    const performance = (from: string, to: string, more: object = {}) =>
      server.demo.post("/data/v1/performance", { client_ref, from, to, ...more });
    return {
      async send(...lines: readonly string[]) {
        files += 1;
        const csv = [mapping.recognise.header.join(";"), ...lines, ""].join("\n");
        const { status, text, body } = await ingest(server, { letter_id }, Buffer.from(csv), `${files}.csv`);
        expect([status, text]).toEqual([200, expect.any(String)]);
        return body;
      },
      performance,
      async refused(from: string, to: string) {
        const { status, body } = await performance(from, to);
        return [status, body.error?.details ?? body.return];
      },
      reconcile: () => server.operate("/operator/v1/datafeeds/reconcile", { connection_or_letter_id: letter_id }),
    };
  }

  const difference = (from: string, to: string, units: string) =>
    expect.objectContaining({ reason: "difference", name: "A", isin: null, from, to, difference: units });

  it("[C-8.190] [C-8.191] units that rise without a movement refuse a return, with the pair of statements; what comes late or corrected is compared anew", async () => {
    const { send, refused, performance, reconcile } = await client();
    await send("2026-03-02;holding;1;A;10;100.00;EUR");
    expect(await send("2026-03-06;holding;1;A;30;300.00;EUR")).toMatchObject({ differences: 1, gap_days: 3 });
    const period = ["2026-03-03", "2026-03-06"] as const;
    expect(await refused(...period)).toEqual([422, [difference("2026-03-02", "2026-03-06", "20")]]);
    // A statement of a day between.
    expect(await send("2026-03-04;holding;1;A;15;150.00;EUR")).toMatchObject({ differences: 2, gap_days: 0 });
    expect(await refused(...period)).toEqual([
      422,
      [difference("2026-03-02", "2026-03-04", "5"), difference("2026-03-04", "2026-03-06", "15")],
    ]);
    expect(await refused("2026-03-05", "2026-03-06")).toEqual([422, [difference("2026-03-04", "2026-03-06", "15")]]);
    const { differences, gaps } = await reconcile();
    expect(differences).toMatchObject([
      { account: "1", name: "A", from_day: "2026-03-04", to_day: "2026-03-06", difference: "15" },
      { account: "1", name: "A", from_day: "2026-03-02", to_day: "2026-03-04", difference: "5" },
    ]);
    expect(gaps).toMatchObject([{ from_day: "2026-03-02", to_day: "2026-03-06", days: ["2026-03-03", "2026-03-05"] }]);
    // With gaps it is answered, and says so.
    expect(await performance(...period, { allow_gaps: true })).toMatchObject({
      status: 200,
      body: { return: "2.000000", gaps: [{ difference: "5" }, { difference: "15" }] },
    });
    // The first file is corrected, and then that of the day between.
    expect(await send("2026-03-02;holding;1;A;15;150.00;EUR")).toMatchObject({ differences: 0 });
    expect(await refused(...period)).toEqual([422, [difference("2026-03-04", "2026-03-06", "15")]]);
    expect(await send("2026-03-04;holding;1;A;30;300.00;EUR", "2026-03-04;buy;1;A;15;-150.00;EUR")).toMatchObject({
      ...{ transactions: 1, differences: 0 },
    });
    expect((await reconcile()).differences).toEqual([]);
    const { status, body } = await performance(...period);
    expect([status, body.gaps]).toEqual([200, []]);
  });

  it("[C-8.192] the movements of a late file that are known are counted as kept, and one that is new is a difference of its days", async () => {
    const { send, refused } = await client();
    const paid = "2026-03-04;dividend;1;A;;3.00;EUR";
    await send("2026-03-02;holding;1;A;10;100.00;EUR");
    await send("2026-03-04;holding;1;A;10;100.00;EUR", paid);
    await send("2026-03-05;holding;1;A;10;100.00;EUR");
    const counts = { transactions: 0, repeated: 0, corrected: 0, kept: 1, differences: 0 };
    expect(await send("2026-03-03;holding;1;A;10;100.00;EUR", paid)).toMatchObject(counts);
    expect(await send("2026-03-03;buy;1;A;2;-20.00;EUR")).toMatchObject({ transactions: 1, differences: 1 });
    expect(await refused("2026-03-03", "2026-03-05")).toEqual([422, [difference("2026-03-02", "2026-03-03", "-2")]]);
    expect((await refused("2026-03-04", "2026-03-05"))[0]).toBe(200);
  });

  it("[C-8.193] files that carry no movements leave them unread: a return is refused, or answered with the gap", async () => {
    const { send, refused, performance } = await client(still);
    await send("2026-03-02;holding;1;A;10;100.00;EUR");
    expect(await send("2026-03-04;holding;1;A;10;110.00;EUR")).toMatchObject({ transactions: 0, differences: 0 });
    const unread = { reason: "movements_unread", credentials_token: expect.any(String), from: null, to: "2026-03-04" };
    expect(await refused("2026-03-03", "2026-03-04")).toEqual([422, [unread]]);
    expect(await performance("2026-03-03", "2026-03-04", { allow_gaps: true })).toMatchObject({
      status: 200,
      body: { return: "0.100000", gaps: [unread] },
    });
  });
});
