import { request } from "node:http";
import type { Socket } from "node:net";
import type { Uuid } from "@org/core";
import { INSTALLATION, type Person } from "@org/people";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Answer, type Console, MAX_GUESSES, startConsole } from "./console.js";

const TENANT = "019b0000-0000-7000-8000-000000000001" as Uuid;
const OTHER = "019b0000-0000-7000-8000-000000000002" as Uuid;

let console: Console;
beforeEach(async () => {
  console = await startConsole();
});
afterEach(async () => {
  await console.close();
  expect(console.faults).toEqual([]);
});

const codeOf = ({ status, body }: Answer) => [status, body.error?.code];

describe("getting in and out", () => {
  it("[C-14.70] an invitation leads to a session, which knows who is here; signing out ends it", async () => {
    const { browser, recovery_codes, person, csrf_token } = await console.joined();
    expect(recovery_codes).toHaveLength(10);
    expect(person).toEqual({
      person_id: expect.any(String),
      email: "ada@example.com",
      name: "Ada",
      role: "operator",
      tenant_id: null,
    });
    expect(await browser.post("/session")).toMatchObject({
      status: 200,
      body: {
        person,
        csrf_token,
        tenant_name: null,
        is_confirmed: true,
        ends_at: "2026-11-23T13:00:00.000Z",
        methods: { passkeys: true, passkeys_reason: null, identity_provider: null, recovery_codes: true },
      },
    });
    const [session] = [...browser.cookies].filter(([name]) => name === "__Host-wc-person");
    expect((await browser.post("/sign-out")).status).toBe(200);
    expect(browser.cookies.size).toBe(0);
    browser.cookies.set(...(session as [string, string]));
    expect((await browser.post("/session")).body.person).toBeNull();
    expect(codeOf(await browser.post("/sessions/list"))).toEqual([401, "UNAUTHENTICATED"]);
  });

  it("[C-14.70] a passkey signs in, always with a new session, and the browser's former one is ended", async () => {
    const { browser, authenticator, csrf_token } = await console.joined();
    const former = browser.cookies.get("__Host-wc-person") as string;
    const { options } = (await browser.post("/sign-in/begin")).body;
    const answer = authenticator.sign(options);
    const ceremony = browser.cookies.get("__Host-wc-sign-in") as string;
    const signedIn = await browser.post("/sign-in/finish", { answer });
    expect(signedIn).toMatchObject({ status: 200, body: { person: { email: "ada@example.com" } } });
    expect(signedIn.body.csrf_token).not.toBe(csrf_token);
    expect(browser.cookies.get("__Host-wc-person")).not.toBe(former);
    expect(browser.cookies.has("__Host-wc-sign-in")).toBe(false);
    expect((await browser.post("/sessions/list")).body.items).toEqual([expect.objectContaining({ is_this: true })]);
    // The planted session cookie is void, and an answer can be used only once.
    const thief = console.browser();
    thief.cookies.set("__Host-wc-person", former);
    expect((await thief.post("/session")).body.person).toBeNull();
    thief.cookies.set("__Host-wc-sign-in", ceremony);
    expect(codeOf(await thief.post("/sign-in/finish", { answer }))).toEqual([403, "REFUSED"]);
    expect(console.proofs.at(-1)).toEqual({ method: "passkey", outcome: "refused" });
  });

  it("[C-14.71] a recovery code signs in without naming a tenant; wrong ones are counted, and a right one counts all the same", async () => {
    const { recovery_codes } = await console.joined({ tenantId: TENANT, role: "member" });
    const browser = console.browser();
    const wrong = { email: "ada@example.com", code: "0000-0000-0000-0000" };
    for (let guess = 0; guess < MAX_GUESSES; guess += 1)
      expect(codeOf(await browser.post("/sign-in/recover", wrong))).toEqual([403, "REFUSED"]);
    expect(codeOf(await browser.post("/sign-in/recover", wrong))).toEqual([429, "RATE_LIMITED"]);
    const right = { email: "Ada@example.com", code: recovery_codes[0] };
    expect(await browser.post("/sign-in/recover", right)).toMatchObject({
      status: 200,
      body: { person: { tenant_id: TENANT, role: "member" }, tenant_name: "Tenant 1" },
    });
    expect(codeOf(await console.browser().post("/sign-in/recover", right))).toEqual([429, "RATE_LIMITED"]);
  });

  it("[C-14.71] wrong proofs of one person or link are not counted for another", async () => {
    const browser = console.browser();
    const wrong = (email: string) => browser.post("/sign-in/recover", { email, code: "0000-0000-0000-0000" });
    for (let guess = 0; guess < MAX_GUESSES; guess += 1) await wrong("Eve@example.com");
    expect(codeOf(await wrong("eve@example.com"))).toEqual([429, "RATE_LIMITED"]);
    expect(codeOf(await wrong("bo@example.com"))).toEqual([403, "REFUSED"]);
    for (const invitation of ["an-old-link", "another-old-link"])
      for (let guess = 0; guess < MAX_GUESSES; guess += 1)
        expect(codeOf(await browser.post("/join/show", { invitation }))).toEqual([403, "INVITATION_ENDED"]);
  });

  it("[C-14.70] an invitation shows whom it is for, and once it is used nothing", async () => {
    const { invitation } = await console.joined({ tenantId: TENANT, role: "read" });
    expect(codeOf(await console.browser().post("/join/show", { invitation }))).toEqual([403, "INVITATION_ENDED"]);
    const { link } = await console.people.invite({ application_id: "system", trace_id: null, address: null }, TENANT, {
      email: "eve@example.com",
      role: "admin",
    });
    expect((await console.browser().post("/join/show", { invitation: link.split("#")[1] })).body).toEqual({
      email: "eve@example.com",
      name: "eve",
      role: "admin",
      tenant_name: "Tenant 1",
    });
  });

  it("[C-14.10] who was invited without an address says it, and everybody else keeps theirs", async () => {
    const system = { application_id: "system", trace_id: null, address: null };
    const begin = async (link: string | undefined, email: string) => {
      const invitation = link?.split("#")[1];
      const browser = console.browser();
      const shown = (await browser.post("/join/show", { invitation })).body;
      const { status, body } = await browser.post("/join/begin", { invitation, email, name: "Ada" });
      return [shown.email, shown.name, status, body.options?.user.name];
    };
    const first = await console.people.inviteFirst(system, null);
    expect(await begin(first?.link, "Ada@Example.com")).toEqual([null, "", 200, "ada@example.com"]);
    expect(await begin(first?.link, "nobody")).toEqual([null, "", 400, undefined]);
    const bo = await console.people.invite(system, INSTALLATION, { email: "bo@example.com", role: "operator" });
    expect(await begin(bo.link, "eve@example.com")).toEqual(["bo@example.com", "bo", 200, "bo@example.com"]);
  });

  it("[C-14.70] people of a tenant that is switched off are out with the next request", async () => {
    const { browser, authenticator } = await console.joined({ tenantId: TENANT, role: "admin" });
    console.closedTenants.add(TENANT);
    expect(codeOf(await browser.post("/people/list"))).toEqual([401, "UNAUTHENTICATED"]);
    const { options } = (await browser.post("/sign-in/begin")).body;
    const again = await browser.post("/sign-in/finish", { answer: authenticator.sign(options) });
    expect(codeOf(again)).toEqual([401, "UNAUTHENTICATED"]);
  });

  it.each([
    ["https://192.0.2.7", /IP address/],
    ["https://[2001:db8::7]", /IP address/],
    ["http://wealth.example", /https/],
    ["http://localhost:3000", null],
  ])("[C-14.72] at %s the page is told why there are no passkeys, if there are none", async (publicUrl, reason) => {
    const other = await startConsole({ publicUrl });
    const browser = other.browser();
    const { methods } = (await browser.post("/session")).body;
    expect(methods.passkeys).toBe(reason === null);
    if (reason !== null) expect(methods.passkeys_reason).toMatch(reason);
    expect((await browser.post("/sign-in/begin")).status).toBe(reason === null ? 200 : 409);
    await other.close();
  });
});

it("[C-14.78] a page follows what happens, and is told when its person is removed; a server that stops ends it", async () => {
  const admin = await console.joined({ tenantId: TENANT, role: "admin" });
  const { browser, person } = await console.joined({ email: "bo@example.com", tenantId: TENANT, role: "read" });
  const follow = (headers: Record<string, string> = {}) =>
    fetch(`${console.address}/console/api/events`, {
      headers: { cookie: `__Host-wc-person=${browser.cookies.get("__Host-wc-person")}`, ...headers },
    });
  expect((await follow({ "sec-fetch-site": "cross-site" })).status).toBe(403);
  expect((await follow({ cookie: "" })).status).toBe(401);
  const stream = await follow();
  expect(stream.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  console.happened.push({
    id: "019b0000-0000-7000-8000-00000000000e",
    type: "connection.blocked",
    created_at: "2026-03-01T12:00:00.000Z",
    tenant_id: TENANT,
    sequence: 1,
    data: { connection_id: "c", connector_id: "b", status: "blocked", letter_id: null, reason: "sca_required" },
  });
  const stopped = await follow();
  expect((await admin.browser.post("/people/end", { person_id: person.person_id })).status).toBe(200);
  const text = (await stream.text()) + (await stopped.text());
  expect(text).toContain('event: change\ndata: {"type":"connection.blocked","object":{"connection_id":"c"');
  expect(text).toContain("event: signed_out");
  console.handle.stop();
  expect((await follow()).status).toBe(401);
});

it("[C-14.78] a server that is about to stop ends the streams that are open, and those that come meanwhile: their pages come back", async () => {
  const { browser } = await console.joined();
  const headers = { cookie: `__Host-wc-person=${browser.cookies.get("__Host-wc-person")}` };
  const follow = () => fetch(`${console.address}/console/api/events`, { headers });
  const before = await follow();
  console.handle.stop();
  const meanwhile = await follow();
  for (const answer of [before, meanwhile])
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/event-stream; charset=utf-8"]);
  expect(await before.text()).toMatch(/: here\n\nretry: 2000\n\n$/);
  expect(await meanwhile.text()).toBe("retry: 2000\n\n");
});

it("[C-14.78] one person's many sessions leave others streams to follow", async () => {
  const { person } = await console.joined({ tenantId: TENANT, role: "read" });
  const { browser } = await console.joined({ email: "bo@example.com" });
  const many = await console.stores.directory.find(TENANT, person.person_id);
  const device = { trace_id: null, address: null, device: "" };
  const sessions = await Promise.all(
    Array.from({ length: 21 }, () => console.sessions.begin(many as Person, "passkey", device)),
  );
  const left = new AbortController();
  /** Kept in an array, because Node closes responses that are garbage collected before they were read. */
  const answers: Response[] = [];
  const follow = async (cookie: string | undefined) => {
    const headers = { cookie: `__Host-wc-person=${cookie}` };
    const answer = await fetch(`${console.address}/console/api/events`, { headers, signal: left.signal });
    answers.push(answer);
    return answer.status;
  };
  const taken = await Promise.all(sessions.slice(1).flatMap(({ cookie }) => Array(10).fill(cookie).map(follow)));
  expect(new Set(taken)).toEqual(new Set([200]));
  expect(await follow(sessions[0]?.cookie)).toBe(503);
  expect(await follow(browser.cookies.get("__Host-wc-person"))).toBe(200);
  expect(answers).toHaveLength(202);
  left.abort();
});

it.each([
  ["leaves very much unread", false],
  ["does not read that its session has ended", true],
])("[C-14.78] a page that %s gives its stream back, and its connection is ended", async (_, isSignedOut) => {
  const { browser } = await console.joined();
  const headers = { cookie: `__Host-wc-person=${browser.cookies.get("__Host-wc-person")}` };
  const others = new Set(console.sockets);
  const stream = request(`${console.address}/console/api/events`, { headers }).on("error", () => {});
  stream.end();
  await expect.poll(console.streams, { timeout: 60_000 }).toBe(1);
  const [socket] = [...console.sockets].filter((each) => !others.has(each));
  // Simulates a client that does not read: nothing written is sent.
  Object.assign(socket as Socket, { _write() {}, _writev() {} });
  if (isSignedOut) await browser.post("/sign-out");
  else {
    const event = {
      id: "019b0000-0000-7000-8000-00000000000e",
      type: "letter.changed",
      tenant_id: TENANT,
      sequence: 1,
    };
    console.happened.push({ ...event, data: { letter_id: "l".repeat(300_000) } } as never);
  }
  await expect.poll(console.streams, { timeout: 60_000 }).toBe(0);
  await expect.poll(() => socket?.destroyed, { timeout: 60_000 }).toBe(true);
});

it("[C-14.78] a page that leaves while its session is looked up takes no stream", async () => {
  const { browser } = await console.joined();
  const headers = { cookie: `__Host-wc-person=${browser.cookies.get("__Host-wc-person")}` };
  const follow = async (signal: AbortSignal) =>
    (await fetch(`${console.address}/console/api/events`, { headers, signal })).status;
  const { sessions } = console.stores;
  const { find } = sessions;
  let goOn = () => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const looked = vi.spyOn(sessions, "find").mockImplementation((...whose) => held.then(() => find(...whose)));
  const [gone, here] = [new AbortController(), new AbortController()];
  const left = Array.from({ length: 10 }, () => follow(gone.signal).catch(() => "left"));
  await expect.poll(() => looked.mock.calls.length, { timeout: 60_000 }).toBe(10);
  gone.abort();
  expect(new Set(await Promise.all(left))).toEqual(new Set(["left"]));
  await expect.poll(console.connections, { timeout: 60_000 }).toBeLessThan(10);
  goOn();
  looked.mockRestore();
  expect(await follow(here.signal)).toBe(200);
  here.abort();
});

describe("one's own account, and people", () => {
  it.each([
    ["a page asks for by itself", { "x-unattended": "1" }, [200, 401]],
    ["somebody asks for", {}, [200, 200]],
  ])("[C-14.124] what %s: an hour without anybody ends the session", async (_, headers, expected) => {
    const { browser } = await console.joined();
    const asked: number[] = [];
    for (const seconds of [1_800, 1_801]) {
      console.passes(seconds);
      asked.push((await browser.post("/sessions/list", {}, headers)).status);
    }
    expect(asked).toEqual(expected);
  });

  it("[C-14.73] what is dangerous asks for the passkey again once five minutes have passed", async () => {
    const { browser, authenticator } = await console.joined();
    console.passes(301);
    expect((await browser.post("/session")).body.is_confirmed).toBe(false);
    for (const path of ["/passkeys/begin", "/recovery-codes/new"])
      expect(codeOf(await browser.post(path))).toEqual([403, "CONFIRM_AGAIN"]);
    const { options } = (await browser.post("/confirm/begin")).body;
    const confirmed = await browser.post("/confirm/finish", { answer: authenticator.sign(options) });
    expect(confirmed).toMatchObject({ status: 200, body: { is_confirmed: true } });
    expect((await browser.post("/recovery-codes/new")).body.recovery_codes).toHaveLength(10);
    const wanted = (await browser.post("/passkeys/begin")).body.options;
    const { createAuthenticator } = await import("@org/people/testing");
    const second = createAuthenticator("https://wealth.example");
    const added = await browser.post("/passkeys/add", { answer: second.create(wanted), name: "Spare" });
    expect(added).toMatchObject({ status: 200, body: { id: second.id, name: "Spare" } });
    expect((await browser.post("/passkeys/list")).body).toMatchObject({ recovery_codes_left: 10 });
    expect((await browser.post("/passkeys/remove", { passkey_id: second.id })).status).toBe(200);
    expect(codeOf(await browser.post("/passkeys/remove", { passkey_id: authenticator.id }))).toEqual([409, "CONFLICT"]);
  });

  it("[C-14.74] administrators keep the people of their own tenant, and of no other", async () => {
    const { browser } = await console.joined({ tenantId: TENANT, role: "admin" });
    const stranger = await console.joined({ email: "bo@example.com", tenantId: OTHER, role: "admin" });
    const invited = await browser.post("/people/invite", { email: "cy@example.com", role: "member" });
    expect(invited.body.link).toMatch(/^https:\/\/wealth\.example\/console\/join#wci_/);
    const { items } = (await browser.post("/people/list")).body;
    expect(items.map(({ email }: { email: string }) => email).sort()).toEqual(["ada@example.com", "cy@example.com"]);
    const { person_id } = stranger.person;
    for (const [path, body] of [
      ["/people/change", { person_id, role: "read" }],
      ["/people/end", { person_id }],
      ["/people/reinvite", { person_id }],
    ] as const)
      expect(codeOf(await browser.post(path, body))).toEqual([404, "NOT_FOUND"]);
    expect((await stranger.browser.post("/session")).body.person.role).toBe("admin");
    const own = await browser.post("/people/end", { person_id: invited.body.person.person_id });
    expect(own).toMatchObject({ status: 200, body: { person: { state: "ended" } } });
  });

  it("[C-14.74] somebody who is removed is out with the next request", async () => {
    const { browser } = await console.joined({ tenantId: TENANT, role: "admin" });
    const other = await console.joined({ email: "bo@example.com", tenantId: TENANT, role: "member" });
    expect((await browser.post("/people/end", { person_id: other.person.person_id })).status).toBe(200);
    expect(codeOf(await other.browser.post("/sessions/list"))).toEqual([401, "UNAUTHENTICATED"]);
  });
});
