import { createBrowser } from "@org/pages/testing";
import { testDatabaseUrl } from "@org/storage-postgres/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { waitForAnswer } from "./connect-bank.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "./harness.js";
import { post, send } from "./http-client.js";
import { startReplica } from "./replica.js";
import type { ServerProcess } from "./server-process.js";

const OFF_MS = 300_000;
const preload = `--import ${new URL("clock-shift.mjs", import.meta.url).href}`;
/** The environment of a machine whose clock is off by this much. */
const wrongBy = (milliseconds: number) => ({ NODE_OPTIONS: preload, CLOCK_ERROR_MS: String(milliseconds) });

describe.skipIf(!testDatabaseUrl)("[C-9.36] two replicas whose clocks are ten minutes apart", () => {
  let server: TestServer;
  let replica: ServerProcess;
  let there: string;
  beforeAll(async () => {
    const common = { METRICS: "true", REFRESH_REPLAY_SECONDS: "60", WIDGET_TTL_SECONDS: "300" };
    server = await startTestServer({ backend: "postgres", environment: { ...common, ...wrongBy(-OFF_MS) } });
    ({ url: there, process: replica } = await startReplica(server, {
      environment: { ...common, ...wrongBy(OFF_MS) },
    }));
  }, START_TIMEOUT);
  afterAll(async () => {
    await replica?.end("SIGKILL");
    await server?.remove();
  });

  const tokenAt = (url: string, form: Readonly<Record<string, string>>) =>
    post(`${url}/token`, new URLSearchParams(form));
  const machine = () => ({
    grant_type: "client_credentials",
    client_id: server.demo.clientId,
    client_secret: server.demo.clientSecret,
  });
  const list = (url: string, token: string) => post(`${url}/connect/v2/sessions/list-sessions`, {}, { token });

  it("tokens of either are good at both, at once, and say the database's time", async () => {
    for (const [from, to] of [
      [server.url, there],
      [there, server.url],
    ] as const) {
      const { access_token } = (await tokenAt(from, machine())).body;
      const { iat, exp } = JSON.parse(Buffer.from(access_token.split(".")[1], "base64url").toString());
      expect(Math.abs(iat - Date.now() / 1000)).toBeLessThan(60);
      expect(exp - iat).toBe(3600);
      expect([(await list(to, access_token)).status, (await list(from, access_token)).status]).toEqual([200, 200]);
    }
  });

  it("a refresh at one and its repetition at the other are one, within the window for it", async () => {
    const { refresh_token } = (await tokenAt(server.url, machine())).body;
    const form = { grant_type: "refresh_token", refresh_token };
    const first = await tokenAt(server.url, form);
    expect(first.status).toBe(200);
    expect(await tokenAt(there, form)).toMatchObject({ status: 200, body: first.body });
    const next = { grant_type: "refresh_token", refresh_token: first.body.refresh_token };
    const second = await tokenAt(there, next);
    expect(await tokenAt(server.url, next)).toMatchObject({ status: 200, body: second.body });
  });

  it("a Connect session of five minutes goes from one to the other", async () => {
    const { id, widgetUrl } = await server.demo.openSession({ connector_id: sandboxBanks.eBanking });
    const elsewhere = widgetUrl.replace(server.url, there);
    const browser = createBrowser();
    await browser.open(elsewhere);
    await browser.submit("continue");
    await browser.open(widgetUrl);
    await browser.submit("credentials", { username: "somebody", password: "SCA_CODE" });
    await waitForAnswer(browser, elsewhere);
    await browser.submit("answer", { answer: "123456" });
    await waitForAnswer(browser, widgetUrl);
    expect(await server.demo.tools.call("svc-session-status", { session_id: id })).toMatchObject({
      status: "Finished:OK",
    });
  });

  it("[C-8.24] the doctor says of each server that its clock is off, how far and which way", async () => {
    for (const [url, way] of [
      [server.url, "behind"],
      [there, "ahead of"],
    ] as const) {
      const { body } = await post(`${url}/operator/v1/doctor/examine`, {}, { token: server.operator.token });
      const clock = body.items.find(({ check }: { check: string }) => check === "clock of the database");
      expect(clock).toMatchObject({
        state: "fail",
        message: expect.stringContaining(`the server's machine is 5 min ${way} the database`),
      });
    }
  });

  it("both tell how far their clocks are off", async () => {
    for (const [url, seconds] of [
      [server.url, -OFF_MS / 1000],
      [there, OFF_MS / 1000],
    ] as const) {
      const { text } = await send(`${url}/metrics`, {});
      const offset = Number(/^wealth_connect_clock_offset_seconds (\S+)$/m.exec(text)?.[1]);
      expect(Math.abs(offset - seconds)).toBeLessThan(60);
    }
    const told = (log: string) => log.includes("this machine's clock differs from the database's");
    await eventually(() => told(server.output()) && told(replica.output()), "both have said so in their logs");
  });
});
