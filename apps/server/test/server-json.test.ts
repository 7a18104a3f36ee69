import { readFileSync } from "node:fs";
import { readConfig } from "@org/installation";
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
const input = { format: variable.shape.format, default: z.string().optional() };
const npmPackage = z.strictObject({
  registryType: z.literal("npm"),
  identifier: z.string(),
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  runtimeHint: z.literal("npx"),
  packageArguments: z.array(z.strictObject({ type: z.literal("positional"), value: z.string() })),
  environmentVariables: z.array(z.strictObject({ name: z.string(), description: z.string(), ...input })),
  transport: z.strictObject({ type: z.literal("streamable-http"), url: z.string() }),
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
  packages: z.array(npmPackage).min(1),
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

  it("[C-4.187] names the package that npm has, as that names it, and the address at which it then listens", () => {
    const [{ identifier, version, environmentVariables, transport }] = rules.parse(serverJson).packages as [
      z.output<typeof npmPackage>,
    ];
    const manifest = read("../../wealth-connect/package.json");
    expect([identifier, version, serverJson.name]).toEqual([manifest.name, manifest.version, manifest.mcpName]);
    const defaults = new Map(environmentVariables.map((one) => [one.name, one.default ?? ""]));
    const { publicUrl, dataDir } = readConfig({});
    expect(transport.url.replace(/\{(\w+)\}/g, (_, name) => defaults.get(name) ?? "")).toBe(`${publicUrl}/mcp`);
    expect(defaults.get("DATA_DIR")).toBe(dataDir);
    const dockerfile = readFileSync(new URL("../../../deploy/containers/Dockerfile", import.meta.url), "utf8");
    expect(dockerfile).toContain(`LABEL io.modelcontextprotocol.server.name="${serverJson.name}"`);
  });

  it("[S1-9.2] names the endpoint, and the version that the server says it is", () => {
    const [remote] = serverJson.remotes;
    expect(remote.url).toMatch(/\/mcp$/);
    expect(serverJson.version).toBe(read("../package.json").version);
    expect(serverJson.title).toBe("Wealth Connect");
  });
});
