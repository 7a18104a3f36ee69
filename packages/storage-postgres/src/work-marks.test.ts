import {
  type Connectors,
  createWorkQueue,
  INSTALLATION_LOG,
  type LetterRecord,
  letterOverdueDays,
  type StoredWork,
  type Uuid,
  type WorkLine,
  type WorkQueue,
} from "@org/core";
import { createTestRuntime, samples } from "@org/core/testing";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPostgresStorage } from "./postgres-storage.js";
import { createWorkReader } from "./queries/work-reader.js";
import { type TestDatabase, testBackends } from "./testing/index.js";
import { createTransactions, type Transactions } from "./transactions.js";

type WorkOutcomes = Awaited<ReturnType<WorkQueue["take"]>>;

const DAY = 86_400_000;
const { now } = samples;
const ago = (days: number) => new Date(now.getTime() - days * DAY);
const [annaId, benId] = [samples.newId(), samples.newId()];
const who = (id: string) => ({ application_id: `person:${id}`, trace_id: null, address: null });
const [anna, ben] = [who(annaId), who(benId)];

describe.each(testBackends)("owners and snoozes of the work queue on $name", ({ create }) => {
  let database: TestDatabase;
  let transactions: Transactions;
  let storage: ReturnType<typeof createPostgresStorage>;
  let at = now;
  let elsewhere: StoredWork[] = [];
  const runtime = createTestRuntime(now);
  beforeAll(async () => {
    database = await create();
    transactions = createTransactions(database.pool);
    storage = createPostgresStorage(transactions);
    await transactions.asUpkeep(async (db) => {
      for (const [id, name] of [
        [annaId, "Anna"],
        [benId, "Ben"],
      ])
        await sql`insert into people (tenant_id, person_id, email, name, role, created_at)
          values (${INSTALLATION_LOG}, ${id}, ${`${name}@desk.example`}, ${name}, 'operator', ${now})`.execute(db);
      await sql`insert into connectors (connector_id, name, type, countries, available, provider, metadata)
        values ('esp:bank', 'Banco Verde', 'bank', '{}', true, 'sandbox', '{}')`.execute(db);
    });
  });
  afterAll(() => database?.close());

  const names = new Map([
    [anna.application_id, "Anna"],
    [ben.application_id, "Ben"],
  ]);
  const queue = () =>
    createWorkQueue({
      reader: createWorkReader(transactions),
      marks: storage.workMarks,
      people: {
        nameOfWorker: async (_tenantId, id) => names.get(`person:${id}`) ?? null,
        nameOf: async (_tenantId, actorId) => names.get(actorId) ?? null,
      },
      sources: [{ kinds: ["provider_unavailable"], find: async () => elsewhere }],
      connectors: {
        find: async (id: string) => ({ id, name: "Banco Verde", provider: "sandbox" }),
      } as unknown as Connectors,
      runtime: { ...runtime, clock: () => at },
      overdueDays: letterOverdueDays as Record<string, number>,
    });
  const list = (search: object = {}, actor = anna) =>
    queue().list(actor, { page_token: undefined, page_size: 200, ...search } as never);
  const idsOf = ({ items }: { items: readonly WorkLine[] }) => items.map(({ subject }) => subject.id);
  const brief = ({ items }: WorkOutcomes) =>
    items.map(({ outcome, owner, version, error }) => [outcome, owner?.name ?? null, version, error?.code ?? null]);
  const line = (id: string, more: object = {}) =>
    [{ kind: "letter_overdue", id, version: undefined, ...more }] as const;

  /** A tenant with letters that stand still. */
  async function overdue(count: number, over: Partial<LetterRecord> = {}) {
    const tenant = await samples.newTenant(storage);
    const letters: LetterRecord[] = [];
    for (let index = 0; index < count; index += 1) {
      const letter = samples.letter({ status: "Signed", status_since: ago(20 - index), ...over });
      await tenant.run((stores) =>
        stores.letters.create(letter, [], samples.move(letter, { at: letter.status_since })),
      );
      letters.push(letter);
    }
    return {
      tenant,
      tenant_id: tenant.tenant_id as Uuid,
      letters,
      ids: letters.map(({ letter_id }) => letter_id as string),
    };
  }

  it("[C-14.860] a line has one owner: who takes it second is told who has it; it is handed over to a person who may work, and let go", async () => {
    const { tenant_id, ids } = await overdue(2);
    const [one = "", two = ""] = ids;
    const both = await Promise.all([queue().take(anna, line(one)), queue().take(ben, line(one))]);
    const winner = both.findIndex(({ done }) => done === 1);
    expect(both.map(({ done }) => done).sort()).toEqual([0, 1]);
    const name = ["Anna", "Ben"][winner];
    const first = both[winner]?.items[0]?.version ?? 0;
    expect(first).toBeGreaterThan(0);
    expect(brief(both[1 - winner] as WorkOutcomes)).toEqual([["refused", name, first, "CONFLICT"]]);
    expect(both[1 - winner]?.items[0]?.error?.message).toBe(`somebody else has it: ${name}`);

    expect(brief(await queue().handOver(anna, line(one, { version: 0 }), annaId))).toEqual([
      ["refused", name, first, "CONFLICT"],
    ]);
    const handed = await queue().handOver(anna, line(one, { version: first }), annaId);
    const second = handed.items[0]?.version ?? 0;
    expect(second).toBeGreaterThan(first);
    expect(brief(handed)).toEqual([["done", "Anna", second, null]]);
    await expect(queue().handOver(anna, line(two), samples.newId())).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
    });
    expect(brief(await queue().take(anna, line(samples.newId())))).toEqual([["refused", null, 0, "NOT_FOUND"]]);

    const of = (owner: string, actor = anna) => list({ tenant_id, owner }, actor);
    expect([
      idsOf(await of("me")),
      idsOf(await of("me", ben)),
      idsOf(await of("nobody")),
      idsOf(await of(annaId)),
    ]).toEqual([[one], [], [two], [one]]);
    expect((await of("me")).items[0]).toMatchObject({
      owner: { id: anna.application_id, name: "Anna" },
      version: second,
    });
    expect((await of("nobody")).counts).toMatchObject({ letter_overdue: 1 });
    expect(brief(await queue().handOver(anna, line(one), null))).toEqual([["done", null, 0, null]]);
    expect(idsOf(await of("nobody"))).toEqual([one, two]);
    // Versions that were seen before the line was let go are over, also once somebody has it again.
    const taken = (await queue().take(ben, line(one))).items[0]?.version ?? 0;
    for (const version of [0, first, second])
      expect(brief(await queue().handOver(anna, line(one, { version }), annaId))).toEqual([
        ["refused", "Ben", taken, "CONFLICT"],
      ]);
    await queue().handOver(ben, line(one, { version: taken }), null);

    // A person who is removed has nothing any more.
    await queue().take(ben, line(two));
    await transactions.asUpkeep((db) =>
      sql`update people set ended_at = ${now} where person_id = ${benId}`.execute(db),
    );
    expect((await of("nobody")).items.map(({ version }) => version)).toEqual([0, 0]);
  });

  it("[C-14.861] a snoozed line is away until its time or until something else is wrong; each change is in the audit trail and told", async () => {
    const { tenant, tenant_id, letters, ids } = await overdue(2);
    const [one = "", two = ""] = ids;
    const until = new Date(now.getTime() + 2 * DAY);
    at = now;
    await expect(queue().snooze(anna, line(one), ago(1), "late")).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    await queue().snooze(anna, [...line(one), ...line(two)], until, "the bank is closed");
    const away = await list({ tenant_id, snoozed: true });
    expect(idsOf(await list({ tenant_id }))).toEqual([]);
    expect(away.items.map(({ snoozed }) => snoozed)).toEqual(
      Array(2).fill({ until: until.toISOString(), reason: "the bank is closed" }),
    );

    // Another cause: the letter stands still in another status.
    const [, letter] = letters as [LetterRecord, LetterRecord];
    const moved = { ...letter, status: "AcceptedByCustodian", status_since: ago(9) } as const;
    await tenant.run(async ({ letterMoves }) => {
      await letterMoves.lock(letter.letter_id);
      await letterMoves.record(moved, samples.move(moved, { at: ago(9), from: "Signed" }));
    });
    expect(idsOf(await list({ tenant_id }))).toEqual([two]);
    expect((await list({ tenant_id })).items[0]?.snoozed).toBeNull();
    expect(brief(await queue().wake(anna, line(one)))).toEqual([["done", null, 0, null]]);
    expect(idsOf(await list({ tenant_id })).sort()).toEqual([one, two].sort());
    await queue().snooze(anna, line(one), until, "again");
    at = until;
    expect(idsOf(await list({ tenant_id })).sort()).toEqual([one, two].sort());
    at = now;

    const audited = await storage.auditTrail.list({
      tenant_id,
      from: null,
      before: null,
      action: null,
      actor: anna.application_id,
      object_id: one,
      trace_id: null,
      order: "oldest",
      after: null,
      limit: 9,
    });
    expect(audited.map(({ action, facts }) => [action, facts])).toEqual([
      ["work.snoozed", { kind: "letter_overdue", until: until.toISOString() }],
      ["work.woken", { kind: "letter_overdue" }],
      ["work.snoozed", { kind: "letter_overdue", until: until.toISOString() }],
    ]);
    expect(JSON.stringify(audited)).not.toContain("closed");
  });

  it("[C-14.862] tenants' people mark their own lines only, and neither they nor operators see the other's marks", async () => {
    const mine = await overdue(1, { status: "Blocked", previous_status: "Signed" });
    const theirs = await overdue(1, { status: "Blocked", previous_status: "Signed" });
    const own = { ...who(samples.newId()), tenant_id: mine.tenant_id };
    const blocked = (ids: readonly string[]) =>
      ids.map((id) => ({ kind: "letter_blocked", id, version: undefined }) as const);
    const made = await queue().snooze(
      own,
      blocked([...mine.ids, ...theirs.ids]),
      new Date(now.getTime() + DAY),
      "later",
    );
    expect(brief(made)).toEqual([
      ["done", null, expect.any(Number), null],
      ["refused", null, 0, "NOT_FOUND"],
    ]);
    const listOf = () => queue().listOf(own, { page_token: undefined, page_size: 50 } as never);
    expect((await listOf()).items).toEqual([]);
    expect(idsOf(await list({ tenant_id: mine.tenant_id }))).toEqual(mine.ids);
    await queue().take(anna, blocked(mine.ids));
    await queue().wake(own, blocked(mine.ids));
    expect((await listOf()).items.map(({ owner }) => owner)).toEqual([null]);
    // What an operator noted about a block is not found by search, since tenants may not read it.
    const [letter] = mine.letters as [LetterRecord];
    await mine.tenant.run(({ letterMoves }) =>
      letterMoves.record(letter, samples.move(letter, { at: now, event: "block", from: "Signed", note: "secretive" })),
    );
    const search = { page_token: undefined, page_size: 50, search: "secretive" } as never;
    expect((await queue().listOf(own, search)).items).toEqual([]);
    expect((await listOf()).items).toHaveLength(1);
  });

  it("[C-14.863] lines are found by custodian, and by words of institution, labels and whole ids; counts are those of the filter", async () => {
    const { tenant_id, ids } = await overdue(3, { labels: { desk: "Zürich 7" } });
    const other = await overdue(1, { connector_id: "esp:other", labels: { status: "x" } });
    const counted = async (search: object) => {
      const { items, counts } = await list(search);
      return [items.length, counts.letter_overdue];
    };
    const scoped = { tenant_id };
    expect(await counted({ ...scoped, search: "zürich" })).toEqual([3, 3]);
    expect(await counted({ ...scoped, search: "VERDE" })).toEqual([3, 3]);
    expect(await counted({ ...scoped, search: ids[1] })).toEqual([1, 1]);
    expect(await counted({ ...scoped, search: "Signed" })).toEqual([0, 0]);
    expect(await counted({ ...scoped, search: "%" })).toEqual([0, 0]);
    expect(await counted({ ...scoped, connector_ids: ["esp:other"] })).toEqual([0, 0]);
    expect(await counted({ tenant_id: other.tenant_id, connector_ids: ["esp:other", "esp:bank"] })).toEqual([1, 1]);
    const pages: string[] = [];
    for (let page_token: string | null | undefined; page_token !== null; ) {
      const page = await list({ ...scoped, search: "zürich", page_size: 2, page_token });
      pages.push(...idsOf(page));
      page_token = page.next_page_token;
    }
    expect(pages).toEqual(ids);
    // A token belongs to its filter.
    const { next_page_token } = await list({ ...scoped, page_size: 1 });
    await expect(
      list({ ...scoped, page_size: 1, search: "zürich", page_token: next_page_token }),
    ).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  });

  it("[C-14.892] lines are found by their client and by the name of their custodian, the client's name too, and tell of no other tenant's", async () => {
    const [mine, theirs] = [await overdue(2), await overdue(1)];
    for (const [{ tenant_id }, name] of [
      [mine, "ada muster"],
      [theirs, ""],
    ] as const) {
      await database.pool.query("insert into clients values ($1, 'C-0042', $2, $3, now())", [
        tenant_id,
        name,
        `c-0042 ${name}`,
      ]);
      await database.pool.query("update letters set client_ref = 'C-0042' where tenant_id = $1", [tenant_id]);
    }
    const found = async (search: object) => idsOf(await list(search));
    const scoped = { tenant_id: mine.tenant_id };
    expect(await found({ ...scoped, client_refs: ["C-0042"] })).toEqual(mine.ids);
    expect(await found({ ...scoped, client_refs: ["C-0043"] })).toEqual([]);
    expect(await found({ client_refs: ["C-0042"] })).toHaveLength(3);
    expect(await found({ ...scoped, custodian: "verd" })).toEqual(mine.ids);
    expect(await found({ ...scoped, custodian: "verd", client_refs: ["C-0043"] })).toEqual([]);
    expect(await found({ ...scoped, custodian: "azul" })).toEqual([]);
    expect(await found({ search: "muster a" })).toEqual(mine.ids);
    expect(await found({ search: "0042" })).toHaveLength(3);
    expect(await found({ tenant_id: theirs.tenant_id, search: "muster" })).toEqual([]);
  });

  it("[C-14.864] the clean-up deletes marks whose lines are gone, and no others; lines that are not in the database have marks, too", async () => {
    await transactions.asUpkeep((db) => sql`delete from work_marks`.execute(db));
    const { tenant, letters, ids } = await overdue(2);
    const provider = { kind: "provider_unavailable", id: "lighthouse" } as const;
    elsewhere = [
      {
        ...provider,
        tenant_id: null,
        tenant: null,
        since: ago(1),
        details: { provider: "lighthouse", reason: "no key" },
      },
    ];
    await queue().take(anna, [...line(ids[0] ?? ""), ...line(ids[1] ?? ""), { ...provider, version: undefined }]);
    await queue().snooze(anna, [{ ...provider, version: undefined }], new Date(now.getTime() + DAY), "tomorrow");
    const providers = (search: object) => list({ kinds: ["provider_unavailable"], ...search });
    expect((await providers({})).items).toEqual([]);
    expect((await providers({ snoozed: true, owner: "me" })).items).toMatchObject([
      { owner: { name: "Anna" }, snoozed: { reason: "tomorrow" } },
    ]);
    const reaping = queue();
    expect(await reaping.reapMarks(500)).toBe(0);
    const [letter] = letters as [LetterRecord];
    const moved = { ...letter, status: "Connected", status_since: now } as const;
    await tenant.run(async ({ letterMoves }) => {
      await letterMoves.lock(letter.letter_id);
      await letterMoves.record(moved, samples.move(moved, { at: now, from: "Signed" }));
    });
    elsewhere = [];
    const reaped = [];
    for (let round = 0; round < 4; round += 1) reaped.push(await reaping.reapMarks(2));
    expect(reaped.reduce((sum, count) => sum + count, 0)).toBe(2);
    expect(await storage.workMarks.list(null, 9)).toMatchObject([{ id: ids[1] }]);
  });
});
