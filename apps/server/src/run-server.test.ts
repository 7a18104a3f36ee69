import { expect, it, vi } from "vitest";
import type * as Zod from "zod";

const toJSONSchema = vi.hoisted(() => vi.fn());
vi.mock("zod", async (original) => {
  const zod = await original<typeof Zod>();
  return { ...zod, z: { ...zod.z, toJSONSchema: toJSONSchema.mockImplementation(zod.z.toJSONSchema) } };
});

it("[C-9.561] a server that starts makes no JSON Schema: whoever first asks for one waits for it", async () => {
  await import("./run-server.js");
  expect(toJSONSchema).not.toHaveBeenCalled();
});
