import { expect, it } from "vitest";
import { type LetterAdminQuery, letterOrders, orderedBy } from "../../letters/letter-admin-queries.js";
import type { LetterRecord } from "../../letters/letter-store.js";
import type { Storage } from "../../storage.js";
import { later, letter, letterQuery, mail, move, newId, newTenant, now } from "../fixture.js";

/** Cases of `LetterAdminQueries`. Letters of other tenants are there too, so each case searches for a label of its own. */
export function letterAdminCases(storage: () => Storage): void {
  const search = (over: Partial<LetterAdminQuery>) =>
    storage().letterAdmin.search({
      ...letterQuery(),
      tenant_id: null,
      in_status_before: null,
      words: [],
      without_mail: null,
      order: "newest",
      offset: 0,
      after: null,
      ...over,
    });
  const ids = async (over: Partial<LetterAdminQuery>) => {
    const { items, total } = await search(over);
    expect(total).toBe(items.length);
    return items.map(({ letter_id }) => letter_id);
  };
  type Tenant = Awaited<ReturnType<typeof newTenant>>;
  const keep = (tenant: Tenant, records: readonly LetterRecord[]) =>
    tenant.run(async ({ letters }) => {
      for (const record of records) await letters.create(record, [], move(record));
    });

  it("[C-7.31] letters of all tenants are found by every criterion, in each order, with whose they are and their mails", async () => {
    const [one, two] = [await newTenant(storage()), await newTenant(storage())];
    const labels = { case: newId() };
    const contact_info = { banker_email: "Büro@Bank.example" };
    const a = letter({ labels, status_since: later(-30), updated_at: later(40), contact_info });
    const b = letter({ labels: { ...labels, desk: "Zürich" }, created_at: later(10), status: "Blocked" });
    const c = letter({ labels, created_at: later(20), status: "SentToCustodian", connector_id: "fra:dépôt" });
    const d = letter({
      labels,
      created_at: later(-10),
      status: "SentToCustodian",
      observations: "Hält, seit März: Große Straße, Æsir, Łódź, Tromsø",
    });
    const [byA, byB, byC, byD] = [a.letter_id, b.letter_id, c.letter_id, d.letter_id];
    await keep(one, [a, b]);
    await keep(two, [c, d]);
    const sent = mail(c, { state: "sent", settled_at: later(30) });
    const failed = mail(d, { state: "failed", last_error: "550" });
    await two.run(async ({ mails }) => {
      for (const queued of [sent, failed]) await mails.queue(queued);
    });
    const { items } = await search({ labels });
    const nobodys = { client_name: null };
    expect(items).toEqual([
      { ...c, tenant_id: two.tenant_id, tenant: expect.any(String), ...nobodys, mails: [sent] },
      { ...b, tenant_id: one.tenant_id, tenant: expect.any(String), ...nobodys, mails: [] },
      { ...a, tenant_id: one.tenant_id, tenant: expect.any(String), ...nobodys, mails: [] },
      { ...d, tenant_id: two.tenant_id, tenant: expect.any(String), ...nobodys, mails: [failed] },
    ]);
    const without_mail = { Blocked: null, SentToCustodian: "authorization_letter" } as const;
    const cases: [Partial<LetterAdminQuery>, string[]][] = [
      [{ tenant_id: one.tenant_id }, [byB, byA]],
      [{ connector_id_in: ["fra:dépôt", "ita:none"] }, [byC]],
      [{ connector_id_in: [] }, []],
      [{ status_in: ["SentToCustodian", "Blocked"] }, [byC, byB, byD]],
      [{ status_in: [] }, []],
      [{ id_in: [byA, byD, newId()] }, [byA, byD]],
      [{ labels: { ...labels, desk: "Zürich" } }, [byB]],
      [{ labels: { ...labels, desk: "Z'ürich" } }, []],
      [{ created_from: now, created_before: later(20) }, [byB, byA]],
      [{ updated_from: later(40) }, [byA]],
      [{ updated_before: later(40) }, [byC, byB, byD]],
      [{ in_status_before: now }, [byA]],
      [{ without_mail }, [byB, byD]],
      [{ without_mail, words: ["marz"] }, [byD]],
      [{ words: ["zur"] }, [byB]],
      [{ words: ["grosse", "strasse", "aesir", "lodz", "tromso"] }, [byD]],
      [{ words: ["ban", "buro"] }, [byA]],
      [{ words: ["depot"] }, [byC]],
      [{ words: [byC.slice(0, 8), byC.slice(-12)] }, [byC]],
      [{ words: ["halt"], tenant_id: one.tenant_id }, []],
      [{ order: "oldest" }, [byD, byA, byB, byC]],
      [{ order: "longest_in_status", status_in: ["Signed", "Blocked"] }, [byA, byB]],
      [{ order: "last_changed" }, [byA, ...[byB, byC, byD].sort().reverse()]],
      [{ order: "longest_unchanged" }, [...[byB, byC, byD].sort(), byA]],
      [{ order: "shortest_in_status", status_in: ["Signed", "Blocked"] }, [byB, byA]],
    ];
    for (const [query, expected] of cases)
      expect(await ids({ labels, ...query }), JSON.stringify(query)).toEqual(expected);
  });

  it("[C-14.850] a look-up finds letters by beginnings of words or by their connector, newest first, of one tenant or of all", async () => {
    const [one, two] = [await newTenant(storage()), await newTenant(storage())];
    const word = `case${newId().slice(-8)}`;
    const connector_id = `fra:${newId().slice(-12)}`;
    const a = letter({ labels: { word }, observations: "Große Straße" });
    const b = letter({ labels: { word }, created_at: later(10) });
    const c = letter({ connector_id, created_at: later(20) });
    await keep(one, [a, c]);
    await keep(two, [b]);
    const lookUp = async (words: readonly string[], over: object = {}) => {
      const query = { tenant_id: null, connector_ids: [], limit: 5, ...over };
      return (await storage().letterAdmin.lookUp({ ...query, words })).map(({ letter_id }) => letter_id);
    };
    expect(await lookUp([word])).toEqual([b.letter_id, a.letter_id]);
    expect(await lookUp([word.slice(0, 9)], { limit: 1 })).toEqual([b.letter_id]);
    expect(await lookUp([word, "grosse"])).toEqual([a.letter_id]);
    expect(await lookUp([word], { tenant_id: one.tenant_id })).toEqual([a.letter_id]);
    expect(await lookUp([word], { connector_ids: [connector_id] })).toEqual([c.letter_id, b.letter_id, a.letter_id]);
    expect(await lookUp(a.letter_id.split("-"))).toEqual([a.letter_id]);
    expect(await lookUp([`no${word}`])).toEqual([]);
    const [found] = await storage().letterAdmin.lookUp({
      ...{ tenant_id: two.tenant_id, words: [word], connector_ids: [], limit: 5 },
    });
    const { letter_id, status, labels } = b;
    expect(found).toEqual({
      ...{ tenant_id: two.tenant_id, tenant: expect.any(String), letter_id, connector_id: b.connector_id },
      ...{ status, labels },
    });
  });

  it("[C-7.31] [C-14.1050] pages over several tenants cover the letters once, in each order; beyond the last there is the true total", async () => {
    const labels = { case: newId() };
    const tenants = await Promise.all([1, 2, 3].map(() => newTenant(storage())));
    for (const [index, tenant] of tenants.entries())
      await keep(
        tenant,
        [1, 2, 3].map((n) => letter({ labels, created_at: later(7 * n + index), status_since: later(5 * n - index) })),
      );
    for (const order of letterOrders) {
      const all = await ids({ labels, order });
      const pages = await Promise.all([0, 4, 8, 12].map((offset) => search({ labels, order, offset, page_size: 4 })));
      expect(pages.flatMap(({ items }) => items.map(({ letter_id }) => letter_id))).toEqual(all);
      expect(pages.map(({ items, total }) => [items.length, total])).toEqual([
        [4, 9],
        [4, 9],
        [1, 9],
        [0, 9],
      ]);
      const at = orderedBy[order];
      const rest: string[] = [];
      for (let last = pages[0]?.items.at(-1); last !== undefined; ) {
        const behind = await search({ labels, order, page_size: 3, after: { ...last, at: last[at] } });
        expect(behind.total).toBe(9);
        rest.push(...behind.items.map(({ letter_id }) => letter_id));
        last = behind.items.at(-1);
      }
      expect([...all.slice(0, 4), ...rest], order).toEqual(all);
    }
  });

  it("[C-7.31] totals by status alone are exact, and follow every move", async () => {
    const tenant = await newTenant(storage());
    const records = [letter(), letter(), letter({ status: "Connected" })];
    await keep(tenant, records);
    const total = async (over: Partial<LetterAdminQuery>) =>
      (await search({ tenant_id: tenant.tenant_id, ...over })).total;
    expect(await total({})).toBe(3);
    expect(await total({ status_in: ["Signed"] })).toBe(2);
    const everywhere = (await search({ status_in: ["Signed"] })).total;
    const [first] = records as [LetterRecord];
    await tenant.run(({ letterMoves }) =>
      letterMoves.record({ ...first, status: "Cancelled" }, move(first, { from: "Signed", to: "Cancelled" })),
    );
    expect(await total({ status_in: ["Signed", "Cancelled"] })).toBe(2);
    expect((await search({ status_in: ["Signed"] })).total).toBe(everywhere - 1);
    const counts = await storage().letterAdmin.counts(tenant.tenant_id);
    expect(counts.map(({ status, letters }) => `${status} ${letters}`).sort()).toEqual([
      "Cancelled 1",
      "Connected 1",
      "Signed 1",
    ]);
    const since = await storage().letterAdmin.counts(null);
    expect(since.find(({ status }) => status === "Signed")?.oldest_since).toEqual(later(-30));
  });

  it("letters that files of a connector may be for are told again only when one of them has changed", async () => {
    const [one, two] = [await newTenant(storage()), await newTenant(storage())];
    const connector_id = `esp:${newId()}`;
    const made = (over: Partial<LetterRecord>) => letter({ connector_id, ...over });
    const waiting = made({ status: "WaitingForData", created_at: later(3) });
    const blocked = made({ status: "Blocked", created_at: later(1) });
    const signed = made({ created_at: later(2) });
    await keep(one, [waiting, signed, letter({ status: "WaitingForData" })]);
    await keep(two, [blocked]);
    const { letterAdmin } = storage();
    const asked = async (known: string | null, over: { tenant_id?: string; limit?: number } = {}) => {
      const { digest, letters } = await letterAdmin.forFiles(
        { connector_id, tenant_id: null, limit: 10, ...over },
        known,
      );
      return { digest, letters, ids: letters?.map(({ letter_id }) => letter_id) ?? null };
    };
    const first = await asked(null);
    const { letter_id, version } = blocked;
    expect(first.letters?.[0]).toEqual({ tenant_id: two.tenant_id, letter_id, connection_id: null, version });
    expect(first.ids).toEqual([blocked.letter_id, waiting.letter_id]);
    expect(await asked(first.digest)).toMatchObject({ digest: first.digest, letters: null });
    expect((await asked(first.digest, { tenant_id: one.tenant_id })).ids).toEqual([waiting.letter_id]);
    expect((await asked(null, { limit: 1 })).ids).toEqual([blocked.letter_id]);
    await one.run(({ letterMoves }) =>
      letterMoves.record(
        { ...signed, status: "WaitingForData" },
        move(signed, { from: "Signed", to: "WaitingForData" }),
      ),
    );
    const second = await asked(first.digest);
    expect(second.ids).toEqual([blocked.letter_id, signed.letter_id, waiting.letter_id]);
    const none = await letterAdmin.forFiles({ connector_id: `${connector_id}x`, tenant_id: null, limit: 10 }, null);
    expect(none.letters).toEqual([]);
  });
}
