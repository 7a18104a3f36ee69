import { testDatabaseUrl } from "@org/storage-postgres/testing";
import { decodeJwt } from "jose";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { freePort } from "../../../packages/http/test/free-port.js";
import { type Person, press, sees, startChromium } from "./chromium-person.js";
import { type Lie, startCompanyIssuer } from "./company-issuer.js";
import { consoleOrigin, isIn, personWithDevice } from "./console-in-browser.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, startTestServer, type TestServer, type TestTenant } from "./harness.js";
import { post } from "./http-client.js";
import { startLoopbackClient } from "./loopback-client.js";
import { rawCaller } from "./mcp-clients.js";
import { auditRendered } from "./page-audit.js";

const executablePath = process.env.CHROMIUM_PATH;
const desk = { id: "wealth-desk", secret: "a secret of the desk" };
const acme = { id: "acme", secret: "a secret of acme" };
const ada = { name: "Ada Desk", groups: ["Desk"], email: "ada@example.com", email_verified: true };
const REFUSED = "Signing in did not work. Try again; if it goes on, ask who administers access here.";

describe.skipIf(!executablePath || !testDatabaseUrl)(
  "people of an identity provider (oidc-provider), in Chromium",
  () => {
    let server: TestServer;
    let chromium: Browser;
    let company: Awaited<ReturnType<typeof startCompanyIssuer>>;
    let operator: Person;
    let household: TestTenant;

    beforeAll(async () => {
      // The test moves the time of a person's last proof back in the database.
      server = await startTestServer({ backend: "postgres" });
      household = await server.createTenant("Household");
      const port = await freePort();
      const issuer = `http://127.0.0.1:${port}`;
      const ofTenant = { tenant_id: server.demo.tenantId, issuer, client_id: acme.id, client_secret: acme.secret };
      const roles = [{ claims: { groups: "Portfolio team" }, role: "admin" }];
      await server.start({
        OIDC_ISSUER: issuer,
        OIDC_CLIENT_ID: desk.id,
        OIDC_CLIENT_SECRET: desk.secret,
        OIDC_NAME: "Company",
        OIDC_ROLES: JSON.stringify([
          { claims: { groups: "Desk" }, role: "operator" },
          { claims: { groups: "Family" }, tenant_id: household.tenantId, role: "member" },
        ]),
        OIDC_TENANTS: JSON.stringify([{ ...ofTenant, roles, name: "Acme", acr: ["phr"] }]),
        PUBLIC_URL: consoleOrigin(server),
        // Wrong proofs are counted by network, so each case comes from another.
        TRUST_PROXY: "127.0.0.1",
      });
      const callback = "/console/sign-in/callback";
      const clients = [
        { ...desk, callback },
        { ...acme, callback: `${callback}/${server.demo.tenantId}` },
      ];
      company = await startCompanyIssuer({ port, consoleUrl: consoleOrigin(server), clients });
      company.employ("ada", ada);
      chromium = await startChromium(executablePath ?? "");
      operator = await personWithDevice(chromium);
    }, START_TIMEOUT);
    afterAll(async () => {
      await chromium?.close();
      await company?.close();
      await server?.remove();
    });

    const address = (path = "") => `${consoleOrigin(server)}/console${path}`;

    it("[C-14.96] the button leads to the provider, and back to where they were", async () => {
      const { page } = operator;
      await page.goto(address("/people"));
      await sees(page, "Sign in");
      expect(await auditRendered(page, "light")).toEqual([]);
      await page.getByRole("link", { name: "Sign in with Company" }).click();
      await signInAtCompany(page, "ada");
      await isIn(page);
      await sees(page, "People");
      expect(new URL(page.url()).pathname).toBe("/console/people");
      await page.getByText("Ada Desk").first().waitFor();
      await page.goto(address("/account"));
      await sees(page, "Your account");
      expect(await auditRendered(page, "light")).toEqual([]);
      expect(operator.complaints).toEqual([]);
    });

    it("[C-14.96] what is dangerous leads there once more, in a tab of its own", async () => {
      const { page, context } = operator;
      await page.goto(address("/people"));
      await press(page, "Invite somebody");
      await page.getByLabel("E-mail", { exact: true }).fill("bo@example.com");
      await expireProofs();
      await press(page, "Make the invitation");
      const dialog = page.getByRole("dialog", { name: "Is it you?" });
      await dialog.waitFor();
      expect(await auditRendered(page, "light")).toEqual([]);
      const asked = async () => {
        const link = dialog.getByRole("link", { name: "Confirm with Company" });
        const [tab] = await Promise.all([context.waitForEvent("page"), link.click()]);
        await signInAtCompany(tab, "ada");
        return tab;
      };
      company.lies({ claims: { auth_time: 1_600_000_000 } });
      const wrong = await asked();
      await sees(wrong, "The identity provider’s answer was not accepted");
      expect(await wrong.getByRole("alert").textContent()).toBe(REFUSED);
      expect(lastRefusal()).toBe("they did not sign in anew");
      expect(await auditRendered(wrong, "light")).toEqual([]);
      await wrong.close();
      company.lies(null);
      // They start another session there; from now on its end also ends their session here.
      await context.clearCookies({ domain: new URL(company.issuer).hostname });
      const right = await asked();
      await isIn(right);
      await right.close();
      await dialog.getByRole("button", { name: "I have confirmed" }).click();
      await page.getByRole("dialog", { name: "The invitation for bo@example.com" }).waitFor();
    });

    it("[C-14.97] who signs out at the provider is out of an open tab", async () => {
      const { page, context } = operator;
      await page.goto(address("/account"));
      await sees(page, "Your account");
      const tab = await context.newPage();
      await tab.goto(`${company.issuer}/session/end`);
      await press(tab, "Leave");
      await sees(page, "Sign in again");
      await tab.close();
      const [token = "", ...more] = company.logoutTokens;
      expect(more).toEqual([]);
      expect(await sendLogout(token)).toBe(400);
      await page.getByRole("link", { name: "Sign in with Company" }).click();
      await signInAtCompany(page, "ada");
      await sees(page, "Your account");
      expect(await sendLogout(await company.forgedLogout(token))).toBe(400);
      await page.reload();
      await sees(page, "Your account");
    });

    it("[C-14.96] [C-14.128] signing out here leads to the provider's own sign-out, with the ID token of the session, and back", async () => {
      const { page } = operator;
      const { rows } = await server.installation.withDatabase((pool) =>
        pool.query<{ id_token_hint: string }>(
          "select id_token_hint from people_sessions where method = 'oidc' order by created_at desc limit 1",
        ),
      );
      const [{ id_token_hint: kept } = { id_token_hint: "" }] = rows;
      await press(page, "Sign out");
      await sees(page, "Leave?");
      const asked = new URL(page.url());
      const token = String(asked.searchParams.get("id_token_hint"));
      expect(decodeJwt(token)).toMatchObject({ iss: company.issuer, aud: desk.id, sub: "ada" });
      expect(kept).not.toBe("");
      for (const part of token.split(".")) expect(kept).not.toContain(part);
      // The provider verifies it: a hint signed by another issuer is refused there.
      const forged = await company.forgedLogout(token);
      expect(
        (await fetch(`${company.issuer}/session/end?${new URLSearchParams({ id_token_hint: forged })}`)).status,
      ).toBe(400);
      await press(page, "Leave");
      await sees(page, "Sign in");
      expect(new URL(page.url()).pathname).toBe("/console");
    });

    describe("[C-14.98] signs nobody in, and says that it did not work:", () => {
      const cases: readonly (readonly [string, Lie | { readonly groups: readonly string[] | undefined }, RegExp])[] = [
        ["claims without a role", { groups: undefined }, /^no rule fits the claims$/],
        ["claims with a role that is not known", { groups: ["Visitors"] }, /^no rule fits the claims$/],
        ["an ID token without subject", { claims: { sub: undefined } }, /^OAUTH/],
        ["an ID token that another key has signed", { isForged: true }, /^OAUTH/],
        ["an ID token that has expired", { claims: { exp: 1_600_000_000 } }, /^OAUTH/],
        ["an ID token of another issuer", { claims: { iss: "https://elsewhere.example" } }, /^OAUTH/],
        ["an ID token for another client", { claims: { aud: "another" } }, /^OAUTH/],
        ["an ID token of another question", { claims: { nonce: "another" } }, /^OAUTH/],
        ["an answer without its issuer", { answer: { iss: null } }, /^OAUTH/],
        ["an answer of another issuer", { answer: { iss: "https://elsewhere.example" } }, /^OAUTH/],
        ["an answer to another question", { answer: { state: "another" } }, /^the state is another one$/],
        ["a code that was made up", { answer: { code: "made-up" } }, /invalid_grant/],
      ];

      it.each(cases)("%s", async (name, how, refusal) => {
        const { page, context } = operator;
        onTestFinished(() => {
          company.lies(null);
          company.employ("ada", ada);
        });
        const network = cases.findIndex(([each]) => each === name);
        await context.setExtraHTTPHeaders({ "x-forwarded-for": `203.0.${network}.1` });
        if ("groups" in how) company.employ("ada", { ...ada, groups: how.groups });
        else company.lies(how);
        await page.goto(address("/people"));
        await page.getByRole("link", { name: "Sign in with Company" }).click();
        await page.getByRole("button", { name: "Sign in", exact: true }).or(page.getByRole("alert")).waitFor();
        if (page.url().startsWith(company.issuer)) await signInAtCompany(page, "ada");
        await page.getByRole("alert").waitFor();
        expect(await page.getByRole("alert").textContent()).toBe(REFUSED);
        expect(lastRefusal()).toMatch(refusal);
        await page.goto(address("/people"));
        await sees(page, "Sign in");
      });
    });

    it("[C-14.98] a tenant's own provider has to say how well it knows them (acr); an answer counts once", async () => {
      const person = await personWithDevice(chromium, { extraHTTPHeaders: { "x-forwarded-for": "203.1.0.1" } });
      onTestFinished(() => person.context.close());
      const { page } = person;
      company.employ("carl", { name: "Carl", groups: ["Portfolio team"] });
      const answers: string[] = [];
      page.on("request", (request) => {
        if (request.url().includes("/sign-in/callback")) answers.push(request.url());
      });
      const begin = `${address("/sign-in/provider")}?tenant=${server.demo.tenantId}`;
      await page.goto(begin);
      await signInAtCompany(page, "carl");
      expect(await page.getByRole("alert").textContent()).toBe(REFUSED);
      expect(lastRefusal()).toBe("acr is none of those demanded");
      await page.context().clearCookies();
      await page.goto(begin);
      await signInAtCompany(page, "carl", "phr");
      await isIn(page);
      await page.getByText("Administrator").first().waitFor();
      await page.goto(answers.at(-1) as string);
      await sees(page, "The identity provider’s answer was not accepted");
      await page.getByText("Carl").first().waitFor();
      // Their session ends while they use it: the page offers their own provider, not the installation's.
      await page.goto(address("/account"));
      await sees(page, "Your account");
      await server.installation.withDatabase((pool) => pool.query("delete from people_sessions where method = 'oidc'"));
      await sees(page, "Sign in again");
      await page.getByRole("link", { name: "Sign in with Acme" }).click();
      await sees(page, "Your account");
      expect(person.complaints).toEqual([]);
    });

    it("[C-14.127] at the authorization page who goes back at the provider chooses again, and their request stands; whom it names for no role is out, with what they approved", async () => {
      const person = await personWithDevice(chromium, { extraHTTPHeaders: { "x-forwarded-for": "203.2.0.1" } });
      onTestFinished(() => person.context.close());
      const { page, context } = person;
      const client = await startLoopbackClient(consoleOrigin(server), { client_name: "Portfolio helper" });
      onTestFinished(client.close);
      company.employ("dora", { name: "Dora", groups: ["Family"] });
      const request = client.ask();
      const asPerson = async () => {
        await sees(page, "Sign in to continue");
        await page.getByRole("link", { name: "Sign in as a person" }).click();
        await sees(page, "Sign in");
      };
      const toCompany = () => page.getByRole("link", { name: "Sign in with Company" }).click();
      await page.goto(request.address);
      await asPerson();
      await toCompany();
      await sees(page, "Who are you?");
      await press(page, "Go back");
      await sees(page, "Sign in");
      expect(await page.getByRole("alert").textContent()).toMatch(/^You were not signed in: you went back/);
      expect(await auditRendered(page, "light")).toEqual([]);
      await page.getByRole("link", { name: "Back to the app’s request without signing in here" }).click();
      await asPerson();
      await toCompany();
      await signInAtCompany(page, "dora");
      await sees(page, "Review access");
      await page.getByText("Dora").waitFor();
      await press(page, "Approve");
      await sees(page, "Back in the app");
      const { access_token, refresh_token } = (await request.redeem()).body;
      const again = await client.refresh(refresh_token);
      expect(again.status).toBe(200);
      expect(await rawCaller(server.mcpUrl, access_token).call("svc-credentials", {})).toMatchObject({ total: 0 });

      company.employ("dora", { name: "Dora", groups: ["Former family"] });
      await context.clearCookies({ domain: "localhost" });
      await page.goto(client.ask().address);
      await asPerson();
      await toCompany();
      await page.getByRole("alert").waitFor();
      expect(await page.getByRole("alert").textContent()).toBe(REFUSED);
      expect(lastRefusal()).toBe("no rule fits the claims");
      await page.getByRole("link", { name: "Back to the app’s request without signing in here" }).click();
      await sees(page, "Sign in to continue");
      expect((await client.refresh(again.body.refresh_token)).status).toBe(400);
      const isOut = () =>
        rawCaller(server.mcpUrl, access_token)
          .call("svc-credentials", {})
          .then(
            () => false,
            () => true,
          );
      await eventually(isOut, "the access token is refused");
      expect(person.complaints).toEqual([]);
    });

    /** Ages the proofs beyond what dangerous actions allow. */
    async function expireProofs(): Promise<void> {
      await server.installation.withDatabase((pool) =>
        pool.query("update people_sessions set confirmed_at = confirmed_at - interval '6 minutes'"),
      );
    }

    /** Why the provider's last answer was refused, from the access log. */
    function lastRefusal(): unknown {
      return server.process.log().findLast(({ route }) => String(route).startsWith("/console/sign-in/callback"))
        ?.refusal;
    }

    /** What the console answers to a logout token. */
    async function sendLogout(token: string): Promise<number> {
      const body = new URLSearchParams({ logout_token: token });
      return (await post(address("/sign-in/back-channel-logout"), body)).status;
    }
  },
);

/** Signs in at the provider. */
async function signInAtCompany(page: Page, who: string, acr = ""): Promise<void> {
  await sees(page, "Who are you?");
  await page.getByLabel("Name").fill(who);
  if (acr !== "") await page.getByLabel("Security key").fill(acr);
  await press(page, "Sign in");
}
