import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import type { Login } from "./authorize.js";

/** A person with a browser profile of their own. */
export interface Person {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors that the browser reported on pages and their policies, in all tabs; 4xx responses do not count. */
  readonly complaints: readonly string[];
  /** Hosts that any tab tried to contact. */
  readonly hosts: ReadonlySet<string>;
}

/**
 * Starts Chromium, or its headless shell if `CHROMIUM_SHELL_PATH` names one: the same engine, and much faster with many profiles.
 * @param keepsPages whether Back may restore a page as it was left, as it does for people; the shell never does
 */
export function startChromium(executablePath: string, keepsPages = false): Promise<Browser> {
  const args = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"];
  const shell = process.env.CHROMIUM_SHELL_PATH;
  return chromium.launch({
    executablePath: keepsPages ? executablePath : shell || executablePath,
    args,
    ...(keepsPages && { ignoreDefaultArgs: ["--disable-back-forward-cache"] }),
  });
}

/** A new person, with a tab open. */
export async function newPerson(browser: Browser, options: BrowserContextOptions = {}): Promise<Person> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(60_000);
  const complaints: string[] = [];
  const hosts = new Set<string>();
  context.on("request", (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (/^(http|ws)s?:$/.test(protocol)) hosts.add(hostname);
  });
  context.on("weberror", (error) => complaints.push(String(error.error())));
  context.on("console", (message) => {
    if (!/^Failed to load resource: the server responded with a status of 4\d\d/.test(message.text()))
      complaints.push(message.text());
  });
  return { context, page: await context.newPage(), complaints, hosts };
}

/** Types the credentials of step 1 and continues. */
export async function signIn(page: Page, { clientId, clientSecret }: Login): Promise<void> {
  await page.getByLabel("Client ID").fill(clientId);
  await page.getByLabel("Client secret").fill(clientSecret);
  await press(page, "Continue");
}

/** Clicks a button by its label. */
export async function press(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
}

/** Returns a function that clicks at the button's current position, whatever the browser is doing by then. */
export async function clicker(page: Page, name: string): Promise<() => Promise<void>> {
  const button = page.getByRole("button", { name, exact: true });
  await button.scrollIntoViewIfNeeded();
  const box = await button.boundingBox();
  if (!box) throw new Error(`${name} is not to be seen`);
  return () => page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
}

/** Waits until the page has this heading. */
export async function sees(page: Page, heading: string): Promise<void> {
  await page.getByRole("heading", { name: heading, exact: true, level: 1 }).waitFor();
}
