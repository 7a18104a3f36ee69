import type { Storage } from "@org/core";
import { createTestRuntime, samples } from "@org/core/testing";
import type { ReadFeed, TransactionData } from "@org/provider-kit";
import { createDataFeeds } from "../data-feeds.js";
import { readPart } from "../feed-parts.js";

const { newId, newTenant, transactionQuery } = samples;

export type Message = TransactionData;

const base: Message = {
  key: null,
  portfolio_key: "depot",
  holding_key: "ISIN:XX",
  operation_date: "2026-02-04",
  description: "Receipt: Fund",
  amount: "10",
  balance: null,
  currency: "XXX",
  unit_price: null,
  kind: "transfer_in",
  settlement_date: "2026-02-04",
};

export const trade: Message = {
  ...base,
  key: "SEME:T",
  stage: "traded",
  references: ["SEME:T", "SEME:R"],
  operation_date: "2026-02-02",
  description: "Buy: Fund",
  kind: "buy",
  balance: "-1001.50",
  currency: "EUR",
  unit_price: "100",
  fees: "1.50",
};
export const settlement: Message = {
  ...base,
  key: "SEME:S",
  stage: "settled",
  references: ["SEME:S", "SEME:R"],
  balance: "-1001.50",
  currency: "EUR",
};
export const booking: Message = { ...base, stage: "posted", references: ["SEME:R"] };
export const cancellation: Message = { ...trade, key: "SEME:C", references: ["SEME:C"], cancels: ["SEME:T"] };
export const reversal: Message = {
  ...settlement,
  key: "SEME:V",
  references: ["SEME:V"],
  cancels: ["SEME:S"],
  amount: "-10",
  balance: "1001.50",
  description: "Reversal: Fund",
};

export type Shown = Readonly<Record<string, string | null>>;

type StatedFile = Pick<ReadFeed, "keys" | "corrections"> & { readonly transactions: readonly TransactionData[] };

/** A connection whose files are lists of messages. */
export async function feedOf(storage: Storage) {
  const tenant = await newTenant(storage);
  const { connection_id } = await tenant.connect();
  const depot = { key: "depot", name: "Depot", balance: null, currency: "EUR", ref_account: null, type: "S" as const };
  const feeds = createDataFeeds({
    storage,
    runtime: { ...createTestRuntime(), newId },
    bankOf: async () => "Bank",
    readParts: ({ name, bytes }) => {
      const { transactions, ...told } = JSON.parse(Buffer.from(bytes).toString()) as StatedFile;
      const as_of = new Date("2026-02-04T00:00:00Z");
      const portfolios = [{ ...depot, holdings_unknown: true }];
      const snapshot = { as_of, portfolios, holdings: [], transactions };
      return [readPart(name, bytes, () => ({ format: "test", snapshot, warnings: [], ...told }))];
    },
  });
  const operator = { application_id: "operator", trace_id: null, address: null };
  const page = async (over: object = {}) => {
    const found = await storage.reader.transactions(tenant.tenant_id, transactionQuery({ with_facts: true, ...over }));
    return found as Extract<typeof found, { kind: "page" }>;
  };
  let files = 0;
  const sendFile = (file: StatedFile) => {
    files += 1;
    const bytes = Buffer.from(JSON.stringify({ files, ...file }));
    return feeds.ingest(operator, { connection_id }, { name: "file", bytes });
  };
  return {
    tenant,
    connection_id,
    page,
    /** No two files have the same bytes. */
    send: (...transactions: readonly Message[]) => sendFile({ transactions }),
    /** What became of the transactions of a file. */
    async countsOf(file: StatedFile) {
      const { transactions, repeated, corrected, kept } = await sendFile(file);
      return { transactions, repeated, corrected, kept };
    },
    async shown(): Promise<Shown[]> {
      return JSON.parse((await page()).items_json) as Shown[];
    },
  };
}
