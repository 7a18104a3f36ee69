import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { newPerson, type Person } from "./chromium-person.js";
import type { TestServer } from "./harness.js";

/** Where the console's host has a name: passkeys belong to one. */
export function consoleOrigin({ url }: Pick<TestServer, "url">): string {
  return `http://localhost:${new URL(url).port}`;
}

/** Somebody new at a desk, with a device that keeps passkeys and answers at once. */
export async function personWithDevice(browser: Browser, options: BrowserContextOptions = {}): Promise<Person> {
  const person = await newPerson(browser, {
    ...{ viewport: { width: 1280, height: 800 }, locale: "en-GB", reducedMotion: "reduce" },
    ...options,
  });
  const device = await person.context.newCDPSession(person.page);
  await device.send("WebAuthn.enable", {});
  await device.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      ...{ protocol: "ctap2", transport: "internal", automaticPresenceSimulation: true },
      ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
    },
  });
  return person;
}

/** Waits until somebody is signed in. */
export function isIn(page: Page): Promise<void> {
  return page.getByRole("navigation", { name: "Screens" }).waitFor();
}
