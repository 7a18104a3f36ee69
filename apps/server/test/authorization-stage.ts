import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import type { Login } from "./authorize.js";
import { newPerson, type Person, press, sees, signIn, startChromium } from "./chromium-person.js";
import { startTestServer, type TestServer, type TestTenant } from "./harness.js";
import { oneBackend } from "./installation.js";
import { type AccessRequest, BACK_IN_THE_APP, type LoopbackClient, startLoopbackClient } from "./loopback-client.js";

/** Titles of the pages. */
export const titles = {
  step1: "Sign in to continue",
  step2: "Review access",
  answered: "You have already answered this",
  otherBrowser: "This page belongs to another browser",
  expired: "Time is up",
  grants: "Access to your investments",
  grantsSignIn: "Sign in to see your access",
  client: BACK_IN_THE_APP,
} as const;

/** A started server with two tenants, an OAuth client, and Chromium for the people who use it. */
export interface AuthorizationStage {
  readonly server: TestServer;
  readonly household: TestTenant;
  readonly neighbours: TestTenant;
  readonly client: LoopbackClient;
  /** A new person, in a browser profile of their own. */
  somebody(options?: BrowserContextOptions, browser?: Browser): Promise<Person>;
  /** Opens a new request and signs in to it, as the household by default. */
  reachStep2(page: Page, login?: Login): Promise<AccessRequest>;
  /** Approves and waits for the client's page. */
  approve(page: Page): Promise<void>;
  /** Closes all browser profiles; returns the browsers' complaints, and contacted hosts other than this machine. */
  everybodyLeaves(): Promise<string[]>;
  close(): Promise<void>;
}

/** Sets up the stage. @param executablePath of Chromium */
export async function startAuthorizationStage(executablePath: string): Promise<AuthorizationStage> {
  const server = await startTestServer({
    backend: oneBackend("it is about pages in a browser; the stores below them have a conformance suite of their own"),
  });
  const household = await server.createTenant("Household");
  const neighbours = await server.createTenant("Neighbours");
  const client = await startLoopbackClient(server.url, { client_name: "Portfolio helper" });
  const chromium = await startChromium(executablePath);
  const people: Person[] = [];
  return {
    server,
    household,
    neighbours,
    client,
    async somebody(options = {}, browser = chromium) {
      const person = await newPerson(browser, options);
      people.push(person);
      return person;
    },
    async reachStep2(page, login = household) {
      const request = client.ask();
      await page.goto(request.address);
      await signIn(page, login);
      await sees(page, titles.step2);
      return request;
    },
    async approve(page) {
      await press(page, "Approve");
      await sees(page, titles.client);
    },
    async everybodyLeaves() {
      client.release();
      const leaving = people.splice(0);
      await Promise.all(leaving.map(({ context }) => context.close()));
      return leaving.flatMap(({ complaints, hosts }) => [...complaints, ...[...hosts].filter(isFar)]);
    },
    async close() {
      await chromium.close();
      client.close();
      await server.remove();
    },
  };
}

function isFar(host: string): boolean {
  return host !== "localhost" && host !== "127.0.0.1";
}
