import { readFileSync } from "node:fs";
import {
  connectionConditionOf,
  createConsentNotices,
  EVENT_TYPES,
  type EventType,
  eventDataSchemas,
  INSTALLATION_LOG,
  type NewEvent,
  type TenantActor,
  type Uuid,
} from "@org/core";
import type { FetchResult } from "@org/provider-kit";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connect, createWorld, linkOf, snapshotOf, type World } from "./world.js";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const PDF = Buffer.from("%PDF-1.7 signed by Ana %%EOF").toString("base64");

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

/** Types of all events that occurred in the tests of this file. */
const seen = new Set<EventType>();
afterEach(async () => {
  for (const log of [world.alice.tenant_id, INSTALLATION_LOG])
    for (const { type } of await world.storage.eventsOf(log)) seen.add(type);
});

const logOf = (actor: TenantActor) => world.storage.eventsOf(actor.tenant_id);

/** The events that a tenant gets while `work` runs, besides those of links that are opened. */
async function emittedBy(work: () => Promise<unknown>): Promise<readonly NewEvent[]> {
  return (await allEmittedBy(work)).filter(({ type }) => type !== "session.opened");
}

async function allEmittedBy(work: () => Promise<unknown>): Promise<readonly NewEvent[]> {
  const before = (await logOf(world.alice)).length;
  await work();
  return (await logOf(world.alice)).slice(before);
}

/** An event in one line: its type and the relevant data. */
function line({ type, data }: NewEvent): string {
  const facts = data as Readonly<Record<string, unknown>>;
  const words = [
    "status",
    "error_code",
    "source",
    "change",
    "reason",
    "days",
    "products",
    "document",
    "from",
    "differences",
    "gap_days",
  ].flatMap((name) => (facts[name] === undefined || facts[name] === null ? [] : [`${name} ${String(facts[name])}`]));
  return [type, ...words].join(", ");
}
const linesOf = async (work: () => Promise<unknown>) => (await emittedBy(work)).map(line);

/** A session whose customer is at the bank's form. */
async function begun() {
  const { session, widget_url } = await world.sessions.createFor(world.alice, { connector_id: "esp:norte" });
  const link = linkOf(widget_url);
  const owner = (await world.customer.claim(link, null))?.owner ?? null;
  const login = async (password: string, username = "user-1") => {
    await world.customer.submitCredentials(link, owner, { username, password });
    await world.customer.drain();
  };
  return { session_id: session.session_id, link, owner, login };
}

/** A repair of a connection by its customer. */
async function repair(connection_id: string, password = "good") {
  const { widget_url } = await world.sessions.createFor(world.alice, { connection_id });
  const link = linkOf(widget_url);
  const owner = (await world.customer.claim(link, null))?.owner ?? null;
  await world.customer.submitCredentials(link, owner, { username: "user-1", password });
  await world.customer.drain();
}

async function refreshed(connection_id: Uuid, result: FetchResult | null) {
  world.runtime.advance(HOUR);
  world.bank.refresh = result && (async () => result);
  await world.refreshes.refresh(world.alice, connection_id);
}

const data = (units = "10.5", consent_expires_at: Date | null = null): FetchResult => ({
  snapshot: snapshotOf(units),
  consent_expires_at,
});

const sign = async () =>
  (
    await world.letters.createSigned(
      world.alice,
      { connector_id: "fra:custody", data: PDF, labels: { desk: "north" } },
      null,
    )
  ).letter_id;
const advance = (letter_id: Uuid, times = 1) =>
  Array.from({ length: times }).reduce<Promise<unknown>>(
    (before) => before.then(() => world.letterOperations.advance(world.operator, letter_id, {})),
    Promise.resolve(),
  );
const send = (letter_id: string, text: string) =>
  world.dataFeeds.ingest(world.operator, { letter_id }, { name: "ana-in-january.txt", bytes: Buffer.from(text) });

it("[C-14.875] the first opening of a session's link is one event, and shown in the list", async () => {
  const made = await world.sessions.createFor(world.alice, { connector_id: "esp:norte" });
  const link = linkOf(made.widget_url);
  const listed = async () => (await world.sessions.list(world.alice, { query: { is_opened: true } })).items;
  expect((await listed()).filter(({ session_id }) => session_id === made.session.session_id)).toEqual([]);
  const told = await allEmittedBy(async () => {
    const owner = (await world.customer.claim(link, null))?.owner ?? null;
    await world.customer.claim(link, owner);
    await world.customer.claim(link, null);
  });
  const { session_id } = made.session;
  expect(told).toMatchObject([
    {
      type: "session.opened",
      object_id: session_id,
      data: { connection_id: null, connector_id: "esp:norte", client_ref: null },
    },
  ]);
  expect((await listed())[0]).toMatchObject({
    session_id,
    created_by: world.alice.application_id,
    opened_at: world.runtime.clock().toISOString(),
    relogin: false,
  });
});

it("[C-14.876] who made a session ends it: its link works no more, and it ends once", async () => {
  const made = await world.sessions.createFor(world.alice, { connector_id: "esp:norte" });
  const { session_id } = made.session;
  const link = linkOf(made.widget_url);
  await world.customer.claim(link, null);
  await expect(world.sessions.end(world.bob, session_id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(world.sessions.end(world.alice, "nothing")).rejects.toMatchObject({ code: "NOT_FOUND" });
  const told = await allEmittedBy(() => world.sessions.end(world.alice, session_id));
  expect(told.map(line)).toEqual(["session.finished, status Finished:Aborted"]);
  expect(await world.sessions.status(world.alice, session_id)).toMatchObject({
    status: "Finished:Aborted",
    error_code: null,
    widget_url: null,
  });
  expect(await world.customer.claim(link, null)).toBe(null);
  await expect(world.sessions.end(world.alice, session_id)).rejects.toMatchObject({ code: "CONFLICT" });
});

describe("[C-11.20] the end of a session is one event, however it ends", () => {
  it.each<[string, (session: Awaited<ReturnType<typeof begun>>) => Promise<unknown>, string[]]>([
    [
      "with a connection",
      ({ login }) => login("good"),
      [
        "connection.created, status ready, source login",
        "data.changed, products portfolios,holdings,transactions",
        "session.finished, status Finished:OK",
      ],
    ],
    ["after one refusal", ({ login }) => login("wrong"), []],
    [
      "after three refusals",
      ({ login }) =>
        login("wrong")
          .then(() => login("wrong"))
          .then(() => login("wrong")),
      ["session.finished, status Finished:Error, error_code InvalidCredentials"],
    ],
    [
      "by the bank",
      ({ login }) => login("refused"),
      ["session.finished, status Finished:Error, error_code UserInteractionNeeded"],
    ],
    [
      "by a fault",
      ({ login }) => login("broken"),
      ["session.finished, status Finished:Error, error_code InternalError"],
    ],
    [
      "by the customer",
      ({ link, owner }) => world.customer.abort(link, owner).then(() => world.customer.abort(link, owner)),
      ["session.finished, status Finished:Aborted, error_code AbortedByUser"],
    ],
    [
      "by its time",
      async () => {
        world.runtime.advance(HOUR);
        for (let round = 0; round < 2; round += 1) await world.storage.upkeep.expireSessions(world.runtime.clock(), 10);
      },
      ["session.finished, status Finished:Expired, error_code SessionExpired"],
    ],
  ])("%s", async (_, end, lines) => {
    const session = await begun();
    const told = await emittedBy(() => end(session));
    expect(told.map(line)).toEqual(lines);
    for (const { type, object_id, data } of told.slice(-1))
      expect({ type, object_id, data }).toMatchObject({
        object_id: session.session_id,
        data: { session_id: session.session_id },
      });
  });

  it("that finds its connection already there names it", async () => {
    const { connection_id } = await connect(world, world.alice);
    const told = await emittedBy(() => connect(world, world.alice));
    expect(told).toMatchObject([{ data: { status: "Finished:Error", error_code: "AlreadyExists", connection_id } }]);
  });
});

describe("[C-11.21] a connection", () => {
  let connection_id: Uuid;
  beforeEach(async () => {
    connection_id = (await connect(world, world.alice)).connection_id as Uuid;
  });

  it("that is refreshed with the same data tells that it is fresh, and of no change", async () => {
    const fresh = "connection.refreshed, status ready, source refresh";
    expect(await linesOf(() => refreshed(connection_id, data()))).toEqual([fresh]);
    expect(await linesOf(() => refreshed(connection_id, data("11")))).toEqual([
      "data.changed, products holdings,transactions",
      fresh,
    ]);
    const [first] = snapshotOf("11").transactions ?? [];
    const more = { ...snapshotOf("11"), transactions: first ? [first, { ...first, key: "t2" }] : [] };
    expect(await linesOf(() => refreshed(connection_id, { snapshot: more, consent_expires_at: null }))).toEqual([
      "data.changed, products transactions",
      fresh,
    ]);
    const renamed = snapshotOf("11").portfolios?.map((row) => ({ ...row, name: "Depot B" })) ?? null;
    const other = { ...snapshotOf("11"), portfolios: renamed };
    expect(await linesOf(() => refreshed(connection_id, { snapshot: other, consent_expires_at: null }))).toEqual([
      "data.changed, products portfolios",
      fresh,
    ]);
  });

  it("whose bank is out of order tells nothing: nothing has changed for its reader", async () => {
    expect(await linesOf(() => refreshed(connection_id, { failed: { message: "down" } }))).toEqual([]);
  });

  it.each([
    ["rejected", "connection.needs_relogin, status needs_relogin, source refresh, reason auth_error"],
    ["sca_required", "connection.needs_relogin, status needs_relogin, source refresh, reason sca_required"],
    ["consent_expired", "connection.needs_relogin, status needs_relogin, source refresh, reason sca_required"],
    ["reset", "connection.needs_relogin, status needs_relogin, source refresh, reason reset_token"],
    ["blocked", "connection.blocked, status blocked, source refresh, reason blocked"],
  ] as const)("that its bank refuses as %s says so once, and that its customer has mended it", async (reason, told) => {
    expect(await linesOf(() => refreshed(connection_id, { refused: reason }))).toEqual([told]);
    expect(await linesOf(() => repair(connection_id))).toEqual([
      "connection.recovered, status ready, source login",
      "connection.refreshed, status ready, source login",
      "session.finished, status Finished:OK",
    ]);
  });

  it("whose data are still prepared is pending, and then ready", async () => {
    world.bank.first = async () => ({ pending: { retry_after: 5, state: 1 } });
    const told = await emittedBy(async () => {
      connection_id = (await connect(world, world.alice, "good", "user-2")).connection_id as Uuid;
    });
    expect(told.map(line)).toEqual([
      "connection.created, status pending, source login",
      "session.finished, status Finished:OK",
    ]);
    world.bank.refresh = async () => data();
    expect(await linesOf(() => refreshed(connection_id, data()))).toEqual([
      "data.changed, products portfolios,holdings,transactions",
      "connection.refreshed, status ready, source refresh",
    ]);
  });

  it("that is deleted is removed, once", async () => {
    const removed = await emittedBy(() => world.credentials.remove(world.alice, connection_id, true));
    expect(removed).toMatchObject([
      { type: "connection.removed", object_id: connection_id, data: { status: "removed", letter_id: null } },
    ]);
    expect(await linesOf(() => world.credentials.remove(world.alice, connection_id, true).catch(() => null))).toEqual(
      [],
    );
  });
});

describe("[C-11.22] a consent that runs out", () => {
  const notices = () => createConsentNotices(world);
  const tell = () => linesOf(() => notices().notifyEndingConsents());
  const [inSeven, inOne] = [7, 1].map((days) => `connection.consent_expiring, status ready, days ${days}`);
  const ends = (days: number) => new Date(world.runtime.clock().getTime() + days * DAY);
  let connection_id: Uuid;
  const consent = async (days: number) => refreshed(connection_id, data("10.5", ends(days)));
  beforeEach(async () => {
    connection_id = (await connect(world, world.alice)).connection_id as Uuid;
  });

  it("is told seven days and one day before, once each, also after a restart and by two at once", async () => {
    await consent(8);
    expect(await tell()).toEqual([]);
    world.runtime.advance(DAY + HOUR);
    expect(
      await linesOf(() => Promise.all([notices().notifyEndingConsents(), notices().notifyEndingConsents()])),
    ).toEqual([inSeven]);
    world.runtime.advance(5 * DAY);
    expect(await tell()).toEqual([]);
    world.runtime.advance(DAY);
    expect(await tell()).toEqual([inOne]);
    expect(await tell()).toEqual([]);
    world.runtime.advance(DAY);
    expect(await tell()).toEqual([]);
  });

  it("that is renewed is told of anew; the same end in other words is not", async () => {
    await consent(6);
    expect(await tell()).toEqual([inSeven]);
    await consent(6);
    expect(await tell()).toEqual([]);
    await consent(90);
    expect(await tell()).toEqual([]);
    world.runtime.advance(85 * DAY);
    expect(await tell()).toEqual([inSeven]);
  });

  it("that nobody looked at in its last week is told of once, and of a connection that waits for its customer never", async () => {
    await consent(0.5);
    expect(await tell()).toEqual([inOne]);
    await consent(90);
    await refreshed(connection_id, { refused: "sca_required" });
    world.runtime.advance(85 * DAY);
    expect(await tell()).toEqual([]);
  });
});

describe("[C-11.23] a letter and its feed", () => {
  const moved = (from: string, to: string) => `letter.moved, status ${to}, from ${from}`;
  const taken = "feed.file_taken";

  it("tell their whole story, event by event", async () => {
    let letter_id = "" as Uuid;
    const lines = await linesOf(async () => {
      letter_id = await sign();
      await advance(letter_id, 4);
      await send(letter_id, "UNITS 10");
      await send(letter_id, "UNITS 10");
      await send(letter_id, "no feed at all").catch(() => null);
      world.runtime.advance(8 * DAY);
      await world.feedSilence.blockSilent();
      await send(letter_id, "UNITS 11 OF 2026-03-09");
      await world.letterOperations.block(world.operator, letter_id, { note: "the client called: Ana Muster" });
      await send(letter_id, "UNITS 12 OF 2026-03-10");
      await world.letterOperations.resolve(world.operator, letter_id);
      await world.letters.discontinue(world.alice, { letter_id });
    });
    expect(lines).toEqual([
      "letter.created, status Signed",
      moved("Signed", "SentToCustodian"),
      moved("SentToCustodian", "AcceptedByCustodian"),
      moved("AcceptedByCustodian", "ConnectionSetup"),
      moved("ConnectionSetup", "WaitingForData"),
      "connection.created, status pending, source feed",
      moved("WaitingForData", "Connected"),
      "data.changed, products portfolios,holdings,transactions",
      "connection.refreshed, status ready, source feed",
      taken,
      "feed.file_refused, reason unreadable",
      "feed.silent",
      "letter.blocked, status Blocked, reason silent, from Connected",
      "connection.blocked, status blocked, reason blocked",
      "data.changed, products portfolios,holdings,transactions",
      "letter.resolved, status Connected, from Blocked",
      "connection.recovered, status ready",
      "connection.refreshed, status ready, source feed",
      taken,
      "feed.differences, differences 1, gap_days 5",
      "letter.blocked, status Blocked, from Connected",
      "connection.blocked, status blocked, reason blocked",
      "data.changed, products holdings,transactions",
      taken,
      "feed.differences, differences 1, gap_days 0",
      "letter.resolved, status Connected, from Blocked",
      "connection.recovered, status ready",
      moved("Connected", "Discontinued"),
      "connection.removed, status removed",
    ]);
    const all = JSON.stringify(await logOf(world.alice));
    for (const secret of ["Ana", "january", "Depot", "Share", "1000", "DE01", PDF]) expect(all).not.toContain(secret);
    expect(all).toContain('"labels":{"desk":"north"}');
  });

  it("that is generated tells of each document, and of moves of many each", async () => {
    const { letter } = {
      letter: await world.letterOperations.request(world.alice, {
        connector_id: "fra:custody",
        labels: {},
        contact_info: {},
      }),
    };
    const details = {
      full_name: "Ana Muster",
      address: ["Calle Mayor 1"],
      accounts: ["ES91"],
      email: "ana@client.example",
      language: "es",
    } as const;
    const lines = await linesOf(async () => {
      await world.letterOperations.collectDetails(world.operator, letter.id, details as never);
      await advance(letter.id, 2);
      await world.letterOperations.attachSigned(world.operator, { letter_id: letter.id, data: PDF, annex: PDF });
      await world.letterOperations.moveMany(world.operator, {
        letter_ids: [letter.id as never, letter.id as never],
        move: "advance",
      });
      await world.letterOperations.moveMany(world.operator, { letter_ids: [letter.id as never], move: "cancel" });
    });
    expect(lines).toEqual([
      moved("NewRequest", "UsersDetail"),
      moved("UsersDetail", "Generated"),
      "letter.document_added, status Generated, document generated",
      moved("Generated", "SentToUser"),
      moved("SentToUser", "Signed"),
      "letter.document_added, status Signed, document letter",
      "letter.document_added, status Signed, document annex",
      moved("Signed", "SentToCustodian"),
      moved("SentToCustodian", "Cancelled"),
    ]);
    expect(JSON.stringify(await logOf(world.alice))).not.toMatch(/Ana|Calle|ES91|client\.example/);
  });

  it("[C-14.123] that keeps its status tells that it was changed, and not what was written", async () => {
    const contact_info = { banker_email: "desk@custodian.example" };
    const letter = await world.letterOperations.request(world.alice, {
      connector_id: "fra:custody",
      labels: {},
      contact_info,
    });
    const { letterOperations, operator } = world;
    const details = { full_name: "Ana Muster", address: ["Calle Mayor 1"], accounts: [], language: "es" } as never;
    await letterOperations.collectDetails(operator, letter.id, details);
    const lines = await linesOf(async () => {
      await letterOperations.observe(operator, letter.id, "called the bank");
      await letterOperations.collectDetails(operator, letter.id, details);
      await letterOperations.correctContacts(operator, letter.id, {
        contact_info: { banker_email: "other@custodian.example" },
        mail: false,
      });
      await letterOperations.observe(operator, letter.id, "again", 0).catch(() => null);
    });
    expect(lines).toEqual([
      "letter.changed, status UsersDetail, change observations",
      "letter.changed, status UsersDetail, change details",
      "letter.changed, status UsersDetail, change contacts",
    ]);
    expect(JSON.stringify(await logOf(world.alice))).not.toMatch(/called|Ana|Calle|custodian\.example/);
  });

  it("tell nothing of what was refused, and a file for a letter that is not that far as not expected", async () => {
    const letter_id = await sign();
    expect(
      await linesOf(async () => {
        await world.letterOperations.resolve(world.operator, letter_id).catch(() => null);
        await send(letter_id, "UNITS 1").catch(() => null);
      }),
    ).toEqual(["feed.file_refused, reason not_expected"]);
  });

  it("that ends by the deletion of its connection tells of both", async () => {
    const letter_id = await sign();
    await advance(letter_id, 4);
    const { connection_id } = await send(letter_id, "UNITS 1");
    expect(await emittedBy(() => world.credentials.remove(world.alice, connection_id, true))).toMatchObject([
      { type: "letter.moved", data: { to: "Discontinued" } },
      { type: "connection.removed", data: { connection_id, letter_id, connector_id: "fra:custody" } },
    ]);
  });
});

describe("[C-11.24] operators", () => {
  const installation = () => world.storage.eventsOf(INSTALLATION_LOG);

  it("are told of mails that fail or are in doubt, in the installation's log, without the address", async () => {
    const contact_info = { banker_email: "banker@custodia.example" };
    for (const outcome of [
      { kind: "refused", permanent: true, reason: "no such user" },
      { kind: "unknown", reason: "cut off" },
    ] as const) {
      world.mailServer.next.push(outcome);
      const body = { connector_id: "fra:custody", data: PDF, contact_info };
      const { letter_id } = await world.letters.createSigned(world.alice, body, null);
      await advance(letter_id);
      for (const lease of await world.delivery.claim(9)) await world.delivery.send(lease);
    }
    world.mailServer.next.push("dies while the message leaves");
    const { letter_id } = await world.letters.createSigned(
      world.alice,
      { connector_id: "fra:custody", data: PDF, contact_info },
      null,
    );
    await advance(letter_id);
    for (const lease of await world.delivery.claim(9)) void world.delivery.send(lease);
    await expect
      .poll(
        async () =>
          (await world.storage.mailQueue.list({ tenant_id: null, state_in: ["queued"], after: null, limit: 9 }))[0]
            ?.handing_over,
      )
      .toBe(true);
    world.runtime.advance(HOUR);
    await world.delivery.claim(9);
    const told = await installation();
    expect(told.map(({ type }) => type)).toEqual(["mail.failed", "mail.in_doubt", "mail.in_doubt"]);
    expect(told[2]?.data).toMatchObject({ tenant_id: world.alice.tenant_id, letter_id, kind: "authorization_letter" });
    expect(JSON.stringify([told, await logOf(world.alice)])).not.toContain("custodia.example");
  });

  it("are told once of a circuit, however many servers open and close it", async () => {
    const { providerCircuits } = world.storage;
    const circuit = { connector_id: "esp:norte", provider: "scripted", tenant_id: null };
    const own = { ...circuit, tenant_id: world.alice.tenant_id };
    const now = world.runtime.clock();
    expect(await Promise.all([providerCircuits.opened(circuit, now), providerCircuits.opened(circuit, now)])).toEqual([
      true,
      false,
    ]);
    expect(await providerCircuits.opened(own, now)).toBe(true);
    expect(await Promise.all([providerCircuits.closed(circuit), providerCircuits.closed(circuit)])).toEqual([
      true,
      false,
    ]);
    expect(await providerCircuits.forget(now)).toBe(0);
    expect(await providerCircuits.forget(new Date(now.getTime() + 1))).toBe(1);
    expect(
      (await installation()).map(({ type, data }) => [type, (data as { tenant_id: string | null }).tenant_id]),
    ).toEqual([
      ["provider.degraded", null],
      ["provider.degraded", own.tenant_id],
      ["provider.recovered", null],
      ["provider.recovered", own.tenant_id],
    ]);
  });
});

describe("[C-11.25] whoever reads the events of a tenant in order", () => {
  /** The state that an integrator can derive from events alone. */
  function mirrorOf(events: readonly NewEvent[]) {
    const [connections, letters] = [new Map<string, string>(), new Map<string, string>()];
    for (const { type, data } of events) {
      if (type === "connection.removed") connections.delete(data.connection_id);
      else if (type.startsWith("connection.") && "connection_id" in data && "status" in data)
        connections.set(String(data.connection_id), data.status);
      else if (type.startsWith("letter.") && "letter_id" in data && "status" in data)
        letters.set(String(data.letter_id), data.status);
    }
    return { connections: Object.fromEntries(connections), letters: Object.fromEntries(letters) };
  }

  async function stateOf(actor: TenantActor) {
    const all = { bank: null, ready_only: false, include_status: true, page: 1, page_size: 100 };
    const { items } = await world.credentials.list(actor, all);
    const letters = await world.letters.search(actor, { query: {}, page_size: 100 });
    return {
      connections: Object.fromEntries(
        items.map(({ credentials_token, status }) => [credentials_token, status && connectionConditionOf(status)]),
      ),
      letters: Object.fromEntries(letters.items.map(({ id, status }) => [id, status])),
    };
  }

  /** Inputs of every possible action. A number picks the object; a refused action changes nothing and emits nothing. */
  const results: readonly FetchResult[] = [
    data("10.5"),
    data("12"),
    { failed: { message: "down" } },
    { pending: { retry_after: 5, state: 1 } },
    ...(["rejected", "blocked", "sca_required", "reset", "consent_expired"] as const).map((refused) => ({ refused })),
  ];
  const anyOf = async (kind: "connections" | "letters", pick: number) => {
    const ids = Object.keys((await stateOf(world.alice))[kind]);
    return (ids[pick % ids.length] ?? "none") as Uuid;
  };
  const operations: Readonly<Record<string, (pick: number) => Promise<unknown>>> = {
    login: (pick) => connect(world, world.alice, ["good", "more", "wrong", "broken"][pick % 4], `user-${pick % 3}`),
    async loginThatWaits(pick) {
      world.bank.first = async () => ({ pending: { retry_after: 5, state: 1 } });
      await connect(world, world.alice, "good", `user-${pick % 5}`);
      world.bank.first = null;
    },
    refresh: async (pick) => refreshed(await anyOf("connections", pick), results[pick % results.length] ?? null),
    repair: async (pick) => repair(await anyOf("connections", pick)),
    remove: async (pick) => world.credentials.remove(world.alice, await anyOf("connections", pick), true),
    sign: () => sign(),
    advance: async (pick) => advance(await anyOf("letters", pick)),
    setUp: async (pick) => advance(await anyOf("letters", pick), 4),
    block: async (pick) => world.letterOperations.block(world.operator, await anyOf("letters", pick)),
    resolve: async (pick) => world.letterOperations.resolve(world.operator, await anyOf("letters", pick)),
    cancel: async (pick) => world.letterOperations.cancel(world.operator, await anyOf("letters", pick)),
    discontinue: async (pick) => world.letters.discontinue(world.alice, { letter_id: await anyOf("letters", pick) }),
    file: async (pick) => send(await anyOf("letters", pick), pick % 5 === 0 ? "no feed" : `UNITS ${pick}`),
    async silence() {
      world.runtime.advance(8 * DAY);
      await world.feedSilence.blockSilent();
    },
  };

  it("knows how each of its connections and letters is, whatever happens", { timeout: 120_000 }, async () => {
    const step = fc.tuple(fc.constantFrom(...Object.keys(operations)), fc.nat({ max: 99 }));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), async (steps) => {
        world = await createWorld();
        for (const [name, pick] of steps) {
          await operations[name]?.(pick).catch(() => undefined);
          expect(mirrorOf(await logOf(world.alice))).toEqual(await stateOf(world.alice));
        }
        expect(await logOf(world.bob)).toEqual([]);
        for (const { type, data } of await logOf(world.alice)) expect(eventDataSchemas[type].parse(data)).toEqual(data);
      }),
      { numRuns: 25 },
    );
  });
});

describe("[C-11.26] every type of event", () => {
  const notOurs = (type: EventType) => type.startsWith("webhook.");
  /** Those of the authorization server and of the work queue, which have tests of their own. */
  const isToldElsewhere = (type: EventType) => type === "grant.ended" || type === "work.changed";

  it("is told by something", () => {
    const told = EVENT_TYPES.filter((type) => !notOurs(type) && !isToldElsewhere(type));
    expect([...seen].sort()).toEqual(told.sort());
  });

  it("has its line in the documentation", () => {
    const page = readFileSync(new URL("../../../docs/reference/events.md", import.meta.url), "utf8");
    const lines = page.split("\n").filter((line) => line.startsWith("| `"));
    for (const type of EVENT_TYPES.filter((type) => !notOurs(type)))
      expect(
        lines.filter((line) => line.split(" | ")[0]?.includes(`\`${type}\``)),
        type,
      ).toHaveLength(1);
  });
});
