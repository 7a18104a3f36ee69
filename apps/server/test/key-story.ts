import { expect } from "vitest";
import type { Institution } from "../../../packages/provider-kit/test/stand-in/institution.js";
import { newPerson, press, startChromium } from "./chromium-person.js";
import { eventually } from "./eventually.js";
import { startTestServer } from "./harness.js";
import { oneBackend } from "./installation.js";
import { operatorCommands } from "./operator-commands.js";
import { expectSameTools } from "./same-tools.js";

// biome-ignore lint/suspicious/noExplicitAny: rows of tools.
type Row = any;

/** A connection is refreshed by request at most every 15 minutes. */
const A_WHILE = 16 * 60_000;
const shift = `--import ${new URL("clock-shift.mjs", import.meta.url).href}`;

export const executablePath = process.env.CHROMIUM_PATH ?? "";

/** A key as a customer types it, by the labels of its fields, and a text that they read then. */
type Attempt = readonly [typed: Readonly<Record<string, string>>, read: string];

/**
 * A server with one provider for keys or logins of customers, a stand-in of its institution, and Chromium for its customers.
 * @param environments the provider's own, which all have the address of the stand-in
 */
export async function startKeyStory<
  Stand extends { readonly base_url: string; readonly institution: Institution; close(): Promise<void> },
>(provider: string, environments: readonly string[], start: (given: { clock: () => Date }) => Promise<Stand>) {
  /** The institution's clock, from the machine's. */
  let ahead = 0;
  const server = await startTestServer({
    backend: oneBackend("it is about a provider and its data; refreshes and sessions have their own tests on both"),
    environment: { PROVIDERS: provider, NODE_OPTIONS: shift, CLOCK_JUMP_MS: String(A_WHILE) },
    schedule: { refreshes: 200, savedAccesses: 200 },
  });
  const tenant = server.demo;
  const operator = operatorCommands(() => server);
  const chromium = await startChromium(executablePath);
  const stand = await start({ clock: () => new Date(Date.now() + ahead) });

  const rows = async (tool: string, credentials_token: string): Promise<Row[]> => {
    const { items, total } = await tenant.tools.call(tool, { credentials_token, page_size: 200 });
    expect(items).toHaveLength(total);
    return items;
  };
  /** Requests a refresh until it has this outcome: a clock that jumps does so a moment after it is told to. */
  const refreshed = (connection_id: string, outcome: string) =>
    eventually(
      async () => (await tenant.post("/connect/v2/connections/refresh", { connection_id })).body.outcome === outcome,
      outcome,
    );

  const idsOf = async (token: string) => {
    const tools = ["svc-portfolios", "svc-investments", "svc-investment-transactions"];
    const found = await Promise.all(tools.map((one) => rows(one, token)));
    return found
      .flat()
      .map(({ id }) => id as string)
      .sort();
  };
  /** A customer types one key after another in one session, which is returned. */
  async function login(target: { connector_id: string } | { connection_id: string }, ...attempts: readonly Attempt[]) {
    const { id, widgetUrl } = await tenant.openSession(target);
    const { page, context, complaints, hosts } = await newPerson(chromium, {
      locale: "en-GB",
      reducedMotion: "reduce",
    });
    await page.goto(widgetUrl);
    // By then the client has taken over the page.
    await page.locator("main > .screen").waitFor();
    await press(page, "Continue");
    await page.getByRole("heading", { name: "Where to make the key" }).waitFor();
    for (const [typed, read] of attempts) {
      for (const [label, value] of Object.entries(typed)) await page.getByLabel(label, { exact: true }).fill(value);
      await press(page, "Continue");
      await page.getByText(read).first().waitFor();
    }
    await context.close();
    expect([complaints, [...hosts]]).toEqual([[], [new URL(widgetUrl).hostname]]);
    return tenant.tools.call("svc-session-status", { session_id: id });
  }

  return {
    server,
    tenant,
    stand,
    chromium,
    rows,
    refreshed,
    /** The institution alone is so many milliseconds from now. */
    goTo(milliseconds: number) {
      ahead = milliseconds;
    },
    /** A while passes, for both. */
    passes() {
      process.kill(server.process.pid, "SIGUSR2");
      ahead += A_WHILE;
    },
    /** Sets the provider up as an operator does. */
    async setUp(more: object = {}) {
      const url = stand.base_url.replace("/api/v0", "");
      const base_urls = Object.fromEntries(environments.map((name) => [name, url]));
      await operator.run(["providers", "set", provider, "--file", "-"], JSON.stringify({ base_urls, ...more }));
      expect(await operator.run(["providers", "test", provider])).toMatchObject({ ok: true });
      expect(await operator.run(["providers", "sync", provider])).toMatchObject({ inserted: environments.length });
    },
    login,
    /** A customer whose key has ended is asked for a new one. Another account's is refused; with their own every id stays. */
    async repair(connection_id: string, another: Attempt[0], own: Attempt[0]) {
      const of = { credentials_token: connection_id };
      expect(await tenant.tools.call("svc-needs-relogin", of)).toMatchObject({
        needs_relogin: true,
        reasons: [{ code: "auth_error", next_action: expect.stringContaining("makes a new key at the bank") }],
      });
      const before = await idsOf(connection_id);
      const session = await login(
        { connection_id },
        [another, "This key is for a different account"],
        [own, "Your connection is renewed"],
      );
      expect(session).toMatchObject({ status: "Finished:OK" });
      expect((await tenant.tools.call("svc-needs-relogin", of)).needs_relogin).toBe(false);
      expect(await idsOf(connection_id)).toEqual(before);
    },
    /** The tenant deletes the connection, and nobody asks the institution for it any more. */
    async remove(connection_id: string) {
      await expectSameTools(tenant.tools, connection_id);
      await tenant.tools.call("svc-delete-credentials", { credentials_token: connection_id, confirm: true });
      const asked = stand.institution.requests.length;
      expect((await tenant.post("/connect/v2/connections/refresh", { connection_id })).status).toBe(400);
      expect(stand.institution.requests.length).toBe(asked);
    },
    statusOf: async (connection_id: string) =>
      (await server.operate("/operator/v1/connections/status", { connection_id })).refresh,
    holdings: async (token: string) =>
      (await rows("svc-investments", token))
        .map((each) => [each.name, each.type, each.subtype ?? "-", each.amount, each.balance, each.currency].join(" "))
        .sort(),
    transactions: async (token: string) =>
      (await rows("svc-investment-transactions", token))
        .map((each) =>
          [each.description, each.amount ?? "-", each.unitPrice ?? "-", each.balance ?? "-", each.currency].join(" "),
        )
        .sort(),
    idsOf,
    async close() {
      await chromium.close();
      await stand.close();
      await server.remove();
      operator.remove();
    },
  };
}
