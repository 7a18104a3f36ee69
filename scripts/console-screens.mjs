// Shows the console for screenshots.mjs, on a built server with the data of sample-letters.mjs: joins with a passkey, then visits each screen.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withDemoServer } from "./demo-server.mjs";
import { seedLetters, startCustodianMail } from "./sample-letters.mjs";
import { connect } from "./view-screens.mjs";

const SEEDED_LETTERS = 60;

/** The path of each screen; `letter` and `tenant-profile` show the first entry of their list. */
const paths = {
  join: null,
  "sign-in": null,
  authorize: null,
  "authorize-back": null,
  work: "/work",
  letters: "/letters",
  letter: "/letters",
  feeds: "/feeds",
  connections: "/connections",
  catalogue: "/catalogue",
  providers: "/providers",
  sources: "/sources",
  source: "/sources/custodian",
  mapping: "/mapping?name=avanza",
  "feed-keys": "/sources?tab=keys",
  "filter-workbench": "/filter-workbench",
  webhooks: "/webhooks",
  events: "/events",
  tenants: "/tenants",
  "tenant-profile": "/tenants",
  applications: "/applications",
  grants: "/grants",
  people: "/people",
  keys: "/keys",
  "trusted-issuers": "/trusted-issuers",
  "registration-tokens": "/registration-tokens",
  audit: "/audit",
  account: "/account",
};

/** What a tenant's person sees of the data of a bank connection: the query of each screen. */
const dataPaths = {
  portfolios: "?tab=portfolios",
  holdings: "?tab=holdings&sort=-balance&by=type",
  transactions: "?tab=transactions&kind=dividend",
};

/** The screens that have pictures. */
export const consoleScreens = [...Object.keys(paths), ...Object.keys(dataPaths)];

const bea = { email: "bea@example.com", name: "Bea Example", role: "member" };

/** Calls `keep` with each screen in each view. */
export async function showConsole(browser, screens, views, keep) {
  const dropDir = mkdtempSync(join(tmpdir(), "console-screens-"));
  const mail = await startCustodianMail();
  const environment = {
    DROP_DIR: dropDir,
    MAIL_FROM: "letters@connect.example",
    SMTP_URL: `smtp://127.0.0.1:${mail.address().port}`,
    // The provider is never contacted: the pictures show only the link to it and the return.
    OIDC_ISSUER: "https://login.example.com",
    OIDC_CLIENT_ID: "console",
    OIDC_CLIENT_SECRET: "only here",
    OIDC_NAME: "Example Bank",
    OIDC_ROLES: '[{"claims": {"groups": "Desk"}, "role": "operator"}]',
  };
  try {
    await withDemoServer((server) => visit(server), environment);
  } finally {
    mail.close();
    rmSync(dropDir, { recursive: true, force: true });
  }

  async function visit({ url, credentials, tenantId, operate, openSession }) {
    const settings = { kind: "sftp", host: "sftp.custodian.example", user: "wealth", password: "only here" };
    await operate("/sources/set", { source: "custodian", settings, enabled: false });
    await operate("/sources/set", { source: "custodian-push", settings: { kind: "push" } });
    await operate("/sources/add-route", { source: "custodian", to: { connector_id: "esp:custodia-montelirio" } });
    await operate("/feed-keys/generate", { name: "Example Wealth", email: "feeds@example.com" });
    await seedLetters({ url, operator: credentials.operator, dropDir, letters: SEEDED_LETTERS });
    const { context, page } = await newPerson();
    const inEachView = (screen) => pictures(screen, page);

    await page.goto(`${url}/console/`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await inEachView("sign-in");
    for (const [screen, query] of [
      ["authorize", ""],
      ["authorize-back", "?problem=cancelled"],
    ]) {
      await page.goto(`${url}/console/authorize${query}#request`);
      await page.getByRole("link", { name: /Back to the app/ }).waitFor();
      await inEachView(screen);
    }
    await page.goto(credentials.first_operator.link);
    await page.getByLabel("E-mail").fill("ada@example.com");
    await page.getByLabel("Your name").fill("Ada Example");
    await inEachView("join");
    await createPasskey(page);
    for (const [screen, path] of Object.entries(paths)) {
      if (path === null || !screens.includes(screen)) continue;
      await page.setViewportSize(views.at(-1).viewport);
      await page.goto(`${url}/console${path}`);
      await page.waitForLoadState("load");
      await page.getByRole("heading", { level: 1 }).waitFor();
      if (screen === "letter" || screen === "tenant-profile") await page.locator("tbody a").first().click();
      if (screen === "tenant-profile") await page.getByRole("tab", { name: "Profile" }).click();
      // The event stream stays open, so the network never becomes idle.
      await page.waitForTimeout(1_500);
      await inEachView(screen);
    }
    await context.close();
    if (!screens.some((screen) => screen in dataPaths)) return;
    await connect(browser, openSession, { connector_id: "esp:banco-penaclarin", password: "anything" });
    await visitData(url, await operate("/people/invite", { tenant_id: tenantId, ...bea }));
  }

  /** Visits the data of the newest connection, as a person of its tenant. */
  async function visitData(url, { link }) {
    const { context, page } = await newPerson();
    await page.goto(link);
    await createPasskey(page);
    await page.goto(`${url}/console/connections`);
    await page.locator("tbody a").first().click();
    await page.waitForURL(/connections\/[0-9a-f-]+$/);
    const connection = page.url();
    for (const [screen, query] of Object.entries(dataPaths)) {
      if (!screens.includes(screen)) continue;
      await page.goto(`${connection}${query}`);
      await page.locator("tbody").first().waitFor();
      await page.waitForTimeout(1_500);
      await pictures(screen, page);
    }
    await context.close();
  }

  async function pictures(screen, page) {
    if (!screens.includes(screen)) return;
    for (const view of views) {
      await page.setViewportSize(view.viewport);
      await page.emulateMedia({ colorScheme: view.colorScheme });
      await keep(screen, page, view);
    }
  }

  async function newPerson() {
    const context = await browser.newContext({ reducedMotion: "reduce", locale: "en-GB", timezoneId: "Europe/Zurich" });
    return { context, page: await context.newPage() };
  }
}

/** Creates the passkey of the person whose invitation is open. A device that was there before a picture no longer answers after it. */
async function createPasskey(page) {
  const devices = await page.context().newCDPSession(page);
  await devices.send("WebAuthn.enable");
  const options = { protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true };
  await devices.send("WebAuthn.addVirtualAuthenticator", {
    options: { ...options, isUserVerified: true, automaticPresenceSimulation: true },
  });
  await page.getByRole("button", { name: /passkey/i }).click();
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: /continue/i }).click();
  await page
    .getByRole("button", { name: /later/i })
    .or(page.getByRole("link", { name: /later/i }))
    .click();
  await page.getByRole("navigation").first().waitFor();
}
