import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const read = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));
const serverJson = read("../../../server.json");

/**
 * The MCP registry's rules for the parts of its format that our file uses (schema 2025-12-11 and the registry's own checks), written down
 * because the schema is only available online. Strict, so that any further field is looked up before it is added.
 */
const variable = z.strictObject({
  description: z.string().min(1),
  isRequired: z.boolean().optional(),
  isSecret: z.boolean().optional(),
  format: z.enum(["string", "number", "boolean", "filepath"]).optional(),
  default: z.string().optional(),
  placeholder: z.string().optional(),
  choices: z.array(z.string()).min(1).optional(),
});
const rules = z.strictObject({
  $schema: z.literal("https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/, "must be a reversed domain name, one slash and a name"),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: z
    .string()
    .max(255)
    .regex(/^\d+\.\d+\.\d+(-[\w.]+)?$/, "must be one version, not a range"),
  remotes: z
    .array(
      z.strictObject({
        type: z.enum(["streamable-http", "sse"]),
        url: z.string().regex(/^https?:\/\/\S+$/),
        variables: z.record(z.string(), variable).optional(),
      }),
    )
    .min(1),
});

describe("server.json", () => {
  it("keeps the registry's rules", () => {
    const parsed = rules.safeParse(serverJson);
    expect(parsed.success, JSON.stringify(parsed.error?.issues)).toBe(true);
  });

  it("has a value for every variable in an address, and no variable for nothing", () => {
    for (const { url, variables = {} } of rules.parse(serverJson).remotes)
      expect([...url.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name)).toEqual(Object.keys(variables));
  });

  it("[S1-9.2] names the endpoint, and the version that the server says it is", () => {
    const [remote] = serverJson.remotes;
    expect(remote.url).toMatch(/\/mcp$/);
    expect(serverJson.version).toBe(read("../package.json").version);
    expect(serverJson.title).toBe("Wealth Connect");
  });
});
