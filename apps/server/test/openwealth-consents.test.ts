import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createBrowser } from "@org/pages/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { waitForAnswer } from "./connect-bank.js";
import { START_TIMEOUT, startTestServer, type TestServer } from "./harness.js";
import { oneBackend } from "./installation.js";
import { operatorCommands } from "./operator-commands.js";

const FIRST = "5b1f7a52-3c1d-4e8e-9f0b-2f6f0a7f1c11";
const SECOND = "9a3c5d10-7e42-4b7f-8d21-6c0e4b9d2f58";

/** What the bank makes of the id of a consent; any other is not known. */
const consents = new Map<string, "given" | "expired">();
const bank = createServer(answer);
const operator = operatorCommands(() => server);
let server: TestServer;

beforeAll(async () => {
  bank.listen(0, "127.0.0.1");
  await once(bank, "listening");
  server = await startTestServer({
    backend: oneBackend(
      "it is about a bank; how connections and settings are stored is in the stores' conformance suites",
    ),
    environment: { PROVIDERS: "openwealth" },
  });
}, START_TIMEOUT);
afterAll(async () => {
  await server?.remove();
  operator.remove();
  bank.closeAllConnections();
  bank.close();
});

/** Custody Services 1.2 of a customer with one account, as at bLink. */
function answer({ url = "", headers }: IncomingMessage, response: ServerResponse) {
  const consent = consents.get(String(headers["permission-id"]));
  const say = (status: number, body: unknown) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  };
  if (consent !== "given")
    return say(401, { type: consent === "expired" ? "/problems/EXPIRED_TOKEN" : "/problems/INVALID_TOKEN" });
  const accountInformation = {
    accountIdentification: "876543219",
    accountIdentificationType: "other",
    accountType: "cashAccount",
    accountReferenceCurrency: "CHF",
    accountName: "Household account",
  };
  const customer = { customerIdentification: "123123456" };
  if (url.startsWith("/customerAccounts")) return say(200, [{ ...customer, accountOverview: [accountInformation] }]);
  const date = new URL(url, "http://bank").searchParams.get("date");
  const statement = {
    statementDateTime: `${date}T04:00:00Z`,
    date: { date, dateType: "transactionDate" },
    endOfDayIndicator: true,
  };
  if (url.includes("/transactions")) return say(200, { statement, transactions: [] });
  const amountOrUnits = { amount: "12000.123456789", type: "nominal", creditDebitIndicator: "credit" };
  const positionList = [{ identification: "p-1", currency: "CHF", amountOrUnits }];
  return say(200, { statement, customer: { ...customer, accountList: [{ accountInformation, positionList }] } });
}

it("[C-5.267] a customer connects by the id of a consent, reads when it has expired that a new one is due, and keeps the connection with it", async () => {
  const { demo } = server;
  const settings = {
    banks: [
      {
        id: "alpenrose",
        name: "Alpenrose",
        country: "che",
        version: "1.2",
        base_url: `http://127.0.0.1:${(bank.address() as AddressInfo).port}`,
        auth: { type: "certificate" },
        consent_header: "Permission-ID",
      },
    ],
  };
  const set = ["providers", "set", "openwealth", "--file", "-"];
  await expect(operator.run(set, JSON.stringify(settings))).rejects.toThrow();
  const ofTenant = ["--tenant", demo.tenantId];
  await operator.run([...set, ...ofTenant], JSON.stringify(settings));
  expect(await operator.run(["providers", "test", "openwealth", ...ofTenant])).toMatchObject({ ok: true });
  await operator.run(["providers", "sync", "openwealth", ...ofTenant]);

  const enter = async (target: { connector_id: string } | { connection_id: string }, ...ids: readonly string[]) => {
    const { id, widgetUrl } = await demo.openSession(target);
    const browser = createBrowser();
    await browser.open(widgetUrl);
    await browser.submit("continue");
    for (const consent_id of ids) {
      await browser.submit("credentials", { consent_id });
      await waitForAnswer(browser, widgetUrl);
    }
    return demo.tools.call("svc-session-status", { session_id: id });
  };
  consents.set(FIRST, "given");
  const session = await enter({ connector_id: "che:alpenrose" }, "not-given-yet", ` ${FIRST} `);
  expect(session).toMatchObject({ status: "Finished:OK" });
  const { connection_id } = session;
  const of = { credentials_token: connection_id };
  const figures = async () => {
    const { items } = await demo.tools.call("svc-investments", of);
    return items.map(({ id, balance, currency }: Record<string, string>) => [id, balance, currency]);
  };
  const first = await figures();
  expect(first).toMatchObject([[expect.any(String), "12000.123456789", "CHF"]]);

  consents.set(FIRST, "expired");
  const { body } = await demo.post("/connect/v2/connections/refresh", { connection_id });
  expect(body).toMatchObject({ outcome: "relogin_needed" });
  expect(await demo.tools.call("svc-needs-relogin", of)).toMatchObject({
    needs_relogin: true,
    reasons: expect.arrayContaining([expect.objectContaining({ code: "sca_required" })]),
  });
  consents.set(SECOND, "given");
  expect(await enter({ connection_id }, SECOND)).toMatchObject({ status: "Finished:OK", connection_id });
  expect((await demo.tools.call("svc-needs-relogin", of)).needs_relogin).toBe(false);
  expect(await figures()).toEqual(first);
  expect(server.faults()).toEqual([]);
  for (const id of [FIRST, SECOND]) expect(server.output()).not.toContain(id);
});
