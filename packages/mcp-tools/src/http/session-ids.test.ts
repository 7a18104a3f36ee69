import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { createMemoryEndedSessions } from "../testing/index.js";
import { createSessionIds } from "./session-ids.js";

const clock = () => new Date("2026-03-02T09:00:00Z");
const key = Buffer.alloc(32, 7);
const make = (keys: { id: string; key: Uint8Array }[]) =>
  createSessionIds({ path: "/mcp", keys, clock, ended: createMemoryEndedSessions() });
const owner = { application_id: "application", tenant_id: "tenant" };

it("[C-4.4] a session of one owner is none of another, however their ids are cut", async () => {
  const sessions = make([{ id: "k", key }]);
  const id = sessions.issue(owner, { protocolVersion: "2025-11-25", capabilities: {} });
  expect(await sessions.isLive(id, owner)).toBe(true);
  for (const other of [
    { application_id: "application", tenant_id: "other" },
    { application_id: "other", tenant_id: "tenant" },
    { application_id: "application\ntenant", tenant_id: "" },
    { application_id: "", tenant_id: "application\ntenant" },
    { application_id: "application", tenant_id: null },
  ])
    expect(await sessions.isLive(id, other)).toBe(false);
});

it("holds the version and what the client declared, in a few letters", () => {
  const sessions = make([{ id: "k", key }]);
  const flags = (capabilities: unknown) =>
    sessions.issue(owner, { protocolVersion: "2025-11-25", capabilities }).split(".").slice(3, 5);
  expect(flags({})).toEqual(["2025-11-25", "-"]);
  expect(flags({ elicitation: {}, roots: {}, sampling: {}, tasks: {} })).toEqual(["2025-11-25", "erst"]);
  expect(flags({ elicitation: { url: {} } })).toEqual(["2025-11-25", "eu"]);
  for (const nothing of [undefined, null, 5, { elicitation: null }]) expect(flags(nothing)[1]).toMatch(/^[-e]$/);
});

it("[C-8.21] keys may change while the server works: the first signs, all verify", async () => {
  const one = { id: "one", key };
  const two = { id: "two", key: Buffer.alloc(32, 8) };
  let keys: readonly { id: string; key: Uint8Array }[] = [one];
  const sessions = createSessionIds({ path: "/mcp", keys: () => keys, clock, ended: createMemoryEndedSessions() });
  const session = { protocolVersion: "2025-11-25", capabilities: {} };
  const former = sessions.issue(owner, session);
  keys = [two, one];
  const newer = sessions.issue(owner, session);
  expect([former.split(".")[1], newer.split(".")[1]]).toEqual(["one", "two"]);
  for (const id of [former, newer]) expect(await sessions.isLive(id, owner)).toBe(true);
});

it("refuses keys that cannot serve", () => {
  for (const keys of [
    [],
    [{ id: "k", key: Buffer.alloc(31) }],
    [{ id: "a.b", key }],
    [{ id: "", key }],
    [
      { id: "k", key },
      { id: "k", key },
    ],
  ])
    expect(() => make(keys)).toThrow();
});

it("abandoned sessions leave nothing in memory", () => {
  const sessions = make([{ id: "k", key }]);
  const begin = (count: number) => {
    for (let number = 0; number < count; number++)
      sessions.issue({ ...owner, application_id: `${number}` }, { protocolVersion: "2025-11-25", capabilities: {} });
  };
  setFlagsFromString("--expose-gc");
  const collectGarbage: () => void = runInNewContext("gc");
  const liveHeap = () => {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  begin(1_000);
  const before = liveHeap();
  begin(20_000);
  // The ids alone would take two megabytes.
  expect(liveHeap() - before).toBeLessThan(1_000_000);
});
