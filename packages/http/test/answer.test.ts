import { createByteBudget } from "@org/admission";
import { expect, it } from "vitest";
import { answerEmpty, answerJson, answerText, createEdge, retryAfter } from "../src/index.js";
import { type Handle, serve } from "./server.js";

async function ask(handle: Handle): Promise<Response> {
  const port = await serve((request, response) => void handle(request, response));
  return fetch(`http://127.0.0.1:${port}`);
}

it("[security.md] an answer says its length and type, and that nobody may keep it or guess at it", async () => {
  const answer = await ask((_, response) => answerJson(response, 201, { name: "Zoë" }));
  expect(answer.status).toBe(201);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-type": "application/json; charset=utf-8",
    "content-length": "15",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  expect(await answer.json()).toEqual({ name: "Zoë" });
});

it("a header of the caller's counts", async () => {
  const headers = { "Cache-Control": "max-age=60", "X-Other": "1" };
  const answer = await ask((_, response) => answerText(response, 200, "text/plain", "a", headers));
  expect(answer.headers.get("cache-control")).toBe("max-age=60");
  expect(answer.headers.get("x-other")).toBe("1");
});

it.each([
  [204, null],
  [202, "0"],
])("a %i without a body has the length %s", async (status, length) => {
  const answer = await ask((_, response) => answerEmpty(response, status));
  expect(answer.headers.get("content-length")).toBe(length);
});

it("a second answer changes nothing", async () => {
  const answer = await ask((_, response) => {
    answerText(response, 200, "text/plain", "first");
    answerJson(response, 500, {});
    answerEmpty(response, 204);
  });
  expect([answer.status, await answer.text()]).toEqual([200, "first"]);
});

it.each([
  [0, "1"],
  [0.2, "1"],
  [61, "61"],
])("[RFC 9110 §10.2.3] waiting %s seconds is Retry-After: %s", (seconds, value) => {
  expect(retryAfter(seconds)["Retry-After"]).toBe(value);
});

it("[C-9.80] a large answer is counted until it has been read, and one that there is no room for is refused instead", async () => {
  const budget = createByteBudget({ maxBytes: 200_000, name: "answer_bytes" });
  const records: unknown[] = [];
  const edge = createEdge({
    answers: { budget, wordsOf: (_, { name, value }) => `{"limit":"${name}","value":${value}}` },
    log: { info: ({ status, limit }) => records.push([status, limit]) },
  });
  const port = await serve((request, response) => {
    edge.begin(request, response);
    answerText(response, 200, "text/plain", "a".repeat(request.url === "/small" ? 16_000 : 60_000));
  });
  const unread = { network: "127.0.0.0/24", tenant: null };
  budget.take(unread, 50_000);
  const ask = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`);
    return [answer.status, answer.headers.get("retry-after"), (await answer.text()).slice(0, 60)];
  };
  expect(await ask("/large")).toEqual([429, "5", '{"limit":"answer_bytes_of_network","value":100000}']);
  expect((await ask("/small"))[0]).toBe(200);
  budget.release(unread, 50_000);
  expect((await ask("/large"))[0]).toBe(200);
  await expect.poll(() => budget.held).toBe(0);
  expect(records).toEqual([
    [429, "answer_bytes_of_network"],
    [200, undefined],
    [200, undefined],
  ]);
});
