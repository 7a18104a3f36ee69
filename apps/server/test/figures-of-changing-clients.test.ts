import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { START_TIMEOUT, startTestServer, type TestServer, type TestTenant } from "./harness.js";
import type { Answer } from "./http-client.js";
import { backends } from "./installation.js";
import { deliver } from "./wealth-files.js";

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Body = any;

/** What each client has, so that every sum tells whose it is. */
const worth = { A: "1.00", B: "20.00", C: "300.00", D: "4000.00" };
const ROUNDS = 3;
const filesOf = (amount: string) => [2, 4].map((at) => [`2026-03-0${at};cash;1;;${amount};EUR;;`]);
const period = { from: "2026-03-02", to: "2026-03-04" };
const questions = {
  "list-history": { ...period, interval: "month" },
  summary: { date: period.to, by: "client" },
  performance: { ...period, allow_gaps: true },
} as const;

describe.each(backends)("figures of clients that change while they are asked for, on %s", (backend) => {
  let server: TestServer;
  let tenant: TestTenant;
  let limited: TestTenant;
  beforeAll(async () => {
    server = await startTestServer({ backend });
    tenant = await server.createTenant("One");
    for (const [ref, amount] of Object.entries(worth)) await deliver(server, tenant, ref, filesOf(amount));
    const request = { tenant_id: tenant.tenantId, name: "Limited", client_refs: ["A", "B"] };
    const { application, client_secret } = await server.operate("/operator/v1/applications/create", request);
    limited = await server.loginAgain({ ...tenant, clientId: application.client_id, clientSecret: client_secret });
  }, START_TIMEOUT);
  afterAll(() => server?.remove());

  const change = async (verb: string, body: object) =>
    expect((await tenant.post(`/clients/v1/${verb}`, body)).status, verb).toBe(200);

  /** What each figure was while something was done. */
  async function meanwhile(work: () => Promise<unknown>, who: TestTenant, scope: object): Promise<readonly string[]> {
    const told = new Set<string>();
    let isDone = false;
    const asking = Object.entries(questions).map(async ([name, question]) => {
      do told.add(whatIsTold(await who.post(`/data/v1/${name}`, { ...question, ...scope })));
      while (!isDone);
    });
    await work().finally(() => {
      isDone = true;
    });
    await Promise.all(asking);
    return [...told];
  }

  it("[C-8.198] a client that gets another reference has its own figures by the one it has, and by no other", async () => {
    const rename = async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        await change("update", { client_ref: "A", new_client_ref: "A'" });
        await change("update", { client_ref: "A'", new_client_ref: "A" });
      }
    };
    const refusals = ["NOT_FOUND", "UNAVAILABLE"];
    expect(await others(meanwhile(rename, tenant, { client_ref: "A" }), ["1.00", "A 1.00", ...refusals])).toEqual([]);
    expect(
      await others(meanwhile(rename, limited, {}), ["21.00", "A 1.00, B 20.00", "A' 1.00, B 20.00", ...refusals]),
    ).toEqual([]);
  });

  it("[C-8.198] a connection that becomes another client's is the one's or the other's, and of both never", async () => {
    const { body } = await tenant.post("/data/v1/list-connections", { client_ref: "B" });
    const connection_id = body.items.map(({ credentials_token }: Body) => credentials_token);
    const assign = async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        await change("assign", { client_ref: "C", connection_id });
        await change("assign", { client_ref: "B", connection_id });
      }
    };
    expect(
      await others(meanwhile(assign, tenant, { client_ref: "B" }), [
        "20.00",
        "B 20.00",
        "",
        "INSUFFICIENT_DATA",
        "UNAVAILABLE",
      ]),
    ).toEqual([]);
    expect(
      await others(meanwhile(assign, limited, {}), ["1.00", "21.00", "A 1.00", "A 1.00, B 20.00", "UNAVAILABLE"]),
    ).toEqual([]);
  });

  it("[C-8.198] a client that is deleted meanwhile is in a tenant's figures or is not, and nothing fails", async () => {
    // An answer that the tests before expect, `UNAVAILABLE`, is logged as one.
    const before = server.faults();
    const remove = () => change("delete", { client_ref: "D", confirm: true });
    expect(
      await others(meanwhile(remove, tenant, {}), [
        "321.00",
        "4321.00",
        "A 1.00, B 20.00, C 300.00",
        "A 1.00, B 20.00, C 300.00, D 4000.00",
      ]),
    ).toEqual([]);
    expect(server.faults()).toEqual(before);
  });
});

/** What was told besides what may be. */
async function others(told: Promise<readonly string[]>, expected: readonly string[]): Promise<readonly string[]> {
  return (await told).filter((one) => !expected.includes(one));
}

/** Sums with their clients, or why there is none. */
function whatIsTold({ status, body }: Answer): string {
  if (status !== 200) return body.error.code;
  const items = body.items ?? [{ totals: [body.closing] }];
  return items
    .map((one: Body) => [one.key, ...one.totals.map(({ balance }: Body) => balance)].join(" ").trim())
    .join(", ");
}
