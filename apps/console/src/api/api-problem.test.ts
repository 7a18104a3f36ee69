import { expect, it } from "vitest";
import { answers, retryMsOf } from "./answers.js";
import { faultOf, isAtFields, readProblem } from "./api-problem.js";

it.each([
  [
    "faults of fields",
    { error: { code: "VALIDATION_ERROR", details: [{ field: "email", error_type: "InvalidValue", rule: "is none" }] } },
    { code: "VALIDATION_ERROR", details: [{ field: "email", message: "is none", kind: "InvalidValue" }] },
  ],
  ["words", { error: { code: "CONFLICT", message: "it has moved" } }, { code: "CONFLICT", message: "it has moved" }],
  ["what a proxy says", "<html>", { code: "HTTP_502", message: "", isUnavailable: true }],
  ["an error without a code", { error: "busy" }, { code: "HTTP_502", message: "busy" }],
])("a refusal is read: %s", (_, document, expected) => {
  expect(readProblem(502, document, "t")).toMatchObject({ ...expected, traceId: "t" });
});

it("a field's fault is its rule, or else its kind", () => {
  const details = [{ field: "name", error_type: "RequiredField" }];
  const problem = readProblem(400, { error: { code: "VALIDATION_ERROR", details } }, null);
  expect([faultOf(problem, "name"), faultOf(problem, "email")]).toEqual(["RequiredField", null]);
});

it("[C-14.871] a fault inside a field's value, or of a field inside others, is at that field", () => {
  const faults = (...fields: string[]) =>
    readProblem(400, { error: { details: fields.map((field) => ({ field, rule: "is none" })) } }, null);
  expect(faultOf(faults("labels.client"), "labels")).toBe("is none");
  expect(faultOf(faults("configuration.connector_id"), "connector_id")).toBe("is none");
  expect(faultOf(faults("username"), "name")).toBe(null);
  expect(isAtFields(faults("email", "labels.client"), ["email", "labels"])).toBe(true);
  expect(isAtFields(faults("email", "version"), ["email"])).toBe(false);
  expect(isAtFields(faults(), ["email"])).toBe(false);
});

it("[C-14.1046] a refusal says when to try again: in seconds or as a date, but not for a limit that does not end by itself", () => {
  const body = (ends_at: string | null) => ({
    error: { code: "RATE_LIMITED", details: [{ limit: "x", value: 3, ends_at }] },
  });
  const ends = "2026-11-29T15:00:00.000Z";
  const soon = new Date(Date.now() + 30_000).toUTCString();
  const secondsOf = (retryAfter: string | null, document: object = {}) =>
    readProblem(429, document, null, retryAfter).retryAfterSeconds;
  expect(secondsOf("20")).toBe(20);
  expect(secondsOf("0")).toBe(1);
  expect(secondsOf(soon)).toBeGreaterThan(20);
  expect([secondsOf(null), secondsOf("soon")]).toEqual([null, null]);
  expect([secondsOf("20", body(ends)), secondsOf("20", body(null))]).toEqual([20, null]);
});

it("[C-14.1047] reads that the server was too busy for are made again at the time it named, others not by themselves", () => {
  const busy = { error: { details: [{ limit: "statements_at_once", value: 8, ends_at: "2026-11-29T15:00:00.000Z" }] } };
  expect(retryMsOf(readProblem(429, {}, null, "20"))).toBe(20_000);
  expect(retryMsOf(readProblem(503, busy, null, "2"))).toBe(2_000);
  // The server is away: everything is read again once it is back.
  expect(retryMsOf(readProblem(503, {}, null, "2"))).toBe(false);
  expect(retryMsOf(readProblem(429, {}, null, "900"))).toBe(false);
  expect(retryMsOf(readProblem(500, {}, null))).toBe(false);
  expect(answers.getDefaultOptions().mutations).toMatchObject({ retry: false });
});
