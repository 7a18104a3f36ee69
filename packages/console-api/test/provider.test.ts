import { INSTALLATION } from "@org/people";
import { createIssuer } from "@org/people/testing";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type Browser, type Console, ORIGIN, startConsole } from "./console.js";

let issuer: Awaited<ReturnType<typeof createIssuer>>;
let console: Console;
beforeAll(async () => {
  issuer = await createIssuer(() => new Date());
  const settings = {
    ...{ name: "Company", issuer: issuer.issuer, client_id: issuer.client.id, client_secret: issuer.client.secret },
    ...{ tenant_id: null, scopes: ["openid"], acr: [], amr: [] },
    rules: [{ claims: { groups: "Desk" }, tenant_id: INSTALLATION, role: "operator" as const }],
  };
  console = await startConsole({ began: new Date(), provider: { settings, fetch: issuer.fetch } });
});
afterAll(() => console.close());
beforeEach(() => issuer.goAway(false));

const desk = { groups: ["Desk"], name: "Ada", sid: "s1" };
/** From the sign-in page to the provider and back. */
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
    ...{ person: { name: "Ada", role: "operator" }, is_confirmed: true },
    methods: { passkeys: false, identity_provider: { name: "Company" }, recovery_codes: false },
  });
  expect(await console.follow(browser, back.pathname + back.search)).toBe(`${ORIGIN}/console?problem=refused`);
  expect((await browser.post("/session")).body.person).not.toBeNull();
  expect((await browser.post("/sign-out")).body.sign_out_url).toMatch(/^https:\/\/idp\.example\/bye\?.*post_logout/);
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
