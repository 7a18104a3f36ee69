import { setTimeout as delay } from "node:timers/promises";
import { createMemoryKeyedRequests, createTestRuntime } from "@org/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { JsonText } from "../src/endpoint.js";
import { createAnswerOnce } from "../src/keyed-requests.js";
import { type Fixture, startFixture } from "./fixture.js";
import { tokenOf, validBodies } from "./valid-bodies.js";

let api: Fixture;
beforeAll(async () => {
  api = await startFixture();
});
afterAll(() => api.close());

const CREATE = "/operator/v1/tenants/create";
const asOperator = (path: string, body: object, key?: string) =>
  api.post(path, body, {
    token: api.tokens.operator,
    ...(key !== undefined && { headers: { "idempotency-key": key } }),
  });
const tenants = async (name: string) =>
  (await asOperator("/operator/v1/tenants/list", {})).body.items.filter(
    (tenant: { name: string }) => tenant.name === name,
  );

/** What reads, by the last part of its path. */
const READS =
  /\/((list|show|search|preview)(-[a-z-]+)?|counts|status|head|chain|figures|examine|document|reconcile|draft|accounts|limits|test|holdings-at|summary|performance|income|gains|why)$/;

describe("[C-7.7] an Idempotency-Key", () => {
  it("is taken by every endpoint that changes something, and by no other", () => {
    const taken = Object.entries(api.document.paths).map(([path, { post }]) => {
      const { parameters } = post as { parameters: { name?: string }[] };
      return [path, parameters.some(({ name }) => name === "Idempotency-Key")] as const;
    });
    expect(taken.filter(([path, isTaken]) => isTaken === READS.test(path))).toEqual([]);
  });

  it("makes each of them answer a retry as the first time", { timeout: 60_000 }, async () => {
    const bodies = Object.entries(await validBodies(api)).filter(([path]) => !READS.test(path));
    expect(bodies.length).toBeGreaterThan(60);
    for (const [index, [path, body]] of bodies.entries()) {
      const send = () =>
        api.post(path, body, { token: tokenOf(path), headers: { "idempotency-key": `every-${index}` } });
      const first = await send();
      expect([path, first.status]).toEqual([path, 200]);
      const again = await send();
      expect([path, again.status, again.body]).toEqual([path, 200, first.body]);
    }
  });

  it("makes a change once, however often and however many at once", async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => asOperator(CREATE, { name: "Once" }, "once")));
    answers.push(await asOperator(CREATE, { name: "Once" }, "once"));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.tenant.tenant_id}`)).size).toBe(1);
    expect(await tenants("Once")).toHaveLength(1);
  });

  it("is refused with another body or at another endpoint, and is another application's own", async () => {
    await asOperator(CREATE, { name: "Mine" }, "mine");
    for (const [path, body] of [
      [CREATE, { name: "Other" }],
      ["/operator/v1/people/invite", { name: "Other" }],
    ] as const) {
      const { status, body: refused } = await asOperator(path, body, "mine");
      if (path === CREATE) expect(status).toBe(422);
      expect(refused.error.code).toBe("VALIDATION_ERROR");
    }
    const session = { configuration: { connector_id: "esp:bank-000" } };
    const created = await api.post("/connect/v2/sessions/create-session", session, {
      headers: { "idempotency-key": "mine" },
    });
    expect(created.status).toBe(200);
  });

  it("is given back by a refusal, and refused when it is none", async () => {
    const update = (name: string) => asOperator("/operator/v1/letters/advance", { letter_id: name }, "given-back");
    const unknown = "019b0000-0000-7000-8000-0000000000aa";
    expect([(await update(unknown)).status, (await update(unknown)).status]).toEqual([404, 404]);
    expect((await asOperator(CREATE, { name: "After" }, "given-back")).status).toBe(200);
    const { status, body } = await asOperator(CREATE, { name: "None" }, "with space");
    expect([status, body.error.details]).toMatchObject([400, [{ field: "Idempotency-Key" }]]);
  });
});

describe("[C-9.540] retries while the first request is at work", () => {
  const asked = { owner: "application", key: "key", request_hash: "a body" };
  /** Two servers over one store, which counts how often it is asked. */
  function twoServers() {
    const store = createMemoryKeyedRequests();
    const counts = { claims: 0, works: 0 };
    const counting: typeof store = {
      ...store,
      claim: (...args) => {
        counts.claims += 1;
        return store.claim(...args);
      },
    };
    const idempotency = { store: counting, runtime: createTestRuntime() };
    const work = async () => {
      counts.works += 1;
      await delay(800);
      return { made: counts.works };
    };
    return { counts, work, here: createAnswerOnce(idempotency), there: createAnswerOnce(idempotency) };
  }

  it("ask the store once for all of a server, and another server ever more rarely", async () => {
    const { counts, work, here, there } = twoServers();
    const first = here(asked, work);
    const retries = [here, there].flatMap((server) => Array.from({ length: 50 }, () => server(asked, work)));
    expect(new Set((await Promise.all([first, ...retries])).map(textOf))).toEqual(new Set(['{"made":1}']));
    expect(counts.works).toBe(1);
    // Here one; there at the start, and after 100, 300, 700 and 1,500 ms.
    expect(counts.claims).toBeLessThanOrEqual(6);
  });

  it("are carried out one after the other when each is refused, with one look each", async () => {
    const { counts, here } = twoServers();
    const refusal = () => delay(5).then(() => Promise.reject(new Error("refused")));
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => here(asked, refusal)));
    expect(outcomes.every(({ status }) => status === "rejected")).toBe(true);
    expect(counts.claims).toBe(20);
  });

  it("with another body are refused at once", async () => {
    const { counts, work, here } = twoServers();
    const first = here(asked, work);
    await expect(here({ ...asked, request_hash: "another" }, work)).rejects.toMatchObject({
      code: "IDEMPOTENCY_MISMATCH",
    });
    await first;
    expect(counts).toEqual({ claims: 2, works: 1 });
  });

  const textOf = (outcome: unknown) => (outcome instanceof JsonText ? String(outcome.text) : JSON.stringify(outcome));
});
