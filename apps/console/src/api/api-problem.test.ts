import { expect, it } from "vitest";
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
