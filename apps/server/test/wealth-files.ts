import { expect } from "vitest";
import { sandboxBanks, type TestServer, type TestTenant } from "./harness.js";
import { ingest, waitingLetter } from "./letters.js";

export const mapping = {
  language: 1,
  name: "fern",
  title: "Fern Bank",
  recognise: { header: ["Day", "Row", "Account", "Name", "Value", "Currency", "Cost", "Taxes"] },
  delimiter: ";",
  account: { number: { column: "Account" }, currency: { column: "Currency" } },
  values: { date: { column: "Day" }, currency: { column: "Currency" }, name: { column: "Name" } },
  tables: [
    {
      rows: [
        {
          ...{ when: { column: "Row", is: "holding" }, is: "holding", type: "VI" },
          values: { value: { column: "Value" }, units: { constant: "10" }, cost: { column: "Cost" } },
        },
        { when: { column: "Row", is: "cash" }, is: "cash", values: { value: { column: "Value" } } },
        {
          ...{ when: { column: "Row", is: "deposit" }, is: "transaction", kind: "deposit" },
          values: { cash: { column: "Value" } },
        },
        {
          ...{ when: { column: "Row", is: "dividend" }, is: "transaction", kind: "dividend" },
          values: { cash: { column: "Value" }, taxes: { column: "Taxes" } },
        },
      ],
    },
  ],
};

/**
 * Delivers files of a new letter of a client, in the order in which they come. A file is its lines: day, kind of row, account, name, value, currency,
 * cost and taxes.
 */
export async function deliver(
  server: TestServer,
  tenant: TestTenant,
  client_ref: string,
  files: readonly (readonly string[])[],
): Promise<void> {
  await server.operate("/operator/v1/datafeed-mappings/set", { connector_id: sandboxBanks.datafeed, mapping });
  const letter_id = await waitingLetter(server, tenant, sandboxBanks.datafeed);
  expect((await tenant.post("/clients/v1/assign", { client_ref, letter_id })).status).toBe(200);
  for (const [index, lines] of files.entries()) {
    const csv = [mapping.recognise.header.join(";"), ...lines, ""].join("\n");
    const { status, text } = await ingest(server, { letter_id }, Buffer.from(csv), `${client_ref} ${index}.csv`);
    expect([status, text]).toEqual([200, expect.any(String)]);
  }
}
