// Leads a browser to each screen of the widget worth showing, on a server of its own with the sandbox banks.
import { withDemoServer } from "./demo-server.mjs";

const bank = { connector_id: "esp:banco-penaclarin" };

/** From a fresh link to the screen; `configuration` is the session's. */
const screens = {
  landing: { configuration: bank, go: async () => {} },
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
  login: {
    configuration: bank,
    async go(page) {
      await press(page, "Continue");
      await page.getByLabel("User name").fill("maria.garcia");
    },
  },
  "login-wrong": {
    configuration: bank,
    go: (page) => logIn(page, "INVALID_CREDENTIALS", () => page.getByRole("alert")),
  },
  waiting: { configuration: bank, go: (page) => logIn(page, "SLOW", () => page.getByText("Some banks take")) },
  code: { configuration: bank, go: (page) => logIn(page, "SCA_SMS", () => page.getByLabel("Code")) },
  app: { configuration: bank, go: (page) => logIn(page, "SCA_APP", () => page.getByText("Message from your bank")) },
  qr: { configuration: bank, go: (page) => logIn(page, "SCA_QR", () => page.locator("svg.qr")) },
  done: { configuration: bank, go: (page) => logIn(page, "anything", () => page.locator(".sign.good")) },
  failed: {
    configuration: bank,
    go: (page) => logIn(page, "USER_INTERACTION_NEEDED", () => page.getByText("You can close this page")),
  },
};

/** The names of the screens. */
export const widgetScreens = Object.keys(screens);

/** Calls `shoot(name, page, view)` on each of the screens, in each view. */
export function showWidget(browser, names, views, shoot) {
  return withDemoServer(async ({ openSession }) => {
    for (const view of views)
      for (const name of names) {
        const page = await browser.newPage({ ...view, reducedMotion: "reduce" });
        await page.goto(await openSession(screens[name].configuration));
        await page.locator("main > .screen").waitFor();
        await screens[name].go(page);
        await shoot(name, page, view);
        await page.close();
      }
  });
}

const press = (page, name) => page.getByRole("button", { name, exact: true }).click();

async function logIn(page, password, seen) {
  await press(page, "Continue");
  await page.getByLabel("User name").fill(`customer ${Math.random()}`);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await press(page, "Continue");
  await seen().waitFor();
}
