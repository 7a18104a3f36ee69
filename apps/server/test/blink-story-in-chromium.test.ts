import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newPerson, press, sees, startChromium } from "./chromium-person.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT } from "./harness.js";
import { startBanks } from "./openwealth-banks.js";

const executablePath = process.env.CHROMIUM_PATH ?? "";
const TARGET = "CH0000000000";
const start = () =>
  startBanks({
    direct: { version: "2.0" },
    behind: {
      version: "1.2",
      blink: { target_id: TARGET },
      settings: {
        auth: { type: "certificate" },
        consent_header: "Permission-ID",
        headers: {
          "X-CorAPI-Target-ID": TARGET,
          "X-PSU-IP-Address": "AUTO",
          "X-PSU-User-Agent": "AUTO",
          "User-Agent": "WealthConnect/1.0",
        },
      },
    },
  });

describe.skipIf(!executablePath)("a bank behind bLink, which knows each customer by a consent", () => {
  let at: Awaited<ReturnType<typeof start>>;
  let chromium: Browser;
  let page: Page;
  beforeAll(async () => {
    at = await start();
    chromium = await startChromium(executablePath);
    ({ page } = await newPerson(chromium, { locale: "en-GB", reducedMotion: "reduce" }));
  }, START_TIMEOUT);
  afterAll(async () => {
    await chromium?.close();
    await at?.close();
  });

  async function begin(target: { connector_id: string } | { connection_id: string }) {
    const { id, widgetUrl } = await at.tenant.openSession(target);
    await page.goto(widgetUrl);
    // By then the client has taken over the page.
    await page.locator("main > .screen").waitFor();
    await press(page, "Continue");
    await page.getByLabel("Consent ID", { exact: true }).waitFor();
    return id;
  }

  async function enter(consent: string) {
    await page.getByLabel("Consent ID", { exact: true }).fill(consent);
    await press(page, "Continue");
  }

  it("[C-5.297] a consent is entered too early, given, entered, ends, is replaced with ids kept, withdrawn, and the connection removed", {
    timeout: START_TIMEOUT,
  }, async () => {
    const { consents, customers, violations, institution } = at.banks.behind;
    const minutes = (count: number) => new Date(at.now().getTime() + count * 60_000);
    expect(await at.check()).toMatchObject({ ok: true });
    const calls = violations.calls.length;

    const first = consents.ask("larkspur", [customers.larkspur.id], minutes(12));
    const session_id = await begin({ connector_id: "che:behind" });
    await enter(first);
    await page.getByText("attempts left").first().waitFor();
    consents.give(first);
    await enter(first);
    await sees(page, "Your bank is connected");
    const { connection_id } = await at.tenant.tools.call("svc-session-status", { session_id });
    await at.expectTruth(connection_id, "behind", "larkspur");
    const known = await at.idsOf(connection_id);

    await at.passes();
    await eventually(async () => (await at.refresh(connection_id)) === "relogin_needed", "a consent that has ended");
    expect(await at.reloginOf(connection_id)).toMatchObject({
      needs_relogin: true,
      reasons: expect.arrayContaining([expect.objectContaining({ code: "sca_required" })]),
    });
    const second = consents.ask("larkspur", [customers.larkspur.id]);
    consents.give(second);
    await begin({ connection_id });
    await enter(second);
    await sees(page, "Your connection is renewed");
    expect((await at.reloginOf(connection_id)).needs_relogin).toBe(false);
    expect(await at.idsOf(connection_id)).toEqual(known);

    consents.withdraw(second);
    await at.passes();
    await eventually(async () => (await at.refresh(connection_id)) === "relogin_needed", "a consent withdrawn");
    expect(await at.reloginOf(connection_id)).toMatchObject({ reasons: [{ code: "auth_error" }] });
    expect(await at.idsOf(connection_id)).toEqual(known);

    await at.tenant.tools.call("svc-delete-credentials", { credentials_token: connection_id, confirm: true });
    const asked = institution.requests.length;
    expect((await at.tenant.post("/connect/v2/connections/refresh", { connection_id })).status).toBe(400);
    expect(institution.requests.length).toBe(asked);
    expect([violations.calls.length, violations.parameters, at.server.faults()]).toEqual([calls, [], []]);
    for (const id of [first, second]) expect(at.server.output()).not.toContain(id);
  });
});
