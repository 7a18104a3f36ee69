import { expect, it } from "vitest";
import type { Uuid } from "../../schemas/identifier.js";
import type { Storage } from "../../storage.js";
import {
  auditEntry,
  feedAccount,
  feedDifference,
  holding,
  holdingQuery,
  later,
  letter,
  move,
  newTenant,
  now,
  portfolio,
  portfolioQuery,
  session,
  sessionQuery,
  transaction,
  transactionQuery,
} from "../fixture.js";

/** Cases of `ConnectionStore.remove`: it removes everything of the connection, and nothing of another. */
export function removalCases(storage: () => Storage): void {
  it("[C-4.30] a removed connection is in no list any more, and a second removal finds nothing", async () => {
    const tenant = await newTenant(storage());
    const gone = await tenant.connect({ identity_hash: "who" });
    const kept = await tenant.connect({ bank: "Kept" });
    const keptSession = session({ connection_id: kept.connection_id });
    const goneSession = session({ connection_id: gone.connection_id });
    const made = letter({ connection_id: gone.connection_id, status: "Connected" });
    await tenant.run(async ({ snapshots, sessions, letters }) => {
      for (const { connection_id } of [gone, kept]) {
        const rows = { portfolios: [portfolio()], holdings: [holding()], transactions: [transaction()] };
        await snapshots.publish({ connection_id, as_of: now, published_at: now, ...rows });
        await snapshots.publish({ connection_id, as_of: now, published_at: now, holdings: [holding()] });
        await snapshots.noteFile({ connection_id, sha256: "ab", name: "a.csv", format: "csv", taken_at: now });
      }
      await sessions.create(keptSession);
      await sessions.create(goneSession);
      await letters.create(made, [], move(made));
    });

    const removed = () => tenant.run(({ connections }) => connections.remove(gone.connection_id));
    expect(await removed()).toBe(true);
    expect(await removed()).toBe(false);

    const { connection_id } = gone;
    const everything = {
      bank: null,
      client_refs: null,
      ready_only: false,
      attention_at: null,
      with_accounts: false,
      page: 1,
      page_size: 50,
    };
    expect(await storage().connectionFinder.page(tenant.tenant_id, everything)).toEqual({ items: [kept], total: 1 });
    await tenant.run(async ({ connections, sessions, letters }) => {
      expect(await connections.find(connection_id)).toBeNull();
      expect(await sessions.find(goneSession.session_id)).toBeNull();
      const { connector_filter: _, ...listed } = keptSession;
      expect(await sessions.list(sessionQuery())).toEqual([listed]);
      expect(await letters.findByConnection(connection_id)).toBeNull();
      expect(await letters.find(made.letter_id)).toEqual({ ...made, connection_id: null });
    });
    const { reader, directory } = storage();
    expect(await directory.tenantOfConnection(connection_id)).toBeNull();
    expect(await directory.sessionByLink(goneSession.link_hash)).toBeNull();
    for (const page of [
      await reader.portfolios(tenant.tenant_id, portfolioQuery({ include_source_token: true })),
      await reader.holdings(tenant.tenant_id, holdingQuery({ include_source_token: true })),
      await reader.transactions(tenant.tenant_id, transactionQuery({ include_source_token: true })),
    ]) {
      expect(page).toMatchObject({ kind: "page", total: 1, sources: [{ credentials_token: kept.connection_id }] });
      expect(JSON.stringify(page)).not.toContain(connection_id);
    }
    expect(await reader.holdings(tenant.tenant_id, holdingQuery({ connection_ids: [connection_id] }))).toEqual({
      kind: "unknown",
      field: "credentials_token",
      ids: [connection_id],
    });
  });

  it("[C-4.30] the same identity, file and data can come back after a removal", async () => {
    const tenant = await newTenant(storage());
    const first = await tenant.connect({ identity_hash: "who" });
    const rows = [transaction(), transaction()];
    const file = { sha256: "ab", name: "a.csv", format: "csv", taken_at: now };
    const stated = feedAccount();
    const difference = feedDifference();
    const link = { account: "1", portfolio: "2", origin: "rule" } as const;
    const claim = (as_of: Date) =>
      tenant.run(async ({ feedAccounts, feedDifferences }) => {
        const claimed = await feedAccounts.claim(first.connection_id, [{ ...stated, as_of }], 1);
        await feedAccounts.storeLinks(first.connection_id, [link]);
        await feedDifferences.keep(first.connection_id, [difference], [difference], { now, limit: 9 });
        await feedDifferences.storeGaps(first.connection_id, [{ ...difference, days: ["2026-02-02"] }], now);
        return claimed;
      });
    const fill = (connection_id: Uuid) =>
      tenant.run(async ({ snapshots }) => {
        await snapshots.publish({ connection_id, as_of: now, published_at: now, transactions: rows });
        return snapshots.noteFile({ ...file, connection_id });
      });
    expect(await fill(first.connection_id)).toBe(true);
    expect([(await claim(later(9))).size, (await claim(now)).size]).toEqual([1, 0]);
    await tenant.run(({ connections }) => connections.remove(first.connection_id));
    await tenant.run(({ connections }) => connections.create(first));
    await tenant.run(async ({ feedAccounts, feedDifferences }) => {
      expect(await feedDifferences.list(first.connection_id, 9)).toEqual({ differences: [], gaps: [], left_out: [] });
      expect(await feedAccounts.list(first.connection_id)).toEqual([]);
      expect(await feedAccounts.links(first.connection_id)).toEqual([]);
    });
    expect((await claim(now)).size).toBe(1);
    expect(await fill(first.connection_id)).toBe(true);
    const page = await storage().reader.transactions(tenant.tenant_id, transactionQuery());
    expect(page).toMatchObject({ total: 2, totals: [{ currency: "EUR", balance: "-400.00" }] });
  });

  it("[C-4.25] after a removal a reader that was paging is told so, for rows it has not seen are gone", async () => {
    const tenant = await newTenant(storage());
    const gone = await tenant.connect();
    await tenant.connect();
    const { revision } = await tenant.run(({ snapshots }) =>
      snapshots.publish({ connection_id: gone.connection_id, as_of: now, published_at: now, holdings: [holding()] }),
    );
    await tenant.run(({ connections }) => connections.remove(gone.connection_id));
    const { reader } = storage();
    expect(await reader.holdings(tenant.tenant_id, holdingQuery({ revision }))).toEqual({ kind: "revision_gone" });
  });

  it("[C-4.30] the audit log keeps its entry about the removed connection", async () => {
    const tenant = await newTenant(storage());
    const { connection_id } = await tenant.connect();
    const entry = auditEntry({ object_id: connection_id });
    await tenant.run(async ({ connections, audit }) => {
      await connections.remove(connection_id);
      await audit.append(entry);
    });
    expect(await tenant.run(({ audit }) => audit.list({ limit: 10 }))).toEqual([entry]);
  });
}
