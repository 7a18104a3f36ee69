import {
  type Connectors,
  createInstitutionFigures,
  createLetterOperations,
  createMails,
  createWorkQueue,
  type LetterRecord,
  letterFacts,
  letterOverdueDays,
  type MailRecord,
  type StoredWork,
  type Uuid,
  type WorkKind,
  type WorkLine,
  workKinds,
} from "@org/core";
import { createTestRuntime, samples } from "@org/core/testing";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPostgresStorage } from "./postgres-storage.js";
import { createOutcomeStore } from "./queries/outcomes.js";
import { createWorkReader } from "./queries/work-reader.js";
import { type TestDatabase, testBackends } from "./testing/index.js";
import { createTransactions, type Transactions } from "./transactions.js";

const DAY = 86_400_000;
const { now } = samples;
const ago = (days: number) => new Date(now.getTime() - days * DAY);
const operator = { application_id: "operator", trace_id: null, address: null };
const connectors = {
  find: async (id: string) => ({ id, name: `Bank ${id}`, provider: "sandbox" }),
} as unknown as Connectors;

describe.each(testBackends)("the work queue on $name", ({ create }) => {
  let database: TestDatabase;
  let transactions: Transactions;
  let storage: ReturnType<typeof createPostgresStorage>;
  const runtime = createTestRuntime(now);
  /** Work found outside the database. */
  let elsewhere: StoredWork[] = [];
  const at = now;
  const workers = new Map<string, string>();
  beforeAll(async () => {
    database = await create();
    transactions = createTransactions(database.pool);
    storage = createPostgresStorage(transactions);
  });
  afterAll(() => database?.close());

  const queue = () =>
    createWorkQueue({
      reader: createWorkReader(transactions),
      sources: [
        {
          kinds: ["provider_unavailable"],
          find: async (tenantId) => elsewhere.filter((line) => tenantId === null || line.tenant_id === tenantId),
        },
      ],
      connectors,
      marks: storage.workMarks,
      people: {
        nameOfWorker: async (_tenantId, id) => workers.get(`person:${id}`) ?? null,
        nameOf: async (_tenantId, actorId) => workers.get(actorId) ?? null,
      },
      runtime: { ...runtime, clock: () => at },
      overdueDays: letterOverdueDays as Record<string, number>,
    });
  const list = async (search: object = {}) =>
    queue().list(operator, { page_token: undefined, page_size: 200, ...search });
  const brief = ({ kind, subject, action }: WorkLine) => [kind, subject.id, action];

  it("[C-14.80] finds every kind of trouble once, over all tenants and of one, with its one action, and no more of it once it is mended", async () => {
    const tenant = await samples.newTenant(storage);
    const other = await samples.newTenant(storage);
    const operations = createLetterOperations({
      storage,
      runtime,
      connectors,
      sendsMail: true,
      template: async () => Buffer.from("%PDF"),
      checks: { inspect: async (bytes) => ({ bytes, signature: "none" }), scan: null, maxBytes: 1_000 },
    });
    const mails = createMails({ storage, runtime });

    const letter = async (over: Partial<LetterRecord>, mail?: Partial<MailRecord>) => {
      const record = samples.letter(over);
      await tenant.run(async (stores) => {
        await stores.letters.create(record, [], samples.move(record, { at: record.status_since }));
        if (mail) await stores.mails.queue({ ...samples.mail(record), ...mail });
      });
      return record.letter_id;
    };
    const settled = { created_at: ago(1), due_at: ago(1), settled_at: ago(1), last_error: "550 no such user" };
    const sent = { kind: "authorization_letter", ...settled, state: "sent" } as const;
    // These need no action.
    await letter({ status: "Connected", status_since: ago(100) });
    await letter({ status: "Signed", status_since: ago(1) });
    await letter({ status: "SentToCustodian", status_since: ago(9) }, sent);
    await letter({ status: "Revoked", status_since: ago(100) });
    await tenant.run(async ({ refreshes, connections }) => {
      const well = samples.connection();
      await connections.create(well);
      await refreshes.plan(well.connection_id, samples.plan(now, { consent_expires_at: ago(-8) }));
    });

    const overdue = await letter({ status: "Signed", status_since: ago(3) });
    const chased = await letter({ status: "SentToCustodian", status_since: ago(30) }, sent);
    const unmailed = await letter({ status: "Discontinued", status_since: ago(9) });
    const failed = await letter({ status: "SentToCustodian", status_since: ago(20) }, { ...sent, state: "failed" });
    const doubtful = await letter(
      { status: "SentToUser", status_since: ago(20) },
      { ...sent, kind: "signature_request", state: "in_doubt" },
    );
    const mailOf = async (id: Uuid) => (await tenant.run((stores) => stores.mails.ofLetter(id)))[0]?.mail_id as Uuid;
    const [failedMail, doubtfulMail] = [await mailOf(failed), await mailOf(doubtful)];
    const block = async (actor: string, note: string) => {
      const id = await letter({ status: "Connected", status_since: ago(30) });
      await tenant.run(async ({ letterMoves }) => {
        const found = (await letterMoves.lock(id as never)) as LetterRecord;
        const blocked = { ...found, status: "Blocked", previous_status: "Connected", status_since: ago(2) } as const;
        const move = samples.move(blocked, { at: ago(2), actor, event: "block", from: "Connected", note });
        await letterMoves.record(blocked, move);
      });
      return id;
    };
    const blocked = await block("operator", "asked by the bank");
    const silent = await block("system", "no file of the custodian for 7 days");

    const relogin = await tenant.connect();
    const consent = await tenant.connect();
    const paged = await tenant.connect({ sealed_access: null });
    const differing = await tenant.connect({ sealed_access: null });
    const endpoint = samples.newId();
    await tenant.run(async ({ refreshes, feedPages }) => {
      await refreshes.plan(relogin.connection_id, samples.plan(now));
      await refreshes.take(relogin.connection_id, { lease: samples.newId(), now: ago(1), until: now });
      const next = { due_at: null, failures: 0, outcome: "relogin_needed", pending: null } as const;
      await refreshes.settle(relogin.connection_id, next);
      await refreshes.plan(consent.connection_id, samples.plan(now, { consent_expires_at: ago(-2) }));
      const page = { statement: "a", title: "account 1", number: 1, is_last: false, text: "", place: "file" };
      await feedPages.keep(paged.connection_id, [page], { now: ago(9), arrival: 1, finish_at: ago(9) });
    });
    await storage.waitingStatements.expire(ago(7), now, 10);
    const twin = { tenant_id: tenant.tenant_id, connection_id: differing.connection_id, portfolio_id: samples.newId() };
    await transactions.asTenant(tenant.tenant_id, async (db) => {
      await sql`insert into feed_gaps (tenant_id, connection_id, portfolio_id, from_day, to_day, days, found_at)
        values (${twin.tenant_id}, ${twin.connection_id}, ${twin.portfolio_id}, '2026-02-20', '2026-02-24', '{2026-02-23}', ${ago(1)})`.execute(
        db,
      );
      await sql`insert into webhook_endpoints
        (tenant_id, endpoint_id, url, types, labels, is_enabled, disabled_reason, disabled_at, sealed_secret, created_at, changed_at)
        values (${tenant.tenant_id}, ${endpoint}, 'https://crm.example/hooks?key=secret', '{*}', '{}', false, 'failing', ${ago(1)}, 's',
          ${now}, ${now})`.execute(db);
    });
    const [file, dropped] = [samples.newId(), samples.newId()];
    await transactions.asUpkeep(async (db) => {
      await sql`insert into feed_sources (source, kind, sealed_settings, is_enabled, created_at, changed_at, failures, last_error)
        values ('fern', 'sftp', 's', true, ${ago(5)}, ${ago(5)}, 3, 'refused'),
          ('drop-folder', 'folder', 's', true, ${ago(5)}, ${ago(5)}, 0, null)`.execute(db);
      await sql`insert into feed_source_files (file_id, source, name, size, sha256, state, came_at, settled_at, seen_at)
        values (${file}, 'fern', 'a.sta', 1, 'x', 'held', ${ago(1)}, ${ago(1)}, ${ago(1)}),
          (${dropped}, 'drop-folder', ${`${silent}/a.sta`}, 1, 'x', 'held', ${ago(2)}, ${ago(2)}, ${ago(2)})`.execute(
        db,
      );
      await sql`insert into feed_held (file_id, sealed_key, ciphertext, bytes, sealed_findings, held_until, cause)
        values (${file}, '', '', 0, '', ${ago(-9)}, 'account'), (${dropped}, '', '', 0, '', ${ago(-9)}, 'format')`.execute(
        db,
      );
    });
    const circuit = { connector_id: "esp:bank", provider: "sandbox", tenant_id: null };
    await storage.providerCircuits.opened(circuit, ago(1));
    const own = { tenant_id: tenant.tenant_id, tenant: null, since: ago(1), details: {} };
    elsewhere = [{ ...own, kind: "provider_unavailable", id: "lighthouse", tenant_id: null, since: new Date(0) }];

    const everything = [
      ["provider_failing", "esp:bank 00000000-0000-0000-0000-000000000000", "look_at_provider"],
      ["provider_unavailable", "lighthouse", "set_provider"],
      ["source_failing", "fern", "test_source"],
      ["mail_failed", failedMail, "correct_address"],
      ["mail_in_doubt", doubtfulMail, "confirm_mail"],
      ["letter_blocked", blocked, "resolve_letter"],
      ["feed_silent", silent, "ask_custodian"],
      ["webhook_disabled", endpoint, "enable_endpoint"],
      ["file_held", dropped, "map_file"],
      ["file_held", file, "route_file"],
      ["pages_overdue", `${paged.connection_id} a`, "find_pages"],
      ["letter_unmailed", unmailed, "give_address"],
      ["letter_overdue", chased, "ask_custodian"],
      ["letter_overdue", overdue, "advance_letter"],
      ["connection_relogin", relogin.connection_id, "send_repair_link"],
      ["consent_ending", consent.connection_id, "send_repair_link"],
      ["feed_differs", differing.connection_id, "compare_statements"],
    ];
    const found = await list();
    expect(found.items.map(brief)).toEqual(everything);
    expect(new Set(found.items.map(({ kind }) => kind))).toEqual(new Set(workKinds));
    const counts = Object.fromEntries(
      workKinds.map((kind) => [kind, ["letter_overdue", "file_held"].includes(kind) ? 2 : 1]),
    );
    expect(found.counts).toEqual(counts);
    expect(found.items.find(({ kind }) => kind === "mail_failed")).toMatchObject({
      tenant_id: tenant.tenant_id,
      tenant: `Tenant ${tenant.tenant_id}`,
      since: ago(1).toISOString(),
      details: {
        letter_id: failed,
        reason: "550 no such user",
        institution: "Bank esp:bank",
        status: "SentToCustodian",
      },
    });
    expect(JSON.stringify(found)).not.toContain("secret");

    // Page by page, each line once; of some kinds only, of one tenant only.
    const walked: unknown[] = [];
    for (let page_token: string | null | undefined; page_token !== null; ) {
      const page = await list({ page_size: 3, page_token });
      walked.push(...page.items.map(brief));
      page_token = page.next_page_token;
    }
    expect(walked).toEqual(everything);
    const some = await list({ kinds: ["letter_overdue", "mail_failed"] });
    expect(some.items.map(({ kind }) => kind)).toEqual(["mail_failed", "letter_overdue", "letter_overdue"]);
    expect(some.counts).toEqual(counts);
    const installations = ["provider_failing", "provider_unavailable", "source_failing", "file_held"];
    const ofTenant = await list({ tenant_id: tenant.tenant_id });
    expect(ofTenant.items.map(brief)).toEqual(
      everything.filter(([kind, id]) => !installations.includes(String(kind)) || id === dropped),
    );
    expect((await list({ tenant_id: other.tenant_id })).items).toEqual([]);

    // A tenant's people see what they can act on, and not operators' internal notes.
    const seen = await queue().listOf({ ...operator, ...tenant }, { page_token: undefined, page_size: 50 });
    expect(seen.items.map(({ kind }) => kind)).toEqual([
      ...["letter_blocked", "feed_silent", "webhook_disabled", "connection_relogin", "consent_ending"],
    ]);
    expect(JSON.stringify(seen)).not.toContain("asked by the bank");
    expect((await queue().listOf({ ...operator, ...other }, { page_token: undefined, page_size: 50 })).items).toEqual(
      [],
    );

    await operations.advance(operator, overdue, {});
    await operations.observe(operator, chased, "the custodian was called");
    await operations.observe(operator, unmailed, "the custodian was told by telephone");
    await mails.retry(operator, failedMail, "other@bank.example");
    await mails.confirm(operator, doubtfulMail);
    await operations.observe(operator, doubtful, "the client was reminded");
    await operations.observe(operator, failed, "the custodian has a new address");
    await operations.resolve(operator, blocked, undefined);
    await operations.resolve(operator, silent, undefined);
    await storage.providerCircuits.closed(circuit);
    elsewhere = [];
    await tenant.run(async ({ refreshes, feedPages }) => {
      await refreshes.plan(relogin.connection_id, samples.plan(now));
      await refreshes.plan(consent.connection_id, samples.plan(now, { consent_expires_at: ago(-90) }));
      await feedPages.forget(paged.connection_id, ["a"]);
    });
    await transactions.asTenant(tenant.tenant_id, async (db) => {
      await sql`delete from feed_gaps`.execute(db);
      await sql`update webhook_endpoints set is_enabled = true, disabled_reason = null, disabled_at = null`.execute(db);
    });
    await transactions.asUpkeep(async (db) => {
      await sql`update feed_sources set failures = 0, succeeded_at = ${now}`.execute(db);
      await sql`update feed_source_files set state = 'taken'`.execute(db);
    });
    const mended = await list();
    expect(mended.items).toEqual([]);
    expect(mended.counts).toEqual(Object.fromEntries(workKinds.map((kind) => [kind, 0])));
  });

  it("[C-14.81] outcomes at an institution are added up over servers by hour, told for a day and a week, and go after it", async () => {
    const store = createOutcomeStore(transactions);
    let at = now;
    const server = () => createInstitutionFigures({ store, connectors, runtime: { ...runtime, clock: () => at } });
    const [one, two] = [server(), server()];
    at = ago(3);
    one.note("login", "esp:a", "succeeded");
    one.note("login", "esp:a", "customer");
    await one.flush();
    at = now;
    for (const each of [one, two]) {
      each.note("login", "esp:a", "succeeded");
      each.note("login", "esp:a", "failed");
      each.note("refresh", "esp:b", "succeeded");
      each.note("refresh", "esp:b", null);
      each.note("refresh", null, "failed");
    }
    await Promise.all([one.flush(), two.flush(), one.flush()]);
    await storage.providerCircuits.opened({ connector_id: "esp:c", provider: "sandbox", tenant_id: null }, ago(1));
    const none = { succeeded: 0, failed: 0, customer: 0, rate: null };
    const { items, next_page_token } = await one.list({ page_size: 2 });
    expect(items).toEqual([
      {
        connector_id: "esp:a",
        name: "Bank esp:a",
        provider: "sandbox",
        circuit: "closed",
        circuit_open_since: null,
        logins: {
          day: { succeeded: 2, failed: 2, customer: 0, rate: 0.5 },
          week: { succeeded: 3, failed: 2, customer: 1, rate: 0.6 },
        },
        refreshes: { day: none, week: none },
      },
      expect.objectContaining({
        connector_id: "esp:b",
        refreshes: { day: { ...none, succeeded: 2, rate: 1 }, week: { ...none, succeeded: 2, rate: 1 } },
      }),
    ]);
    expect((await one.list({ page_size: 2, page_token: next_page_token })).items).toMatchObject([
      { connector_id: "esp:c", circuit: "open", circuit_open_since: ago(1).toISOString() },
    ]);
    expect(await one.reap(new Date(now.getTime() + 6 * DAY), 100)).toBe(1);
    await storage.providerCircuits.closed({ connector_id: "esp:c", tenant_id: null });

    // Figures that cannot be stored now are stored with the next ones.
    const away = createInstitutionFigures({
      store: {
        ...store,
        add: async (counted) => (isUnavailable ? Promise.reject(new Error("away")) : store.add(counted)),
      },
      connectors,
      runtime,
    });
    let isUnavailable = true;
    away.note("refresh", "esp:d", "failed");
    await expect(away.flush()).rejects.toThrow("away");
    isUnavailable = false;
    away.note("refresh", "esp:d", "failed");
    await away.flush();
    const kept = (await away.list({ page_size: 100 })).items.find(({ connector_id }) => connector_id === "esp:d");
    expect(kept?.refreshes.day).toEqual({ ...none, failed: 2, rate: 0 });
  });

  it("[C-14.80] knows of each status what core's table says: which mail it calls for, and whether a letter is ever overdue in it", async () => {
    const tenant = await samples.newTenant(storage);
    const statuses = Object.keys(letterFacts) as (keyof typeof letterFacts)[];
    const withMail = statuses.filter((status) => letterFacts[status].mail !== null);
    await tenant.run(async ({ letters, mails }) => {
      for (const status of statuses) {
        const since = { status_since: ago(400) };
        const letter = samples.letter({ status, ...since });
        await letters.create(letter, [], samples.move(letter, { at: ago(400) }));
        const { mail: kind } = letterFacts[status];
        if (kind === null) continue;
        const settled = { state: "sent", settled_at: ago(399), created_at: ago(400), due_at: ago(400) } as const;
        await mails.queue({ ...samples.mail(letter), ...settled, kind });
        const unmailed = samples.letter({ status, ...since });
        await letters.create(unmailed, [], samples.move(unmailed, { at: ago(400) }));
      }
    });
    const found = async (kind: WorkKind) =>
      (await list({ tenant_id: tenant.tenant_id, kinds: [kind] })).items.map(({ details }) => details.status).sort();
    expect(await found("letter_unmailed")).toEqual(withMail.sort());
    expect(await found("letter_overdue")).toEqual(Object.keys(letterOverdueDays).sort());
  });
});
