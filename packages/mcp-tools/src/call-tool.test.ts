import { CoreError, type CoreErrorCode } from "@org/core";
import { describe, expect, it } from "vitest";
import { callTool } from "./call-tool.js";
import type { ToolServices } from "./tool.js";
import { svcConnectors } from "./tools/svc-connectors.js";

const clock = () => new Date(Date.UTC(2026, 0, 1));
const actor = { tenant_id: "t", application_id: "a", trace_id: null, address: null };

/** Calls svc-connectors with a catalogue that throws `error`. */
async function failWith(error: unknown) {
  const defects: unknown[] = [];
  const services = {
    connectors: {
      search: async () => {
        throw error;
      },
    },
  } as unknown as ToolServices;
  const answer = await callTool(
    svcConnectors,
    {},
    { services, actor, traceId: "trace", clock, onDefect: (defect) => defects.push(defect) },
  );
  return { ...answer, body: JSON.parse(answer.json), defects };
}

describe("[C-4.26] tool errors", () => {
  const codes: [CoreErrorCode, string][] = [
    ["VALIDATION_ERROR", "VALIDATION_ERROR"],
    ["NOT_FOUND", "NOT_FOUND"],
    ["CONFIRMATION_REQUIRED", "CONFIRMATION_REQUIRED"],
    ["CONFLICT", "CONFLICT"],
    ["RATE_LIMITED", "RATE_LIMITED"],
    ["TOO_LARGE", "VALIDATION_ERROR"],
    ["IDEMPOTENCY_MISMATCH", "VALIDATION_ERROR"],
  ];
  for (const [code, expected] of codes)
    it(`[C-4.149] ${code} of a service is ${expected}; details have field and type, and what is wrong is said once`, async () => {
      const named = { field: "name", error_type: "InvalidValue" } as const;
      const details = [{ ...named, message: "no", rule: "no" }];
      const { error, body, defects } = await failWith(new CoreError(code, "why", { details }));
      expect(error).toBe(expected);
      expect(body).toEqual({ error: { code: expected, message: "why", details: [named] } });
      expect(defects).toEqual([]);
    });

  it("has no details where the service gives none", async () => {
    expect((await failWith(new CoreError("NOT_FOUND", "why"))).body).toEqual({
      error: { code: "NOT_FOUND", message: "why" },
    });
  });

  it("a refusal by a limit says which, its value and when it ends", async () => {
    const limit = { name: "open_sessions", value: 3 };
    const ends = await failWith(new CoreError("RATE_LIMITED", "why", { limit, retryAfterSeconds: 90 }));
    expect(ends).toMatchObject({ error: "RATE_LIMITED", limit: "open_sessions" });
    expect(ends.body.error).toEqual({
      code: "RATE_LIMITED",
      message: "why",
      details: [{ limit: "open_sessions", value: 3, ends_at: "2026-01-01T00:01:30.000Z" }],
    });
    const lasts = await failWith(new CoreError("RATE_LIMITED", "why", { limit }));
    expect(lasts.body.error.details).toEqual([{ limit: "open_sessions", value: 3, ends_at: null }]);
  });

  it("anything else is INTERNAL_ERROR without a word of it, and is reported as it is", async () => {
    for (const thrown of [new Error("secret"), new TypeError("secret"), "secret", undefined]) {
      const { body, json, defects } = await failWith(thrown);
      expect(body).toEqual({ error: { code: "INTERNAL_ERROR", message: expect.any(String), trace_id: "trace" } });
      expect(json).not.toContain("secret");
      expect(defects).toEqual([thrown]);
    }
  });
});

it("[C-9.481] the arguments of a batch's call are checked when its turn has come, as all of its work", async () => {
  let turns = 0;
  let ended = 0;
  const begin = async () => {
    turns += 1;
    return () => {
      ended += 1;
    };
  };
  const { error } = await callTool(
    svcConnectors,
    { page: "none" },
    { services: {} as ToolServices, actor, traceId: "trace", clock, begin, onDefect: () => {} },
  );
  expect([error, turns, ended]).toEqual(["VALIDATION_ERROR", 1, 1]);
});
