import { CoreError } from "@org/core";
import { describe, expect, it } from "vitest";
import { createMemoryEndedSessions } from "../src/testing/index.js";
import { call, INITIALIZE, modern, rpc, startMcp } from "./mcp-server.js";

const DAY = 86_400_000;
const k1 = { id: "k1", key: Buffer.alloc(32, 1) };
const k2 = { id: "k2", key: Buffer.alloc(32, 2) };
const endedSessions = createMemoryEndedSessions();
const mcp = await startMcp({ endedSessions });
const replica = await startMcp({ endedSessions });

async function begin(server = mcp, token = "alice", capabilities: object = {}): Promise<string> {
  const answer = await server.send({ token, body: rpc("initialize", { ...INITIALIZE, capabilities }) });
  return String(answer.headers["mcp-session-id"]);
}

/** Sends a call (answered directly) and a list (answered by the SDK), among others, in the session. */
async function statuses(session: string, server = mcp, token = "alice"): Promise<number[]> {
  const bodies = [
    call("svc-connectors"),
    rpc("tools/list"),
    [rpc("ping")],
    { jsonrpc: "2.0", method: "notifications/initialized" },
  ];
  const answers = await Promise.all(
    bodies.map((body) => server.send({ token, headers: { "mcp-session-id": session }, body })),
  );
  return answers.map(({ status }) => status);
}

const served = [200, 200, 200, 202];
const unknown = [404, 404, 404, 404];

describe("Mcp-Session-Id", () => {
  it("[S1-1.8] [C-4.4] comes with initialize, is visible ASCII, and is served", async () => {
    const session = await begin();
    expect(session).toMatch(/^[\x21-\x7e]{40,200}$/);
    expect(await statuses(session)).toEqual(served);
  });

  it("differs from session to session", async () => {
    expect(await begin()).not.toBe(await begin());
  });

  it("[C-4.2] is served by a replica that never saw it", async () => {
    expect(await statuses(await begin(), replica)).toEqual(served);
  });

  it("[C-4.4] is bound to the application, not to the token", async () => {
    expect(await statuses(await begin(), mcp, "alice2")).toEqual(served);
  });

  it("[C-4.5] of another application is 404, with the code that makes clients initialise again", async () => {
    const session = await begin();
    expect(await statuses(session, mcp, "bob")).toEqual(unknown);
    const { json } = await mcp.send({
      token: "bob",
      headers: { "mcp-session-id": session },
      body: call("svc-connectors"),
    });
    expect(json).toMatchObject({ jsonrpc: "2.0", id: null, error: { code: -32001 } });
  });

  it("[C-4.5] unknown, empty, damaged in any part: 404", async () => {
    const session = await begin();
    const parts = session.split(".");
    const damaged = parts.map((_, at) => parts.map((part, index) => (index === at ? flip(part) : part)).join("."));
    for (const id of [
      ...damaged,
      "",
      "nonsense",
      `${session}x`,
      session.slice(0, -1),
      session.toUpperCase(),
      `${session}, ${session}`,
    ])
      expect(await statuses(id)).toEqual(unknown);
  });

  it("[C-4.4] slides with use: an answer past half of its life has a renewed id of the same session", async () => {
    const aging = await startMcp();
    const session = await begin(aging, "alice", { elicitation: { url: {} } });
    const use = async (id: string, body: object = call("svc-connectors")) => {
      const { status, headers } = await aging.send({ headers: { "mcp-session-id": id }, body });
      return { status, renewed: headers["mcp-session-id"] as string | undefined };
    };
    aging.runtime.advance(15 * DAY - 1_000);
    expect(await use(session)).toEqual({ status: 200, renewed: undefined });
    aging.runtime.advance(1_000);
    for (const body of [call("svc-connectors"), rpc("tools/list")])
      expect(await use(session, body)).toEqual({ status: 200, renewed: expect.stringMatching(/^wcm1\.k1\./) });
    const { renewed = "" } = await use(session);
    expect(renewed.split(".").slice(2, 5)).toEqual(session.split(".").slice(2, 5));
    expect(await use(renewed)).toEqual({ status: 200, renewed: undefined });
    aging.runtime.advance(29 * DAY);
    expect((await use(renewed)).status).toBe(200);
    expect((await aging.send({ method: "DELETE", headers: { "mcp-session-id": renewed } })).status).toBe(204);
    expect([(await use(session)).status, (await use(renewed)).status]).toEqual([404, 404]);
  });

  it("[C-4.5] is served past its 30 days while the grant lives, and to nobody else", async () => {
    const aging = await startMcp();
    const session = await begin(aging);
    aging.runtime.advance(90 * DAY);
    expect(await statuses(session, aging)).toEqual(served);
    expect(await statuses(session, aging, "bob")).toEqual(unknown);
    expect(
      (await aging.send({ token: "nobody", headers: { "mcp-session-id": session }, body: call("svc-connectors") }))
        .status,
    ).toBe(401);
  });

  it("is ignored by initialize, so that a client with a dead one can begin again", async () => {
    const answer = await mcp.send({ headers: { "mcp-session-id": "dead" }, body: rpc("initialize", INITIALIZE) });
    expect(answer.status).toBe(200);
    expect(await statuses(String(answer.headers["mcp-session-id"]))).toEqual(served);
  });

  it("is not issued to a request of the modern era", async () => {
    expect((await mcp.send(modern("server/discover"))).headers["mcp-session-id"]).toBeUndefined();
  });

  it("outlives a rotation of keys until its key is taken away", async () => {
    const session = await begin();
    const rotated = await startMcp({ sessionKeys: [k2, k1], endedSessions });
    expect(await statuses(session, rotated)).toEqual(served);
    expect(await statuses(await begin(rotated), await startMcp({ sessionKeys: [k1, k2] }))).toEqual(served);
    expect(await statuses(session, await startMcp({ sessionKeys: [k2] }))).toEqual(unknown);
  });

  it("says nothing of the token or the owner", async () => {
    const session = await begin(mcp, "alice", { elicitation: { url: {} }, roots: {} });
    expect(session).not.toContain("alice");
    expect(session).toContain(".2025-03-26.eur.");
  });
});

describe("DELETE", () => {
  it("[C-4.5] ends the session for all replicas, with 204 and no body; a second one is 404", async () => {
    const session = await begin();
    const end = () => mcp.send({ method: "DELETE", headers: { "mcp-session-id": session } });
    const first = await end();
    expect([first.status, first.text]).toEqual([204, ""]);
    expect(await statuses(session)).toEqual(unknown);
    expect(await statuses(session, replica)).toEqual(unknown);
    expect((await end()).status).toBe(404);
  });

  it("leaves other sessions of the same application alone", async () => {
    const [ended, other] = [await begin(), await begin()];
    await mcp.send({ method: "DELETE", headers: { "mcp-session-id": ended } });
    expect(await statuses(other)).toEqual(served);
  });

  it("of somebody else's session is 404 and changes nothing", async () => {
    const session = await begin();
    expect((await mcp.send({ token: "bob", method: "DELETE", headers: { "mcp-session-id": session } })).status).toBe(
      404,
    );
    expect(await statuses(session)).toEqual(served);
  });

  it("[C-9.79] beyond what a tenant may end it is 429 with the limit, and the session lives on", async () => {
    const admitSessionEnd = () => {
      throw new CoreError("RATE_LIMITED", "too many", { limit: { name: "ended", value: 7 }, retryAfterSeconds: 9 });
    };
    const limited = await startMcp({ admitSessionEnd, endedSessions });
    const session = await begin();
    const refused = await limited.send({ method: "DELETE", headers: { "mcp-session-id": session } });
    expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "9"]);
    expect(refused.json.error.data).toMatchObject({ details: [{ limit: "ended", value: 7 }] });
    expect(await statuses(session, limited)).toEqual(served);
    const dead = await limited.send({ method: "DELETE", headers: { "mcp-session-id": "dead" } });
    expect(dead.status).toBe(404);
  });

  it("needs a session id and a token", async () => {
    expect((await mcp.send({ method: "DELETE" })).status).toBe(400);
    expect((await mcp.send({ method: "DELETE", token: null })).status).toBe(401);
  });
});

function flip(part: string): string {
  const last = part.at(-2) ?? part;
  return part.length < 2 ? "x" : `${part.slice(0, -2)}${last === "a" ? "b" : "a"}${part.slice(-1)}`;
}
