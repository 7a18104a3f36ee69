import { describe, expect, it } from "vitest";
import { z } from "zod";
import { operatorEndpoint } from "./endpoints/operator-endpoint.js";

describe("an endpoint's handler", () => {
  const facts = { path: "/operator/v1/example", operation: "example", summary: "Example", body: z.strictObject({}) };
  const day = z.object({
    date: z.string(),
    sources: z.array(z.object({ source: z.string() })),
    note: z.string().optional(),
  });
  const output = z.object({ items: z.array(day) });

  it("does not compile without a field of its answer, however deep", () => {
    const sources = [{ source: "a.csv" }] as const;
    const complete = operatorEndpoint({
      ...facts,
      output,
      handle: async () => ({ items: [{ date: "2026-01-01", sources, note: undefined }] as const }),
    });
    // @ts-expect-error no source
    operatorEndpoint({ ...facts, output, handle: async () => ({ items: [{ date: "2026-01-01", sources: [{}] }] }) });
    // @ts-expect-error no items
    operatorEndpoint({ ...facts, output, handle: async () => ({}) });
    expect(complete.path).toBe("/operator/v1/example");
  });
});
