import { pathToFileURL } from "node:url";
import { createBrowser } from "@org/pages/testing";
import * as ours from "@org/provider-kit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startLighthouse } from "../../../examples/bank-provider/test/lighthouse-stand-in.js";
import { waitForAnswer } from "./connect-bank.js";
import { START_TIMEOUT, startTestServer, type TestServer } from "./harness.js";
import { oneBackend } from "./installation.js";
import { installPackedExample } from "./packed-provider.js";

const LONG = 120_000;

describe("a provider that was packed and installed with copies of the kit and of zod", () => {
  let packed: Awaited<ReturnType<typeof installPackedExample>>;
  beforeAll(async () => {
    packed = await installPackedExample();
  }, LONG);
  afterAll(() => packed?.remove());

  const importFrom = async (folder: string) => import(/* @vite-ignore */ pathToFileURL(`${folder}/dist/index.js`).href);

  it("[C-5.137] errors of one copy of the kit are recognised by the other, and subclasses are told apart", async () => {
    const theirs: typeof ours = await importFrom(packed.kit);
    expect(theirs.HttpFailure).not.toBe(ours.HttpFailure);
    const facts = { method: "GET", host: "bank.example", status: 503 };
    for (const [from, by] of [
      [ours, theirs],
      [theirs, ours],
    ] as const) {
      const failure = new from.HttpFailure("status", "GET bank.example: answered 503", facts);
      expect(failure).toBeInstanceOf(by.HttpFailure);
      expect(failure).not.toBeInstanceOf(by.AnswerFailure);
      expect(by.isOutage(failure)).toBe(true);
      class OwnFailure extends from.AnswerFailure {}
      class OtherFailure extends by.AnswerFailure {}
      expect(new OwnFailure("odd")).toBeInstanceOf(by.AnswerFailure);
      expect(new OwnFailure("odd")).not.toBeInstanceOf(OtherFailure);
      expect(new from.AnswerFailure("odd")).not.toBeInstanceOf(OwnFailure);
      expect(by.isOutage(new OwnFailure("a web page", { status: 502 }))).toBe(true);
      expect(by.isOutage(new OwnFailure("half of it", { cause: failure }))).toBe(true);
      expect(by.isOutage(new OwnFailure("odd"))).toBe(false);
      expect(new from.FeedRefusal("line 1", "is odd")).toBeInstanceOf(by.FeedRefusal);
    }
    for (const other of [null, undefined, "text", new Error("another"), {}])
      expect(other).not.toBeInstanceOf(ours.HttpFailure);
  });

  describe.each([oneBackend("whose failure an error is, is decided before anything is stored")])("on %s", (backend) => {
    let server: TestServer;
    let bank: Awaited<ReturnType<typeof startLighthouse>>;
    beforeAll(async () => {
      bank = await startLighthouse();
      server = await startTestServer({ backend, environment: { PROVIDERS: packed.example, METRICS: "true" } });
      const settings = { base_url: bank.url, api_key: "the key of the installation" };
      await server.operate("/operator/v1/providers/set", { name: "lighthouse", settings });
      await server.operate("/operator/v1/providers/sync", { name: "lighthouse" });
    }, START_TIMEOUT);
    afterAll(async () => {
      await server?.remove();
      await bank?.stop();
    });

    const logIn = async (customer_number: string, pin: string) => {
      const { id, widgetUrl } = await server.demo.openSession({ connector_id: "deu:lighthouse" });
      const browser = createBrowser();
      await browser.open(widgetUrl);
      await browser.submit("continue");
      await browser.submit("credentials", { customer_number, pin });
      await waitForAnswer(browser, widgetUrl);
      return (await server.demo.tools.call("svc-session-status", { session_id: id })).status as string;
    };
    const openBreakers = async () => {
      const metrics = await (await fetch(`${server.url}/metrics`)).text();
      return /wealth_connect_provider_breakers\{state="open"\} (\d+)/.exec(metrics)?.[1];
    };

    it("[C-5.137] its secrets are secrets", async () => {
      const { provider } = await server.operate("/operator/v1/providers/show", { name: "lighthouse" });
      expect(provider).toMatchObject({
        state: "available",
        settings: { api_key: "set" },
        settings_schema: { properties: { api_key: { secret: true } } },
      });
    });

    it("[C-5.138] odd answers to one customer are that customer's failure, and others are let in", {
      timeout: LONG,
    }, async () => {
      for (let time = 0; time < 6; time += 1) expect(await logIn("11111111", "odd-pin")).toBe("Finished:Error");
      expect(await openBreakers()).toBe("0");
      expect(await logIn("22222222", "any-pin")).toBe("Finished:OK");
    });

    it("[C-5.138] an institution that is down is left alone, and the log says what it answered", {
      timeout: LONG,
    }, async () => {
      bank.set("down");
      for (let time = 0; time < 5; time += 1) expect(await logIn("33333333", "any-pin")).toBe("Finished:Error");
      expect(await openBreakers()).toBe("1");
      await expect.poll(() => server.output()).toContain(`POST ${new URL(bank.url).host}: answered 503`);
      const asked = bank.asked();
      expect(await logIn("33333333", "any-pin")).toBe("Finished:Error");
      expect(bank.asked()).toBe(asked);
    });
  });
});
