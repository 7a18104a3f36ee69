// Leads a browser to each screen of the widget that is worth showing, on its own server with the sandbox banks. The operator has configured the
// family office's name, logo and contact.
import { withDemoServer } from "./demo-server.mjs";

const bank = { connector_id: "esp:banco-penaclarin" };
const redirect = { connector_id: "lux:banque-passerelle" };
const languages = ["es", "fr", "de"];
/** One picture per language is enough to show its texts. */
const onPhone = ["phone-light"];

/** From a fresh link to the screen. `configuration` is that of the session; `renewal` adds the id of an existing connection. */
const screens = {
  landing: { configuration: bank, go: async () => {} },
  ...Object.fromEntries(
    languages.map((language) => [
      `landing-${language}`,
      { configuration: { ...bank, language }, views: onPhone, go: async () => {} },
    ]),
  ),
  renewal: { renewal: true, go: async () => {} },
  language: {
    configuration: bank,
    async go(page) {
      await page.locator(".languages summary").click();
    },
  },
  "bank-choice": {
    configuration: {},
    async go(page) {
      await press(page, "Continue");
      await page.locator(".banks").waitFor();
    },
  },
  "bank-search": {
    configuration: {},
    async go(page) {
      await screens["bank-choice"].go(page);
      await page.getByLabel("Name of the bank").fill("banco");
      await page.getByLabel("Country").selectOption("Spain");
      await page.locator(".banks li", { hasNotText: "Spain" }).first().waitFor({ state: "detached" });
    },
  },
  "by-letter": {
    configuration: {},
    async go(page) {
      await screens["bank-choice"].go(page);
      await page.getByLabel("Name of the bank").fill("custodia");
      await page.locator(".banks li", { hasNotText: "Custodia" }).first().waitFor({ state: "detached" });
      await page.getByText("Custodia Montelirio").click();
    },
  },
  "several-ways": {
    configuration: {},
    async go(page) {
      await screens["bank-choice"].go(page);
      await page.getByLabel("Name of the bank").fill("alzetteberg");
      await page.locator(".banks > li", { hasNotText: "Alzetteberg" }).first().waitFor({ state: "detached" });
      await page.getByText("3 ways to connect").click();
    },
  },
  login: {
    configuration: bank,
    async go(page) {
      await press(page, "Continue");
      await page.getByLabel("User name").fill("maria.garcia");
    },
  },
  ...Object.fromEntries(
    languages.map((language) => [
      `login-${language}`,
      {
        configuration: { ...bank, language },
        views: onPhone,
        async go(page) {
          await page.locator("button.first").click();
          await page.locator("#username").fill("maria.garcia");
        },
      },
    ]),
  ),
  "login-wrong": {
    configuration: bank,
    go: (page) => logIn(page, "INVALID_CREDENTIALS", () => page.getByRole("alert")),
  },
  "other-login": { renewal: true, go: (page) => logIn(page, "anything", () => page.getByRole("alert")) },
  cancel: {
    configuration: bank,
    async go(page) {
      await screens.login.go(page);
      await page.locator(".cancel summary").click();
    },
  },
  waiting: { configuration: bank, go: (page) => logIn(page, "SLOW", () => page.getByText("Some banks take")) },
  code: { configuration: bank, go: (page) => logIn(page, "SCA_SMS", () => page.getByLabel("Code")) },
  app: { configuration: bank, go: (page) => logIn(page, "SCA_APP", () => page.getByText("Message from your bank")) },
  qr: { configuration: bank, go: (page) => logIn(page, "SCA_QR", () => page.locator("svg.qr")) },
  fields: {
    configuration: { connector_id: "bel:banque-cinqchamps" },
    async go(page) {
      await press(page, "Continue");
      await page.getByLabel("Customer number").fill("40021877");
      await page.getByLabel("Joint").check();
    },
  },
  "fields-wrong": {
    configuration: { connector_id: "bel:banque-cinqchamps", language: "de" },
    views: onPhone,
    async go(page) {
      await page.locator("button.first").click();
      await page.locator("#customer_number").fill("4002");
      await page.locator("button.first").click();
      await page.getByRole("alert").waitFor();
    },
  },
  question: {
    configuration: { connector_id: "aut:bank-wegscheide" },
    go: (page) => logIn(page, "anything", () => page.getByText("How to confirm")),
  },
  redirect: { configuration: redirect, go: goAway },
  ...Object.fromEntries(
    languages.map((language) => [
      `redirect-${language}`,
      { configuration: { ...redirect, language }, views: onPhone, go: beforeBank },
    ]),
  ),
  "bank-page": { configuration: redirect, go: atBank },
  declined: {
    configuration: redirect,
    views: onPhone,
    async go(page) {
      await atBank(page);
      await press(page, "Decline");
      await page.getByRole("alert").waitFor();
    },
  },
  elsewhere: {
    configuration: redirect,
    views: onPhone,
    async go(page) {
      await atBank(page);
      const owner = (await page.context().cookies()).filter(({ name }) => name.startsWith("wc-connect-"));
      for (const { name } of owner) await page.context().clearCookies({ name });
      await page.getByLabel("User name").fill("maria.garcia");
      await press(page, "Log in and agree");
      await page.getByRole("heading", { name: "Continue where you started" }).waitFor();
    },
  },
  pending: {
    configuration: { connector_id: "irl:slowmere-bank" },
    views: onPhone,
    go: (page) => logIn(page, "anything", () => page.locator(".sign.good")),
  },
  done: { configuration: bank, go: (page) => logIn(page, "anything", () => page.locator(".sign.good")) },
  empty: { configuration: bank, go: (page) => logIn(page, "EMPTY", () => page.getByText("no accounts found")) },
  failed: {
    configuration: bank,
    go: (page) => logIn(page, "USER_INTERACTION_NEEDED", () => page.getByText("You can close this page")),
  },
};

/** The names of the screens. */
export const widgetScreens = Object.keys(screens);

/** Calls `shoot(name, page, view)` on each of the screens, in each of its views. */
export function showWidget(browser, names, views, shoot) {
  return withDemoServer(async (server) => {
    await introduce(browser, server);
    const connection_id = names.some((name) => screens[name].renewal) ? await connect(browser, server) : null;
    for (const view of views)
      for (const name of names) {
        const screen = screens[name];
        if (screen.views && !screen.views.includes(view.name)) continue;
        const page = await browser.newPage({ ...view, locale: "en-GB", reducedMotion: "reduce" });
        await page.goto(await server.openSession(screen.renewal ? { connection_id } : screen.configuration));
        await page.locator("main > .screen").waitFor();
        await screen.go(page);
        await shoot(name, page, view);
        await page.close();
      }
  });
}

/** Sets the tenant's name, logo and contact as customers see them, and joins connectors as ways to one bank. */
async function introduce(browser, { operate, tenantId }) {
  const connector_ids = ["lux:banque-alzetteberg", "lux:banque-passerelle", "lux:petrussel-custody"];
  await operate("/connectors/match", { connector_ids, as: "one" });
  const page = await browser.newPage({ viewport: { width: 240, height: 64 } });
  await page.setContent(
    '<body style="margin:0"><svg width="240" height="64"><rect width="64" height="64" rx="12" fill="#1d3557"/><path d="M16 46V20l16 16 16-16v26" fill="none" stroke="#f1c673" stroke-width="6"/><text x="80" y="42" font-family="serif" font-size="30" fill="#1d3557">Marbell</text></svg>',
  );
  const logo = (await page.screenshot()).toString("base64");
  await page.close();
  await operate("/tenants/update", {
    tenant_id: tenantId,
    set: {
      display_name: "Marbell Family Office",
      privacy_url: "https://marbell.example/privacy",
      support_contact: "help@marbell.example",
      logo,
    },
  });
}

/** Creates a connection to renew, through the widget like a customer. */
async function connect(browser, { post }) {
  const { session, widget_url } = await post("/v2/connect/sessions", { configuration: bank });
  const page = await browser.newPage();
  await page.goto(widget_url);
  await logIn(page, "anything", () => page.locator(".sign.good"));
  await page.close();
  const { items } = await post("/connect/v2/sessions/list-sessions", {
    query: { session_id_in: [session.session_id] },
  });
  return items[0].connection_id;
}

const press = (page, name) => page.getByRole("button", { name, exact: true }).click();

async function beforeBank(page) {
  await page.locator("button.first").click();
  await page.locator('form[action$="/redirect"]').waitFor();
}

async function goAway(page) {
  await press(page, "Continue");
  await page.getByRole("button", { name: "Go to your bank" }).waitFor();
}

async function atBank(page) {
  await goAway(page);
  await press(page, "Go to your bank");
  await page.getByRole("heading", { name: "Banque Passerelle" }).waitFor();
}

async function logIn(page, password, seen) {
  await press(page, "Continue");
  await page.getByLabel("User name").fill(`customer ${Math.random()}`);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await press(page, "Continue");
  await seen().waitFor();
}
