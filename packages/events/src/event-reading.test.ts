import { createHash } from "node:crypto";
import { INSTALLATION_LOG, type NewEvent } from "@org/core";
import { afterEach, expect, it } from "vitest";
import { createEventReading, type EventReading, type EventSearch } from "./event-reading.js";
import type { NumberedEvents } from "./ports/event-store.js";
import { createMemoryEventStore } from "./testing/memory-event-store.js";

const TENANT = "01990000-0000-7000-8000-000000000001";
const OTHER = "01990000-0000-7000-8000-000000000002";
const now = new Date("2026-03-01T12:00:00.000Z");
const ended = (grant_id: string): NewEvent => ({
  type: "grant.ended",
  object_id: grant_id,
  data: { grant_id, client_id: "c", reason: "revoked" },
});
const moved = (letter_id: string): NewEvent => ({
  type: "letter.moved",
  object_id: letter_id,
  data: {
    letter_id,
    connector_id: "esp:bank",
    client_ref: null,
    status: "Signed",
    from: "SentToUser",
    to: "Signed",
    labels: {},
  },
});
const search = (over: Partial<EventSearch> = {}): EventSearch => ({
  query: {},
  order: "asc",
  page_size: 100,
  wait_seconds: 0,
  ...over,
});

const opened: EventReading[] = [];
afterEach(() => {
  for (const reading of opened.splice(0)) reading.close();
});

/** A log in memory. It checks for events of other servers so rarely that only events numbered by this process end a wait. */
function open(waiting = { perTenant: 2, overall: 3 }) {
  const store = createMemoryEventStore(() => now);
  const numbered: NumberedEvents[] = [];
  const reading = createEventReading({
    store,
    mac: (purpose, text) => createHash("sha256").update(`${purpose} ${text}`).digest("hex"),
    everyMs: 1_000_000,
    waiting,
    onNumbered: (events) => void numbered.push(...events),
  });
  opened.push(reading);
  return { store, reading, numbered };
}

it("[C-11.4] events have the form of the wire, thin and with whose they are; pages follow each other by token", async () => {
  const { store, reading, numbered } = open();
  await store.append(TENANT, [ended("a"), moved("b"), ended("c")]);
  const first = await reading.list(TENANT, search({ page_size: 2 }));
  expect(first.items).toEqual([
    {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      type: "grant.ended",
      created_at: now.toISOString(),
      tenant_id: TENANT,
      sequence: 1,
      data: { grant_id: "a", client_id: "c", reason: "revoked" },
    },
    expect.objectContaining({ type: "letter.moved", sequence: 2 }),
  ]);
  const token = first.next_page_token;
  expect(await reading.list(TENANT, search({ page_size: 2, page_token: token }))).toMatchObject({
    items: [{ sequence: 3 }],
    next_page_token: null,
  });
  expect(numbered).toHaveLength(3);
  // A token is valid only for its query and its log.
  for (const [log, over] of [
    [OTHER, {}],
    [TENANT, { order: "desc" }],
    [TENANT, { query: { object_id: "a" } }],
  ] as const)
    await expect(reading.list(log, search({ ...over, page_token: token }))).rejects.toMatchObject({
      details: [{ field: "page_token" }],
    });
});

it.each<[EventSearch["query"], number[]]>([
  [{ type_in: ["letter.*"] }, [2]],
  [{ type_in: ["grant.ended", "letter.moved"] }, [1, 2, 3]],
  [{ type_in: ["*.*"] }, []],
])("[C-11.4] types are named one by one or by family: %j", async (query, sequences) => {
  const { store, reading } = open();
  await store.append(TENANT, [ended("a"), moved("b"), ended("c")]);
  const found = reading.list(TENANT, search({ query }));
  if (sequences.length === 0)
    await expect(found).rejects.toMatchObject({ details: [{ field: "query.type_in[0]", error_type: "InvalidValue" }] });
  else expect((await found).items.map(({ sequence }) => sequence)).toEqual(sequences);
});

it("[C-11.5] a cursor that names nothing that is kept is refused with its field and the days", async () => {
  const { store, reading } = open();
  await store.append(TENANT, [ended("a")]);
  const [{ id = "" } = {}] = (await reading.list(TENANT, search())).items;
  for (const after of [OTHER, "no id"])
    await expect(reading.list(TENANT, search({ query: { after } }))).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      details: [{ field: "query.after" }],
    });
  await expect(reading.list(OTHER, search({ query: { before: id } }))).rejects.toThrow(/query\.before: .*30 days/);
  expect((await reading.list(TENANT, search({ query: { after: id.toUpperCase() } }))).items).toEqual([]);
  await reading.number(new AbortController().signal);
  expect(await reading.reap(new Date(now.getTime() + 29 * 86_400_000), 10)).toBe(0);
  expect(await reading.reap(new Date(now.getTime() + 31 * 86_400_000), 10)).toBe(1);
  await expect(reading.list(TENANT, search({ query: { after: id } }))).rejects.toThrow(/30 days/);
});

it("[C-11.7] a call that waits is answered as soon as there is something for it, and for nothing else", async () => {
  const { store, reading } = open();
  await store.append(TENANT, [ended("a")]);
  const [{ id: after = "" } = {}] = (await reading.list(TENANT, search())).items;
  const waiting = reading.list(TENANT, search({ query: { after, type_in: ["letter.*"] }, wait_seconds: 30 }));
  let isAnswered = false;
  void waiting.then(() => {
    isAnswered = true;
  });
  // Events of another tenant or another type do not end the wait.
  for (const [log, event] of [[OTHER, moved("x")] as const, [TENANT, ended("y")] as const]) {
    await store.append(log, [event]);
    await reading.number(new AbortController().signal);
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    expect(isAnswered).toBe(false);
  }
  await store.append(TENANT, [moved("z")]);
  await reading.number(new AbortController().signal);
  expect((await waiting).items).toMatchObject([{ type: "letter.moved", sequence: 3 }]);
});

it("[C-11.7] what is there already is answered at once, and waiting is for what comes last only", async () => {
  const { store, reading } = open();
  await store.append(TENANT, [ended("a")]);
  expect((await reading.list(TENANT, search({ wait_seconds: 30 }))).items).toHaveLength(1);
  await expect(reading.list(TENANT, search({ order: "desc", wait_seconds: 1 }))).rejects.toMatchObject({
    details: [{ field: "wait_seconds" }],
  });
});

it("[C-11.7] at most so many calls of a tenant wait, and so many in all; the refusal says the limit", async () => {
  const { reading } = open();
  const gone = new AbortController();
  const wait = (log: string, signal?: AbortSignal) => reading.list(log, search({ wait_seconds: 30 }), signal);
  const calls = [wait(TENANT, gone.signal), wait(TENANT)];
  await expect(wait(TENANT)).rejects.toMatchObject({
    code: "RATE_LIMITED",
    limit: { name: "waiting_calls_of_tenant", value: 2 },
    retryAfterSeconds: 5,
  });
  calls.push(wait(OTHER));
  await expect(wait(INSTALLATION_LOG)).rejects.toMatchObject({
    code: "UNAVAILABLE",
    limit: { name: "waiting_calls", value: 3 },
  });
  // A caller that disconnects frees its place.
  gone.abort();
  expect(await calls[0]).toEqual({ items: [], next_page_token: null });
  calls.push(wait(INSTALLATION_LOG));
  // After closing, no call waits.
  reading.close();
  expect(await Promise.all(calls)).toHaveLength(4);
  expect((await wait(OTHER)).items).toEqual([]);
});
