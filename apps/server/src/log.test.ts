import { describe, expect, it } from "vitest";
import { redactRecord } from "./log.js";

describe("withoutSecrets", () => {
  it("hides secrets one level down, and leaves everything else as it is", () => {
    const request = { method: "POST", authorization: "Bearer abc", client_secret: "s", refresh_token: null };
    const record = { request, status: 200, tools: [{ tool: "svc-connectors" }], none: null };
    expect(redactRecord(record)).toEqual({
      ...record,
      request: { method: "POST", authorization: "[hidden]", client_secret: "[hidden]", refresh_token: "[hidden]" },
    });
    expect(request.authorization).toBe("Bearer abc");
  });

  it("returns a record without any as it came", () => {
    const record = { method: "GET", status: 200, ms: 1.5, inner: { a: 1 } };
    expect(redactRecord(record)).toBe(record);
  });

  it("keeps what an error says", () => {
    const err = Object.assign(new TypeError("no answer"), { access_token: "t", code: "E1" });
    const { err: safe } = redactRecord({ err }) as { err: typeof err };
    expect([safe.message, safe.stack, safe.code, safe.access_token]).toEqual([
      "no answer",
      err.stack,
      "E1",
      "[hidden]",
    ]);
    expect(safe).toBeInstanceOf(TypeError);
  });
});
