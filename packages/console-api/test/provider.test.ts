import type { Uuid } from "@org/core";
import { INSTALLATION } from "@org/people";
import { createIssuer } from "@org/people/testing";
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import { type Browser, type Console, ORIGIN, startConsole } from "./console.js";

const TENANT = "019b0000-0000-7000-8000-000000000001" as Uuid;
let issuer: Awaited<ReturnType<typeof createIssuer>>;
let tenants: Awaited<ReturnType<typeof createIssuer>>;
let console: Console;
beforeAll(async () => {
  issuer = await createIssuer(() => new Date());
  tenants = await createIssuer(() => new Date(), "https://tenant.example", { id: "t", secret: "t" });
  console = await start();
});
afterAll(() => console.close());
beforeEach(() => {
  for (const one of [issuer, tenants]) {
    one.goAway(false);
    one.describe({});
  }
});

/** Starts a console with an identity provider of the installation and one of a tenant. */
function start(): Promise<Console> {
  const common = { scopes: ["openid"], acr: [], amr: [] };
  const settings = {
    name: "Company",
    issuer: issuer.issuer,
    client_id: issuer.client.id,
    client_secret: issuer.client.secret,
    ...common,
    tenant_id: null,
    rules: [{ claims: { groups: "Desk" }, tenant_id: INSTALLATION, role: "operator" as const }],
  };
  const ofTenant = {
    name: "Tenant",
    issuer: tenants.issuer,
    client_id: tenants.client.id,
    client_secret: tenants.client.secret,
    ...common,
    tenant_id: TENANT,
    rules: [{ claims: {}, tenant_id: TENANT, role: "admin" as const }],
  };
  return startConsole({
    began: new Date(),
    providers: [
      { settings, fetch: issuer.fetch },
      { settings: ofTenant, fetch: tenants.fetch },
    ],
  });
}

const desk = { groups: ["Desk"], name: "Ada", sid: "s1" };
/** Goes from the sign-in page to the provider and back. */
async function signIn(browser: Browser, claims: object = desk, change: Record<string, string | null> = {}, query = "") {
  const location = await console.follow(browser, `/console/sign-in/provider${query}`);
  const back = issuer.signIn(location, { ...claims }, change);
  return { back, led: await console.follow(browser, back.pathname + back.search) };
}

it("[C-14.24] a browser goes to the provider and comes back signed in; its session says how people of a provider sign in", async () => {
  const browser = console.browser();
  const methods = { passkeys: true, identity_provider: { name: "Company" }, recovery_codes: true };
  expect((await browser.post("/session")).body).toMatchObject({ person: null, methods });
  const { led, back } = await signIn(browser, desk, {}, "?to=/console/letters%3Fstatus%3DSigned");
  expect(led).toBe(`${ORIGIN}/console/letters?status=Signed`);
  expect((await browser.post("/session")).body).toMatchObject({
    person: { name: "Ada", role: "operator" },
    is_confirmed: true,
    methods: { passkeys: false, identity_provider: { name: "Company" }, recovery_codes: false },
  });
  expect(await console.follow(browser, back.pathname + back.search)).toBe(`${ORIGIN}/console?problem=refused`);
  expect((await browser.post("/session")).body.person).not.toBeNull();
  expect((await browser.post("/sign-out")).body.sign_out_url).toMatch(/^https:\/\/idp\.example\/bye\?.*post_logout/);
});

it.each([
  "/console/../authorize?client_id=x",
  "/console/%2e%2e/authorize",
  "/console/letters/%2E./%2e%2e/token",
  "/console/letters/%2e",
  "//evil.example/console",
  "https://evil.example/console",
])("[C-14.24] a sign-in leads to pages of the console only, and not to %s", async (to) => {
  expect((await signIn(console.browser(), desk, {}, `?${new URLSearchParams({ to })}`)).led).toBe(`${ORIGIN}/console`);
});

it("[C-14.24] [C-14.27] a tenant's own provider leads back to an address of its own", async () => {
  const browser = console.browser();
  const location = await console.follow(browser, `/console/sign-in/provider?tenant=${TENANT}`);
  const back = tenants.signIn(location);
  expect(back.pathname).toBe(`/console/sign-in/callback/${TENANT}`);
  const elsewhere = back.pathname.replace(TENANT, TENANT.replace("1", "2"));
  expect(await console.follow(console.browser(), elsewhere + back.search)).toMatch(/problem=refused$/);
  expect(await console.follow(browser, back.pathname + back.search)).toBe(`${ORIGIN}/console`);
  expect((await browser.post("/session")).body.person).toMatchObject({ tenant_id: TENANT, role: "admin" });
  for (const path of ["x", TENANT.toUpperCase(), ":tenant_id", `${TENANT}/x`])
    expect(await console.follow(console.browser(), `/console/sign-in/callback/${path}`)).toBe("404");
});

it("[C-14.27] a tenant's provider that sends people on to the installation's never gets their code (mix-up, RFC 9700 §4.4)", async () => {
  for (const one of [issuer, tenants]) one.describe({ authorization_response_iss_parameter_supported: false });
  const withoutIssuer = await start();
  onTestFinished(withoutIssuer.close);
  const [attacker, operator] = [withoutIssuer.browser(), withoutIssuer.browser()];
  const begun = new URL(await withoutIssuer.follow(attacker, "/console/sign-in/provider"));
  const lured = new URL(await withoutIssuer.follow(operator, `/console/sign-in/provider?tenant=${TENANT}`));
  // The attacker's own authorization request, with the state that the operator's browser expects.
  begun.searchParams.set("state", String(lured.searchParams.get("state")));
  const back = issuer.signIn(begun.href, desk, { iss: null });
  tenants.asked.length = 0;
  const led = await withoutIssuer.follow(operator, back.pathname + back.search);
  expect([led, tenants.asked]).toEqual([`${ORIGIN}/console?problem=refused`, []]);
});

it.each([
  "https://evil.example/",
  "//evil.example/console",
  "/console//evil.example/../x",
  "/console/../evil",
  "/consoles",
  "/console\\evil",
  `/console/${"x".repeat(500)}`,
])("[C-14.24] it is led back to pages of the console alone: not to %s", async (to) => {
  const { led } = await signIn(console.browser(), desk, {}, `?${new URLSearchParams({ to })}`);
  expect(led).toBe(`${ORIGIN}/console`);
});

it("[C-14.24] confirming leads to the provider and back, in the same session", async () => {
  const browser = console.browser();
  await signIn(browser);
  console.passes(301);
  expect((await browser.post("/session")).body.is_confirmed).toBe(false);
  const location = await console.follow(browser, "/console/sign-in/provider/confirm?to=/console/keys");
  const back = issuer.signIn(location, { ...desk, auth_time: Math.floor(Date.now() / 1_000) + 301 });
  expect(await console.follow(browser, back.pathname + back.search)).toBe(`${ORIGIN}/console/keys`);
  expect((await browser.post("/session")).body.is_confirmed).toBe(true);
  expect(await console.follow(console.browser(), "/console/sign-in/provider/confirm")).toMatch(/not_signed_in$/);
  console.passes(-301);
});

it("[C-14.127] whoever goes back at the provider is led to the page that asked, which says so, and nothing is counted", async () => {
  const browser = console.browser();
  const before = console.proofs.length;
  const cancelled = { error: "access_denied", code: null };
  const led = async (change: Record<string, string | null>, to: string) =>
    (await signIn(browser, desk, change, `?${new URLSearchParams({ to })}`)).led;
  expect(await led(cancelled, "/console/authorize")).toBe(`${ORIGIN}/console/authorize?problem=cancelled`);
  expect(await led(cancelled, "/console/letters?status=Signed")).toBe(
    `${ORIGIN}/console/letters?status=Signed&problem=cancelled`,
  );
  expect(console.proofs.slice(before)).toEqual([]);
  expect((await browser.post("/session")).body.person).toBeNull();
});

it("[C-14.24] what goes wrong is told by its kind, nobody is signed in, and it counts as a wrong proof", async () => {
  const browser = console.browser();
  const before = console.proofs.length;
  for (const [claims, change] of [
    [{}, {}],
    [desk, { state: "x" }],
    [desk, { iss: "https://other.example" }],
  ] as const)
    expect((await signIn(browser, claims, change)).led).toBe(`${ORIGIN}/console?problem=refused`);
  expect(console.proofs.slice(before)).toEqual(Array(3).fill({ method: "identity_provider", outcome: "refused" }));
  const location = await console.follow(browser, "/console/sign-in/provider");
  const back = issuer.signIn(location, desk);
  issuer.goAway();
  expect(await console.follow(browser, back.pathname + back.search)).toMatch(/problem=provider_away$/);
  expect((await browser.post("/session")).body.person).toBeNull();
  expect(console.faults).toEqual([]);
});

it("[C-14.24] the provider ends sessions with a logout token, and is told whether it was understood", async () => {
  const browser = console.browser();
  await signIn(browser);
  const tell = async (body: string, method = "POST", type = "application/x-www-form-urlencoded") => {
    const init = { method, headers: { "content-type": type }, ...(method === "POST" && { body }) };
    const response = await fetch(`${console.address}/console/sign-in/back-channel-logout`, init);
    return [response.status, response.headers.get("cache-control")];
  };
  const token = await issuer.logoutToken({ sid: "s1" });
  expect(await tell(`logout_token=${token}&logout_token=${token}`)).toEqual([400, "no-store"]);
  expect(await tell("logout_token=x")).toEqual([400, "no-store"]);
  expect(await tell("", "GET")).toEqual([405, "no-store"]);
  expect(await tell(`logout_token=${token}`, "POST", "application/json")).toEqual([400, "no-store"]);
  expect((await tell(`logout_token=${"x".repeat(20_000)}`))[0]).toBe(400);
  expect((await browser.post("/session")).body.person).not.toBeNull();
  expect(await tell(`logout_token=${token}`)).toEqual([200, "no-store"]);
  expect((await browser.post("/session")).body.person).toBeNull();
  expect(await tell(`logout_token=${token}`)).toEqual([400, "no-store"]);
});
