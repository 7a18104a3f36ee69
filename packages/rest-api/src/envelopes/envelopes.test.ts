import { readFileSync } from "node:fs";
import { invalidValue } from "@org/core";
import { describe, expect, it } from "vitest";
import type { FailureCode } from "../failure.js";
import { connectEnvelope } from "./connect-envelope.js";
import type { Envelope } from "./envelope.js";
import { lettersEnvelope } from "./letters-envelope.js";

const traceId = "0123456789abcdef0123456789abcdef";
const codes = Object.keys(lettersEnvelope.rows) as FailureCode[];
const details = [{ ...invalidValue("page", "must be 1 or more"), message: "kept inside" }];

function answerOf(envelope: Envelope, code: FailureCode, faults: typeof details | undefined): [number, unknown] {
  return [
    envelope.rows[code].status,
    envelope.bodyOf({ code, message: "in words", details: faults, headers: {} }, traceId),
  ];
}

describe("letters", () => {
  it.each<[FailureCode, number, string]>([
    ["UNAUTHENTICATED", 401, "UNAUTHENTICATED"],
    ["UNAUTHORIZED", 403, "UNAUTHORIZED"],
    ["VALIDATION_ERROR", 400, "VALIDATION_ERROR"],
    ["NOT_FOUND", 404, "NOT_FOUND"],
    ["CONFLICT", 409, "CONFLICT"],
    ["CONFIRMATION_REQUIRED", 400, "CONFIRMATION_REQUIRED"],
    ["TOO_LARGE", 413, "VALIDATION_ERROR"],
    ["IDEMPOTENCY_MISMATCH", 422, "VALIDATION_ERROR"],
    ["RATE_LIMITED", 429, "RATE_LIMITED"],
    ["UNKNOWN_PATH", 404, "NOT_FOUND"],
    ["METHOD_NOT_ALLOWED", 405, "METHOD_NOT_ALLOWED"],
    ["UNSUPPORTED_MEDIA_TYPE", 415, "UNSUPPORTED_MEDIA_TYPE"],
    ["TOO_SLOW", 408, "REQUEST_TIMEOUT"],
    ["INTERNAL_ERROR", 500, "INTERNAL_ERROR"],
  ])("[S2-7.1] %s is %i %s", (failure, status, code) => {
    expect(answerOf(lettersEnvelope, failure, undefined)).toEqual([
      status,
      { success: false, error: { code, message: "in words" }, trace_id: traceId },
    ]);
  });

  it("[S2-7.4] faults are listed with field, error_type and the rule that failed, nothing else", () => {
    const listed = [{ field: "page", error_type: "InvalidValue", rule: "must be 1 or more" }];
    expect(answerOf(lettersEnvelope, "VALIDATION_ERROR", details)[1]).toEqual({
      success: false,
      error: { code: "VALIDATION_ERROR", details: listed },
      trace_id: traceId,
    });
  });
});

describe("connect", () => {
  it.each<[FailureCode, number, string]>([
    ["UNAUTHORIZED", 403, "Unauthorized"],
    ["NOT_FOUND", 404, "NotFound"],
    ["CONFLICT", 409, "Conflict"],
    ["CONFIRMATION_REQUIRED", 409, "ConfirmationRequired"],
    ["TOO_LARGE", 413, "TooLarge"],
    ["IDEMPOTENCY_MISMATCH", 422, "ValidationError"],
    ["RATE_LIMITED", 429, "RateLimited"],
    ["UNKNOWN_PATH", 404, "NotFound"],
    ["METHOD_NOT_ALLOWED", 405, "MethodNotAllowed"],
    ["UNSUPPORTED_MEDIA_TYPE", 415, "UnsupportedMediaType"],
  ])("[C-7.21] %s is %i %s, without trace id in the body", (failure, status, code) => {
    expect(answerOf(connectEnvelope, failure, undefined)).toEqual([
      status,
      { success: false, error: { code, message: "in words" } },
    ]);
  });

  it("[S2-7.8][S2-7.9][S2-7.10] 400, 401 and 500 are those of S2 §7, and each detail has its rule", () => {
    expect(answerOf(connectEnvelope, "VALIDATION_ERROR", details)).toEqual([
      400,
      {
        success: false,
        error: {
          code: "ValidationError",
          details: [{ error_type: "InvalidValue", field: "page", rule: "must be 1 or more" }],
        },
        trace_id: traceId,
      },
    ]);
    expect(answerOf(connectEnvelope, "UNAUTHENTICATED", undefined)).toEqual([401, { error: "Invalid credentials" }]);
    expect(answerOf(connectEnvelope, "INTERNAL_ERROR", undefined)).toEqual([500, { error: "Internal Error" }]);
  });
});

it.each([
  { envelope: lettersEnvelope, code: "RATE_LIMITED", rest: { trace_id: traceId } },
  { envelope: connectEnvelope, code: "RateLimited", rest: {} },
])("a refusal by a limit says which, its value and when it ends: $code", ({ envelope, code, rest }) => {
  const limit = { limit: "open_sessions", value: 3, ends_at: "2026-01-01T00:00:00.000Z" };
  const failure = { code: "RATE_LIMITED", message: "in words", details: undefined, limit, headers: {} } as const;
  const body = envelope.bodyOf(failure, traceId);
  expect(body).toEqual({ success: false, error: { code, message: "in words", details: [limit] }, ...rest });
  expect(envelope.schemaOf("RATE_LIMITED").safeParse(body).error).toBeUndefined();
});

it.each([lettersEnvelope, connectEnvelope])(
  "every body of $name matches the schema that the API document shows for it",
  (envelope) => {
    for (const code of codes)
      for (const faults of [undefined, details]) {
        const [, body] = answerOf(envelope, code, faults);
        expect(envelope.schemaOf(code).safeParse(body).error, code).toBeUndefined();
      }
  },
);

it("docs/reference/rest-api.md has a row for each failure", () => {
  const page = readFileSync(new URL("../../../../docs/reference/rest-api.md", import.meta.url), "utf8");
  for (const code of codes) {
    const [letters, connect] = [lettersEnvelope.rows[code], connectEnvelope.rows[code]];
    const name = connect.code === null ? "–" : `\`${connect.code}\``;
    const status = connect.status === letters.status ? "" : ` (${connect.status})`;
    expect(page).toContain(`| ${letters.status} | \`${letters.code}\` | ${name}${status} |`);
  }
});
