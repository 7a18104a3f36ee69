import { expect, it } from "vitest";
import type { TransactionRow } from "../../data/snapshot-store.js";
import type { Uuid } from "../../schemas/identifier.js";
import type { Storage } from "../../storage.js";
import { later, newId, newTenant, now, transaction, transactionQuery } from "../fixture.js";

const cutoffs = {
  now: new Date(0),
  finished_sessions_before: new Date(0),
  replaced_snapshots_before: new Date(0),
  valuations_before: "2000-01-01",
  former_versions_before: new Date(0),
  settled_mails_before: new Date(0),
};

/** Cases of what a transaction said before. */
export function transactionVersionCases(storage: () => Storage): void {
  async function connected() {
    const tenant = await newTenant(storage());
    const { connection_id } = await tenant.connect();
    const publish = (at: Date, transactions: readonly TransactionRow[], complete_from?: string) =>
      tenant.run(({ snapshots }) =>
        snapshots.publish({
          ...{ connection_id, as_of: at, published_at: at, transactions },
          ...(complete_from !== undefined && { complete_from }),
        }),
      );
    const versionsOf = async (id: string, of: Uuid = connection_id): Promise<Version[] | null> =>
      JSON.parse(String(await storage().reader.transactionVersions(tenant.tenant_id, of, id as Uuid)));
    return { tenant, connection_id, publish, versionsOf };
  }
  const briefly = ({ description, read_at, ended_at, ended_by }: Version) => ({
    ...{ description, read_at, ended_at },
    ended_by,
  });
  const at = (n: number) => later(n).toISOString();

  it("[C-5.221] a transaction that is corrected, withdrawn and brought back has its former versions, newest first", async () => {
    const { tenant, connection_id, publish, versionsOf } = await connected();
    const first = transaction({ description: "first", facts: { kind: "fee", fees: "1.50" } });
    const { transaction_id, portfolio_id, operation_date } = first;
    const other = transaction({ operation_date });
    await publish(later(1), [first, other]);
    await publish(later(2), [first, other]);
    expect(await versionsOf(transaction_id)).toMatchObject([
      { description: "first", kind: "fee", fees: "1.50", portfolio_id, read_at: at(1), ended_at: null, ended_by: null },
    ]);
    const second = { ...first, description: "second" };
    await publish(later(3), [second]);
    await publish(later(4), [other], operation_date);
    expect((await versionsOf(transaction_id))?.map(briefly)).toEqual([
      { description: "second", read_at: at(3), ended_at: at(4), ended_by: "withdrawn" },
      { description: "first", read_at: at(1), ended_at: at(3), ended_by: "replaced" },
    ]);
    await publish(later(5), [second]);
    await publish(later(6), [{ ...second, description: "third" }]);
    const versions = (await versionsOf(transaction_id)) ?? [];
    expect(versions.map(briefly)).toEqual([
      { description: "third", read_at: at(6), ended_at: null, ended_by: null },
      { description: "second", read_at: at(5), ended_at: at(6), ended_by: "replaced" },
      { description: "second", read_at: at(3), ended_at: at(4), ended_by: "withdrawn" },
      { description: "first", read_at: at(1), ended_at: at(3), ended_by: "replaced" },
    ]);
    // Each has the fields of a row.
    const { ended_at: _, ended_by: __, read_at: ___, ...row } = versions[3] as Version;
    expect(row).toMatchObject({ operationDate: operation_date, currency: first.currency, settlement_date: null });
    expect(await versionsOf(other.transaction_id)).toHaveLength(1);
    expect(await versionsOf(newId())).toEqual([]);
    expect(await versionsOf(transaction_id, newId())).toBeNull();
    const elsewhere = await connected();
    expect(await elsewhere.versionsOf(transaction_id, connection_id)).toBeNull();
    expect(await elsewhere.versionsOf(transaction_id)).toEqual([]);
    const page = await storage().reader.transactions(
      tenant.tenant_id,
      transactionQuery({ fields: ["description", "former_versions"], sort: "-balance" }),
    );
    expect(JSON.parse((page as { items_json: string }).items_json)).toEqual(
      expect.arrayContaining([
        { description: "third", former_versions: 3 },
        { description: other.description, former_versions: 0 },
      ]),
    );
  });

  it("[C-5.222] the ten latest former versions are shown, and go by their age and with their connection", async () => {
    const { tenant, connection_id, publish, versionsOf } = await connected();
    const row = transaction();
    const { upkeep } = storage();
    for (let n = 0; n <= 12; n += 1) {
      await publish(later(n), [{ ...row, description: `said ${n}` }]);
      // Former revisions cannot be read any more.
      await upkeep.reap({ ...cutoffs, replaced_snapshots_before: later(n + 1) }, 1_000);
    }
    const said = async () => (await versionsOf(row.transaction_id))?.map(({ description }) => description);
    const numbered = (from: number, until: number) =>
      Array.from({ length: from - until + 1 }, (_, index) => `said ${from - index}`);
    expect(await said()).toEqual(numbered(12, 2));
    await upkeep.reap({ ...cutoffs, former_versions_before: later(7) }, 1_000);
    expect(await said()).toEqual(numbered(12, 6));
    const fields = ["former_versions"];
    const page = await storage().reader.transactions(tenant.tenant_id, transactionQuery({ fields }));
    expect(page).toMatchObject({ items_json: '[{"former_versions":6}]' });
    const kept = await tenant.run(async ({ connections }) => {
      const found = await connections.find(connection_id);
      await connections.remove(connection_id);
      return found;
    });
    expect(await said()).toBeUndefined();
    await tenant.run(({ connections }) => connections.create(kept as NonNullable<typeof kept>));
    expect(await said()).toEqual([]);
    await publish(now, [row]);
    expect(await versionsOf(row.transaction_id)).toMatchObject([{ ended_at: null }]);
  });
}

interface Version {
  readonly description: string;
  readonly read_at: string;
  readonly ended_at: string | null;
  readonly ended_by: string | null;
}
