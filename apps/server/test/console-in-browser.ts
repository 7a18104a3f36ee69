import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { newPerson, type Person, press, sees } from "./chromium-person.js";
import type { TestServer } from "./harness.js";
import { auditRendered } from "./page-audit.js";
import { spokenErrors } from "./spoken-page.js";

/** Viewports of a phone and of a desktop. */
export const phone = { width: 360, height: 740 };
export const desk = { width: 1280, height: 800 };

/** The console's origin with a host name, since passkeys belong to one. */
export function consoleOrigin({ url }: Pick<TestServer, "url">): string {
  return `http://localhost:${new URL(url).port}`;
}

/** A new person at a desktop, with a device that stores passkeys; `loseDevice` removes it. */
export async function personWithDevice(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<Person & { readonly loseDevice: () => Promise<void> }> {
  const person = await newPerson(browser, { viewport: desk, locale: "en-GB", reducedMotion: "reduce", ...options });
  return { ...person, loseDevice: await addDevice(person) };
}

/** A new person with a device who has joined by an operator's invitation. */
export async function invitedPerson(browser: Browser, server: TestServer, invitation: object): Promise<Person> {
  const person = await personWithDevice(browser);
  await joinBy(person, (await server.operate("/operator/v1/people/invite", invitation)).link);
  return person;
}

/** Gives the browser a device that stores passkeys and answers immediately. Returns a function that removes it, as if lost. */
export async function addDevice({ context, page }: Person): Promise<() => Promise<void>> {
  const device = await context.newCDPSession(page);
  await device.send("WebAuthn.enable", {});
  const { authenticatorId } = await device.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      automaticPresenceSimulation: true,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
  return async () => void (await device.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId }));
}

/** The link by which the installation's first operator joins. */
export function firstOperatorLink({ installation }: Pick<TestServer, "installation">): string {
  return JSON.parse(readFileSync(join(installation.dataDir, "credentials.json"), "utf8")).first_operator.link;
}

/** The address of the first operator, who says it when joining. */
export const FIRST_EMAIL = "ada@operator.example";

/** Joins by a link, as people do, and signs in. Returns the recovery codes shown. */
export async function joinBy({ page }: Person, link: string, name?: string): Promise<readonly string[]> {
  await page.goto(link);
  const own = page.getByLabel("Your name");
  await own.waitFor();
  const email = page.getByLabel("E-mail");
  const isFirst = await email.isVisible();
  if (isFirst) await email.fill(FIRST_EMAIL);
  if (name !== undefined || isFirst) await own.fill(name ?? "Ada");
  await press(page, "Create your passkey");
  await sees(page, "Keep your recovery codes");
  const codes = await page.locator(".codes code").allTextContents();
  await page.getByLabel("I have kept these codes in a safe place").check();
  await press(page, "Continue");
  await press(page, "Later");
  await isIn(page);
  return codes;
}

/**
 * Signs in with the device's passkey and waits for `arrival`. A browser that offers passkeys in fields may have signed in on its own, before or
 * while the button is pressed.
 */
export async function signInWithDevice(page: Page, arrival: () => Promise<void>): Promise<void> {
  await Promise.any([arrival(), press(page, "Sign in with a passkey")]);
  await arrival();
}

/** Waits until the person is signed in. */
export function isIn(page: Page): Promise<void> {
  return page.getByRole("navigation", { name: "Screens" }).waitFor();
}

/**
 * Faults of every screen in a person's navigation, and of these pages: by axe in light mode on a desktop and dark mode on a phone, for overflow,
 * and as read out by a screen reader.
 */
export async function auditScreens(page: Page, origin: string, more: readonly string[]): Promise<readonly string[]> {
  await page.goto(`${origin}/console`);
  await isIn(page);
  const links = page.getByRole("navigation", { name: "Screens" }).getByRole("link");
  const paths = await links.evaluateAll((each) => each.map((link) => link.getAttribute("href")));
  if (!paths.includes("/console/account")) throw new Error("the navigation is not whole");
  const faults: string[] = [];
  for (const path of [...paths, ...more]) {
    await page.goto(`${origin}${path}`);
    await page.locator("main h1").waitFor();
    await page.locator("main .loading").first().waitFor({ state: "detached" });
    for (const [colours, viewport] of [
      ["light", desk],
      ["dark", phone],
    ] as const) {
      await page.setViewportSize(viewport);
      const found = await auditRendered(page, colours);
      faults.push(...found.map((fault) => `${path}, ${viewport.width} px, ${colours}: ${fault}`));
    }
    await page.setViewportSize(desk);
    faults.push(...(await spokenErrors(page)).map((fault) => `${path}, as it is read out: ${fault}`));
  }
  await page.emulateMedia({ colorScheme: "light" });
  return faults;
}

const MAX_TABS = 60;

/** Presses Tab until the control with that name has the focus. */
export async function reach(page: Page, name: string): Promise<void> {
  for (let pressed = 0; pressed < MAX_TABS; pressed += 1) {
    if ((await nameOfFocused(page)).startsWith(name)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`the keyboard does not reach ${name}`);
}

/** The name of the focused control. */
export function nameOfFocused(page: Page): Promise<string> {
  return page.evaluate(`(() => {
    const focused = document.activeElement;
    const label = focused?.labels?.[0] ?? focused;
    return (label?.textContent ?? "").trim();
  })()`);
}
