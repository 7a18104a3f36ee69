import { expect, it } from "vitest";
import type { DataPage } from "../../data/data-reader.js";
import type { Digests, StoredCounts, TransactionSlice } from "../../data/snapshot-store.js";
import type { Uuid } from "../../schemas/identifier.js";
import type { Storage } from "../../storage.js";
import {
  connection,
  feedAccount,
  holding,
  holdingQuery,
  later,
  newId,
  newTenant,
  now,
  portfolio,
  portfolioQuery,
  transaction,
  transactionQuery,
} from "../fixture.js";

/** Cases of `SnapshotStore` as the reader shows them: replacement, history, revisions. */
export function snapshotCases(storage: () => Storage): void {
  it("a product is replaced whole; one that is left out keeps its rows and its as_of", async () => {
    const tenant = await newTenant(storage());
    const { connection_id } = await tenant.connect();
    const publish = (as_of: Date, rows: object) =>
      tenant.run(({ snapshots }) => snapshots.publish({ connection_id, as_of, published_at: as_of, ...rows }));
    await publish(now, { portfolios: [portfolio({ name: "P1" })], holdings: [holding({ name: "H1" }), holding()] });
    await publish(later(1), { holdings: [holding({ name: "H2" })] });
    const { reader } = storage();
    const portfolios = await reader.portfolios(tenant.tenant_id, portfolioQuery({ fields: ["name"] }));
    expect(portfolios).toMatchObject({ items_json: '[{"name":"P1"}]', sources: [{ as_of: now.toISOString() }] });
    const holdings = await reader.holdings(tenant.tenant_id, holdingQuery({ fields: ["name"] }));
    expect(holdings).toMatchObject({ items_json: '[{"name":"H2"}]', total: 1 });
    await publish(later(2), { holdings: [] });
    const emptied = await reader.holdings(tenant.tenant_id, holdingQuery());
    expect(emptied).toMatchObject({
      items_json: "[]",
      total: 0,
      totals: [],
      sources: [{ as_of: later(2).toISOString() }],
    });
  });

  it("[C-7.203] rows that a file states elsewhere are no change", async () => {
    const tenant = await newTenant(storage());
    const { connection_id } = await tenant.connect();
    const account = portfolio();
    const rows = {
      portfolios: [account],
      holdings: [holding({ portfolio_id: account.portfolio_id })],
      transactions: [transaction({ portfolio_id: account.portfolio_id })],
    };
    const at = (place: string) =>
      Object.fromEntries(Object.entries(rows).map(([list, some]) => [list, some.map((row) => ({ ...row, place }))]));
    const publish = (as_of: Date, place: string) =>
      tenant.run(({ snapshots }) => snapshots.publish({ connection_id, as_of, published_at: as_of, ...at(place) }));
    expect(await publish(now, "line 2")).toMatchObject({ changed: ["portfolio", "investment", "transaction"] });
    expect(await publish(later(1), "line 3")).toMatchObject({ changed: [], corrected: 0, withdrawn: 0 });
  });

  it("a partial publication leaves other portfolios and their holdings as they are, and counts and sums both", async () => {
    const tenant = await newTenant(storage());
    const { connection_id } = await tenant.connect();
    const [a, b] = [portfolio({ name: "A", balance: "1.50" }), portfolio({ name: "B", balance: "2.25" })];
    const held = (of: typeof a, name: string, balance: string) =>
      holding({ portfolio_id: of.portfolio_id, name, balance });
    const publish = (as_of: Date, rows: object) =>
      tenant.run(({ snapshots }) =>
        snapshots.publish({ connection_id, as_of, published_at: as_of, partial: true, ...rows }),
      );
    await publish(later(5), { portfolios: [a], holdings: [held(a, "A1", "1"), held(a, "A2", "0.50")] });
    const { revision } = await publish(later(1), { portfolios: [b], holdings: [held(b, "B1", "2.25")] });
    await publish(later(6), { portfolios: [{ ...a, balance: "9" }], holdings: [held(a, "A3", "9")] });
    await publish(later(7), { portfolios: [], holdings: [] });
    const { reader } = storage();
    const names = async (revision?: string) => ({
      portfolios: await reader.portfolios(
        tenant.tenant_id,
        portfolioQuery({ fields: ["name", "balance"], ...(revision === undefined ? {} : { revision }) }),
      ),
      holdings: await reader.holdings(
        tenant.tenant_id,
        holdingQuery({ fields: ["name"], ...(revision === undefined ? {} : { revision }) }),
      ),
    });
    const before = await names(revision);
    expect(before.portfolios).toMatchObject({ total: 2, totals: [{ currency: "EUR", balance: "3.75" }] });
    expect(before.holdings).toMatchObject({ total: 3, totals: [{ currency: "EUR", balance: "3.75" }] });
    const now = await names();
    expect(now.portfolios).toMatchObject({
      total: 2,
      totals: [{ currency: "EUR", balance: "11.25" }],
      sources: [{ as_of: later(7).toISOString() }],
    });
    expect(
      JSON.parse((now.holdings as { items_json: string }).items_json)
        .map(({ name }: { name: string }) => name)
        .sort(),
    ).toEqual(["A3", "B1"]);
    expect(before.portfolios).toMatchObject({ sources: [{ as_of: later(5).toISOString() }] });
  });

  it("of portfolios that are claimed, those are answered of which nothing later is known", async () => {
    const tenant = await newTenant(storage());
    const { connection_id } = await tenant.connect();
    const [a, b] = [newId(), newId()];
    const claim = (...stated: [id: string, at: Date][]) => claimBy(1, ...stated);
    const claimBy = (arrival: number, ...stated: [id: string, at: Date][]) => {
      const accounts = stated.map(([portfolio_id, as_of]) => feedAccount({ portfolio_id, as_of }));
      return tenant.run(({ feedAccounts }) => feedAccounts.claim(connection_id, accounts, arrival));
    };
    expect(await claim([a, later(2)])).toEqual(new Set([a]));
    expect(await claim([a, later(1)], [b, later(1)])).toEqual(new Set([b]));
    expect(await claim([a, later(2)], [b, later(2)])).toEqual(new Set([a, b]));
    expect(await claim()).toEqual(new Set());
    expect(await claim([b, later(3)], [a, later(9)])).toEqual(new Set([a, b]));
    expect(await claim([b, later(5)], [a, later(5)])).toEqual(new Set([b]));
    expect(await claimBy(3, [b, later(5)])).toEqual(new Set([b]));
    expect(await claimBy(2, [b, later(5)], [a, later(10)])).toEqual(new Set([a]));
    expect(await claimBy(3, [b, later(5)])).toEqual(new Set([b]));
    await tenant.run(({ connections }) => connections.remove(connection_id));
  });

  it("the latest file of a connection is known by its time", async () => {
    const tenant = await newTenant(storage());
    const { connection_id } = await tenant.connect();
    const latest = () => tenant.run(({ snapshots }) => snapshots.latestFile(connection_id));
    expect(await latest()).toBeNull();
    for (const [n, sha256] of [
      [3, "x"],
      [1, "y"],
    ] as const)
      await tenant.run(({ snapshots }) =>
        snapshots.noteFile({ connection_id, sha256, name: "f", format: "ofx", taken_at: later(n) }),
      );
    expect(await latest()).toEqual(later(3));
  });

  it("[C-4.111] the days on which files of a connection came are known, each once, the last ones first", async () => {
    const tenant = await newTenant(storage());
    const { connection_id } = await tenant.connect();
    const other = await tenant.connect();
    const note = (id: Uuid, taken_at: string) =>
      tenant.run(({ snapshots }) =>
        snapshots.noteFile({
          connection_id: id,
          sha256: newId(),
          name: "f",
          format: "ofx",
          taken_at: new Date(taken_at),
        }),
      );
    const days = (limit: number) => tenant.run(({ snapshots }) => snapshots.latestFileDays(connection_id, limit));
    await note(other.connection_id, "2026-03-04T12:00:00Z");
    expect(await days(3)).toEqual([]);
    for (const moment of ["2026-02-28T23:59:59.999Z", "2026-03-01T00:00:00Z", "2026-03-01T12:00:00Z"])
      await note(connection_id, moment);
    expect(await days(3)).toEqual(["2026-03-01", "2026-02-28"]);
    for (const moment of ["2026-01-31T08:00:00Z", "2025-12-31T08:00:00Z"]) await note(connection_id, moment);
    expect(await days(3)).toEqual(["2026-03-01", "2026-02-28", "2026-01-31"]);
  });

  it("[C-5.14] transactions add up; one that is there and says anything else is replaced, and counts once", async () => {
    const tenant = await newTenant(storage());
    const { connection_id } = await tenant.connect();
    const old = transaction({ description: "old", operation_date: "2026-01-01", balance: "1.50" });
    const young = transaction({ description: "new", operation_date: "2026-01-02", balance: "-0.250" });
    const publish = (transactions: (typeof old)[]) =>
      tenant.run(({ snapshots }) => snapshots.publish({ connection_id, as_of: now, published_at: now, transactions }));
    const { revision: first } = await publish([old]);
    const rewritten = { ...old, description: "rewritten", balance: "9" };
    expect(await publish([rewritten, young])).toMatchObject({ changed: ["transaction"], corrected: 1, withdrawn: 0 });
    const { reader } = storage();
    const query = transactionQuery({ fields: ["description"] });
    const both = {
      items_json: '[{"description":"new"},{"description":"rewritten"}]',
      total: 2,
      totals: [{ currency: "EUR", balance: "8.750" }],
    };
    expect(await reader.transactions(tenant.tenant_id, query)).toMatchObject(both);
    const before = await reader.transactions(tenant.tenant_id, { ...query, revision: first });
    expect(before).toMatchObject({
      items_json: '[{"description":"old"}]',
      total: 1,
      totals: [{ currency: "EUR", balance: "1.50" }],
    });
    for (const again of [[], [young]]) expect((await publish(again)).changed).toEqual([]);
    expect(await reader.transactions(tenant.tenant_id, query)).toMatchObject(both);
    const corrected = { ...old, description: "rewritten", balance: "9", facts: { kind: "fee" as const } };
    expect((await publish([corrected])).changed).toEqual(["transaction"]);
  });

  it("[C-9.31] slices say what became of their rows: replaced, added under another id, or as they were", async () => {
    const tenant = await newTenant(storage());
    const { connection_id } = await tenant.connect();
    const told: StoredCounts[] = [];
    const publish = (...slices: Partial<TransactionSlice>[]) =>
      tenant.run(({ snapshots }) =>
        snapshots.publish({
          connection_id,
          as_of: now,
          published_at: now,
          partial: true,
          transactions: (async function* () {
            for (const slice of slices)
              yield { transactions: [], withdrawn: [], onStored: (counts) => told.push(counts), ...slice };
          })(),
        }),
      );
    const [fee, order] = [transaction({ balance: "-3.00" }), transaction({ balance: "-100.00" })];
    const reused = { ...fee, balance: "-7", operation_date: "2026-03-01", another_id: newId() };
    await publish({ transactions: [fee, order] });
    // The sender uses an id again: twice within one slice, and in the next one.
    await publish(
      { transactions: [reused, { ...fee, balance: "-3.000", another_id: newId() }] },
      { transactions: [reused], withdrawn: [order.transaction_id] },
      { transactions: [{ ...fee, balance: "-4" }], replaces: true },
    );
    expect(told).toEqual([
      { added: 2, corrected: 0, withdrawn: 0 },
      { added: 1, corrected: 0, withdrawn: 0 },
      { added: 0, corrected: 0, withdrawn: 1 },
      { added: 0, corrected: 1, withdrawn: 0 },
    ]);
    const { reader } = storage();
    expect(await reader.transactions(tenant.tenant_id, transactionQuery({ fields: ["balance"] }))).toMatchObject({
      items_json: '[{"balance":"-7"},{"balance":"-4"}]',
      total: 2,
      totals: [{ currency: "EUR", balance: "-11" }],
    });
  });

  it("[C-4.25] pages of one revision stay the same while snapshots land in between", async () => {
    const tenant = await newTenant(storage());
    const one = await tenant.connect();
    const two = await tenant.connect();
    const rows = (prefix: string, count: number) =>
      Array.from({ length: count }, (_, i) => holding({ name: `${prefix}${i}` }));
    const movements = (prefix: string) => [1, 2, 3].map((n) => transaction({ description: `${prefix}${n}` }));
    const publish = ({ connection_id }: typeof one, prefix: string, count: number) =>
      tenant.run(({ snapshots }) =>
        snapshots.publish({
          connection_id,
          as_of: now,
          published_at: now,
          holdings: rows(prefix, count),
          portfolios: [portfolio({ name: prefix })],
          transactions: movements(prefix),
        }),
      );
    await publish(one, "a", 5);
    const { revision } = await publish(two, "b", 4);
    const { reader } = storage();
    const readAll = async () => {
      const pages: DataPage[] = [];
      for (const page of [1, 2, 3, 4]) {
        const paging = { revision, page, page_size: 3 };
        pages.push(await reader.holdings(tenant.tenant_id, holdingQuery(paging)));
        pages.push(await reader.holdings(tenant.tenant_id, holdingQuery({ ...paging, currencies: ["EUR"] })));
        pages.push(await reader.portfolios(tenant.tenant_id, portfolioQuery(paging)));
        pages.push(await reader.transactions(tenant.tenant_id, transactionQuery(paging)));
      }
      return pages;
    };
    const before = await readAll();
    expect(before[0]).toMatchObject({ kind: "page", total: 9, revision });
    await publish(one, "c", 7);
    await publish(two, "d", 0);
    expect(await readAll()).toEqual(before);
    expect(await reader.holdings(tenant.tenant_id, holdingQuery())).toMatchObject({ total: 7 });
    expect(await reader.transactions(tenant.tenant_id, transactionQuery())).toMatchObject({ total: 12 });
  });

  it("[C-9.530] products that are stated as before only get the new as_of; with any other digest nothing is confirmed", async () => {
    const tenant = await newTenant(storage());
    const { connection_id } = await tenant.connect();
    const { reader } = storage();
    const confirm = (seconds: number, digests: Digests) =>
      tenant.run(({ snapshots }) => snapshots.confirm({ connection_id, as_of: later(seconds), digests }));
    const publish = (digests: Digests) =>
      tenant.run(({ snapshots }) =>
        snapshots.publish({
          connection_id,
          as_of: later(1),
          published_at: now,
          portfolios: [portfolio()],
          holdings: [holding()],
          transactions: [transaction()],
          digests,
        }),
      );
    const told = async () => {
      const { tenant_id } = tenant;
      const pages = [
        await reader.portfolios(tenant_id, portfolioQuery()),
        await reader.holdings(tenant_id, holdingQuery()),
        await reader.transactions(tenant_id, transactionQuery()),
      ];
      return pages.map((page) => page.kind === "page" && [page.revision, page.total, page.sources[0]?.as_of]);
    };
    const all = { portfolio: "p", investment: "h", transaction: "t" };
    expect(await confirm(1, all)).toBe(false);
    await publish(all);

    expect(await confirm(2, { investment: "h", transaction: "t" })).toBe(true);
    const [early, late] = [later(1).toISOString(), later(2).toISOString()];
    expect(await told()).toEqual([
      ["1", 1, early],
      ["1", 1, late],
      ["1", 1, late],
    ]);
    expect(await confirm(3, {})).toBe(true);
    expect(await confirm(3, { ...all, portfolio: "another" })).toBe(false);
    // As a file does, which states no digests.
    await publish({});
    expect(await confirm(4, all)).toBe(false);
  });

  it("every publication gets the next revision of its tenant, also those at once", async () => {
    const tenant = await newTenant(storage());
    const connections = [await tenant.connect(), await tenant.connect()];
    const published = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        tenant.run(({ snapshots }) =>
          snapshots.publish({
            connection_id: connections[i % 2]?.connection_id as Uuid,
            as_of: now,
            published_at: now,
            holdings: [holding({ name: String(i) })],
            transactions: [transaction()],
          }),
        ),
      ),
    );
    const revisions = published.map(({ revision }) => Number(revision)).sort((a, b) => a - b);
    expect(revisions).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    const { reader } = storage();
    expect(await reader.holdings(tenant.tenant_id, holdingQuery())).toMatchObject({ total: 2, revision: "10" });
    expect(await reader.transactions(tenant.tenant_id, transactionQuery())).toMatchObject({ total: 10 });
  });

  it.each(["1", "-1", "01", "1.0", "x", "", "99999999999999999999"])(
    "revision %j of a new tenant never was",
    async (revision) => {
      const tenant = await newTenant(storage());
      await tenant.connect();
      const { reader } = storage();
      expect(await reader.portfolios(tenant.tenant_id, portfolioQuery({ revision }))).toEqual({
        kind: "revision_gone",
      });
      expect(await reader.holdings(tenant.tenant_id, holdingQuery({ revision }))).toEqual({ kind: "revision_gone" });
      expect(await reader.transactions(tenant.tenant_id, transactionQuery({ revision }))).toEqual({
        kind: "revision_gone",
      });
      expect(await reader.holdings(tenant.tenant_id, holdingQuery({ revision: "0" }))).toMatchObject({ kind: "page" });
    },
  );

  it("nothing is published or taken for a connection that is not there", async () => {
    const tenant = await newTenant(storage());
    const { connection_id } = connection();
    const publish = tenant.run(({ snapshots }) =>
      snapshots.publish({ connection_id, as_of: now, published_at: now, holdings: [holding()] }),
    );
    await expect(publish).rejects.toThrow();
    const file = { connection_id, sha256: "ab", name: "a", format: "csv", taken_at: now };
    await expect(tenant.run(({ snapshots }) => snapshots.noteFile(file))).rejects.toThrow();
    expect(await storage().reader.holdings(tenant.tenant_id, holdingQuery())).toMatchObject({
      revision: "0",
      total: 0,
    });
  });

  it("a file is taken once for each connection, also when it comes ten times at once", async () => {
    const tenant = await newTenant(storage());
    const one = await tenant.connect();
    const two = await tenant.connect();
    const take = ({ connection_id }: typeof one, sha256: string) =>
      tenant.run(({ snapshots }) =>
        snapshots.noteFile({ connection_id, sha256, name: newId(), format: "csv", taken_at: now }),
      );
    const taken = await Promise.all(Array.from({ length: 10 }, () => take(one, "ab")));
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await take(two, "ab")).toBe(true);
    expect(await take(one, "cd")).toBe(true);
    expect(await take(one, "cd")).toBe(false);
  });
}
