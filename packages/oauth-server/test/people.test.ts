import { createHash } from "node:crypto";
import { type Browser, createBrowser } from "@org/pages/testing";
import { describe, expect, it } from "vitest";
import type { SignedInPeople, SignedInPerson } from "../src/authorize/login.js";
import { createPages } from "../src/pages/create-pages.js";
import { createMemoryOAuthStore } from "../src/testing/memory-oauth-store.js";
import { samplePages } from "../src/testing/sample-pages.js";
import { authorization, codeOf, returned } from "./authorization.js";
import { install, noon, refresh, TENANT } from "./harness.js";

/** People who are signed in with a cookie `person`, whose value is their name. */
async function withPeople({ areThere = true } = {}) {
  const store = createMemoryOAuthStore();
  const known = new Map<string, SignedInPerson>();
  const idOf = (name: string) => `018f0000-0000-7000-8000-0000000000${name.length.toString().padStart(2, "0")}`;
  const keep = ({ person_id, role, tenant, session_id }: SignedInPerson) =>
    tenant && store.people.set({ person_id, role, tenant_id: tenant.id, sessions: [session_id] }, noon);
  const people: SignedInPeople = {
    find: async (request) => known.get(/person=(\w+)/.exec(request.headers.cookie ?? "")?.[1] ?? "") ?? null,
    areThere: async () => areThere,
    signInPath: (request) => `/elsewhere#${request ?? ""}`,
    async signOut(request) {
      known.delete(/person=(\w+)/.exec(request.headers.cookie ?? "")?.[1] ?? "");
      return ["person=; Max-Age=0; Path=/"];
    },
    namesOf: async () => new Map([...known.values()].map(({ person_id, name }) => [person_id, name])),
  };
  const at = await install({ store, people });
  const powers = { read: "see", member: "work", admin: "administer", operator: "administer" } as const;
  const join = (name: string, role: keyof typeof powers, browser?: Browser) => {
    const person: SignedInPerson = {
      person_id: idOf(name),
      session_id: `session of ${name}`,
      cookie: `wcp_${name}`,
      name,
      role,
      power: powers[role],
      actor: `person:${idOf(name)}`,
      tenant: role === "operator" ? null : { id: TENANT, name: "Family office" },
    };
    known.set(name, person);
    keep(person);
    browser?.cookies.set("person", name);
    return person;
  };
  return { at, store, known, join };
}

/** The link of step 1 to the sign-in for people. */
function personLink({ page }: Browser): string {
  const link = /href="(\/authorize\/continue\?request=[^"]+)"/.exec(page?.html ?? "")?.[1];
  if (link === undefined) throw new Error(`no way for people on: ${page?.text}`);
  return link;
}

const scopesOn = ({ page }: Browser) =>
  [...(page?.html ?? "").matchAll(/name="scope" value="([^"]+)"/g)].map(([, scope]) => scope);

describe("[C-12] step 1 for people", () => {
  it("[S1-5.2] is not there, to the letter, where nobody signs in as a person", async () => {
    const plain = samplePages["sign-in"]?.(createPages()) ?? "";
    // The hash of the page from before people could sign in.
    expect(createHash("sha256").update(plain).digest("base64url")).toBe("z812TxiGKLcbS9kYraNdXOr-BL4Izi64xWcpdcn2jXU");
    const without = await install();
    const { at: nobody } = await withPeople({ areThere: false });
    const pages = [];
    for (const at of [without, nobody]) {
      const client = await authorization(at);
      const { html } = await client.browser.open(client.url());
      pages.push(html.replace(/value="[^"]*"/g, ""));
    }
    expect(pages[0]).toBe(pages[1]);
    expect(pages[0]).not.toContain("person");
  });

  it("leads to where they sign in and back to step 2, which names them and their organisation", async () => {
    const { at, join } = await withPeople();
    const client = await authorization(at);
    const { browser } = client;
    await browser.open(client.url({ scope: "investments:read letters:write" }));
    const link = personLink(browser);
    const away = await browser.request(at.issuer + link);
    expect([away.status, away.headers.get("location")]).toEqual([303, `/elsewhere#${link.split("request=")[1]}`]);
    // A person who returns without having signed in chooses again.
    expect((await browser.open(`${at.issuer}${link}&back=yes`)).text).toContain("Step 1 of 2");
    const ada = join("Ada", "member", browser);
    const step2 = await browser.open(`${at.issuer}${link}&back=yes`);
    expect(step2.text).toContain("Signed in as Ada of Family office");
    expect(step2.text).not.toContain("wca_");
    const code = codeOf(await browser.submit("decision", {}, "approve"));
    const { body } = await client.exchange(code);
    expect(body.scope).toBe("investments:read letters:write");
    const claims = JSON.parse(Buffer.from(body.access_token.split(".")[1], "base64url").toString());
    expect(claims).toMatchObject({ tenant: TENANT, person: ada.person_id, client_id: client.client.client_id });
    expect(claims.sub).not.toBe(ada.person_id);
    const approved = at.events.find(({ action }) => action === "authorization.approved");
    const issued = at.events.find(({ action }) => action === "grant.issued");
    expect(approved).toMatchObject({ actor: ada.actor, tenant_id: TENANT });
    expect(issued).toMatchObject({ person_id: ada.person_id });
    expect(JSON.stringify(at.events)).not.toContain("Ada");
  });

  it.each([
    ["read", ["connections:read", "investments:read", "letters:read"]],
    [
      "member",
      [
        "connections:read",
        "connections:write",
        "connections:delete",
        "investments:read",
        "letters:read",
        "letters:write",
      ],
    ],
    [
      "admin",
      [
        "connections:read",
        "connections:write",
        "connections:delete",
        "investments:read",
        "letters:read",
        "letters:write",
        "events:write",
        "grants:manage",
      ],
    ],
  ] as const)("lets %s allow no more than they may do themselves", async (role, offered) => {
    const { at, join } = await withPeople();
    const client = await authorization(at);
    const { browser } = client;
    join("Ada", role, browser);
    const all =
      "connections:read connections:write connections:delete investments:read letters:read letters:write events:write grants:manage";
    await browser.open(client.url({ scope: all }));
    const step2 = await browser.open(at.issuer + personLink(browser));
    expect(scopesOn(browser).sort()).toEqual([...offered].sort());
    expect(step2.text.includes("limited by your own role")).toBe(role !== "admin");
    const form = browser.filled("decision", {}, "approve");
    form.body.append("scope", "nothing:known");
    if (role !== "admin") form.body.append("scope", "grants:manage");
    expect((await browser.send(form)).status).toBe(400);
  });

  it("tells the client when a role may allow nothing of what it asks for", async () => {
    const { at, join } = await withPeople();
    const client = await authorization(at);
    join("Ada", "read", client.browser);
    await client.browser.open(client.url({ scope: "letters:write" }));
    expect(returned(await client.browser.open(at.issuer + personLink(client.browser)))).toMatchObject({
      error: "invalid_scope",
    });
  });

  it("lets no operator approve, says why, and lets them sign out", async () => {
    const { at, join } = await withPeople();
    const client = await authorization(at);
    const { browser } = client;
    join("Root", "operator", browser);
    await browser.open(client.url());
    const refused = await browser.open(at.issuer + personLink(browser));
    expect(refused.status).toBe(403);
    expect(refused.text).toContain("Operators have no investments to share");
    await browser.submit("use-different-credentials");
    expect(browser.cookies.has("person")).toBe(false);
    expect(personLink(browser)).toBeTruthy();
  });

  it("lets somebody else sign in from step 2, and credentials too", async () => {
    const { at, join } = await withPeople();
    const client = await authorization(at);
    const { browser } = client;
    join("Ada", "member", browser);
    await browser.open(client.url());
    await browser.open(at.issuer + personLink(browser));
    const step1 = await browser.submit("use-different-credentials");
    expect(step1.text).toContain("Step 1 of 2");
    expect(browser.cookies.has("person")).toBe(false);
    const application = await at.application();
    const { client_id, client_secret } = application;
    expect((await browser.submit("sign-in", { client_id, client_secret })).text).toContain("Step 2 of 2");
    expect((await client.exchange(codeOf(await browser.submit("decision", {}, "approve")))).status).toBe(200);
  });
});

describe("[C-12] what a person approves", () => {
  async function atStep2(role: "read" | "member" | "admin" = "admin") {
    const made = await withPeople();
    const client = await authorization(made.at);
    const { browser } = client;
    const ada = made.join("Ada", role, browser);
    await browser.open(client.url());
    await browser.open(made.at.issuer + personLink(browser));
    const approve = () => browser.submit("decision", {}, "approve");
    return { ...made, client, browser, ada, approve };
  }

  it("is not kept once their session has ended between the steps", async () => {
    const { known, approve } = await atStep2();
    known.delete("Ada");
    expect((await approve()).text).toContain("Step 1 of 2");
  });

  it("is not kept when their session ends while they approve", async () => {
    const { store, ada, approve } = await atStep2();
    store.people.set({ person_id: ada.person_id, role: ada.role, tenant_id: TENANT, sessions: [] }, noon);
    expect((await approve()).text).toContain("Step 1 of 2");
  });

  it("is not kept when their role has changed since they signed in", async () => {
    const { store, ada, approve } = await atStep2();
    const { person_id, session_id } = ada;
    store.people.set({ person_id, role: "member", tenant_id: TENANT, sessions: [session_id] }, noon);
    expect((await approve()).text).toContain("Step 1 of 2");
  });

  it("is shown again when somebody else has signed in meanwhile", async () => {
    const { join, browser, approve } = await atStep2();
    join("Grace", "admin", browser);
    const again = await approve();
    expect(again.status).toBe(409);
    expect(again.text).toContain("Signed in as Grace");
  });

  it("is worth nothing once they are removed, before the code is redeemed and after", async () => {
    const { at, store, ada, client, approve } = await atStep2();
    const code = codeOf(await approve());
    store.people.remove(ada.person_id, at.clock());
    expect((await client.exchange(code)).body).toMatchObject({ error: "invalid_grant" });
    const second = await atStep2();
    const { body } = await second.client.exchange(codeOf(await second.approve()));
    second.store.people.remove(second.ada.person_id, second.at.clock());
    const refreshed = await second.at.token(refresh(body.refresh_token));
    expect([refreshed.status, refreshed.body.error]).toEqual([400, "invalid_grant"]);
  });

  it("needs the token of the form, and the browser that it was begun in", async () => {
    const { at, browser } = await atStep2();
    const own = browser.page?.url ?? "";
    const form = browser.filled("decision", {}, "approve");
    form.body.set("csrf_token", "another");
    expect((await browser.send(form)).status).toBe(403);
    const thief = createBrowser(new Map([["person", "Ada"]]));
    expect((await thief.open(own)).status).toBe(403);
    expect((await thief.send(form)).status).toBe(403);
    expect(browser.page?.headers.get("x-frame-options")).toBe("DENY");
    expect(at.events.filter(({ action }) => action === "authorization.approved")).toEqual([]);
  });

  it("does not count for a person whom nobody asked: a session alone approves nothing", async () => {
    const { at, browser } = await atStep2();
    const other = await authorization(at, {}, browser);
    expect((await browser.open(other.url())).text).toContain("Step 1 of 2");
  });

  it("is seen and ended at /grants by themselves, and by who administers the tenant", async () => {
    const { at, join, client, approve, browser } = await atStep2("member");
    const { body } = await client.exchange(codeOf(await approve()));
    const own = await browser.open(`${at.issuer}/grants`);
    expect(own.text).toContain("You have let these apps use your organisation's data");
    expect(own.text).toContain("Example Assistant");
    const grace = createBrowser();
    join("Grace", "member", grace);
    expect((await grace.open(`${at.issuer}/grants`)).text).toContain("Nobody has access");
    // A person cannot end another person's grant by sending its id.
    const grant_id = JSON.parse(Buffer.from(body.access_token.split(".")[1], "base64url").toString()).gid;
    const theirs = grace.filled("sign-out");
    await grace.send({
      url: `${at.issuer}/grants/end`,
      body: new URLSearchParams([...theirs.body, ["grant_id", grant_id]]),
    });
    expect((await at.token(refresh(body.refresh_token))).status).toBe(200);
    const boss = createBrowser();
    join("Barbara", "admin", boss);
    const all = await boss.open(`${at.issuer}/grants`);
    expect(all.text).toContain("Approved in a browser · Ada");
    const ended = await boss.submit("end");
    expect(ended.text).toContain("Access has ended");
    expect(at.events.at(-1)).toMatchObject({ action: "client.grants_ended", actor: expect.stringMatching(/^person:/) });
    await browser.open(`${at.issuer}/grants`);
    expect((await browser.submit("sign-out")).text).toContain("Sign in to see your access");
  });
});
