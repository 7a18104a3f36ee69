import { expect, it } from "vitest";
import { z } from "zod";
import * as mini from "zod/mini";
import { hostsIn } from "./hosts.js";
import { maskSettings, secret, secretsIn } from "./secret.js";

const schema: z.ZodType = z
  .strictObject({
    base_url: z.url(),
    client_secret: secret(),
    longer: secret().min(3).max(90).optional(),
    described: secret().nullish().describe("a key"),
    banks: z.array(
      z.object({
        id: z.string(),
        auth: z.discriminatedUnion("type", [
          z.object({ type: z.literal("plain"), key: z.string() }),
          z.object({ type: z.literal("signed"), key: secret() }),
        ]),
        headers: z.record(z.string(), secret()).default({}),
      }),
    ),
    pair: z.tuple([z.string(), secret()]),
    either: z.union([z.number(), secret()]),
    piped: secret().transform((text) => text.length),
    either_object: z.object({ a: secret() }).and(z.object({ b: z.string() })),
    get again(): z.ZodType {
      return schema.optional();
    },
  })
  .refine(() => true);

const settings = {
  base_url: "https://bank.example/v1",
  client_secret: "s1",
  longer: "s2-long",
  described: "s3",
  banks: [{ id: "a", auth: { type: "signed", key: "s4" }, headers: { "x-key": "s5" } }],
  pair: ["shown", "s6"],
  either: "s7",
  piped: "s8",
  either_object: { a: "s9", b: "shown" },
  again: { base_url: "https://x.example", client_secret: "s10" },
};

it("[C-10.21] every secret is shown as set, wherever the schema has it, and all else as it is", () => {
  const shown = maskSettings(schema, settings);
  expect(shown).toEqual({
    base_url: "https://bank.example/v1",
    client_secret: "set",
    longer: "set",
    described: "set",
    banks: [{ id: "a", auth: { type: "signed", key: "set" }, headers: { "x-key": "set" } }],
    pair: ["shown", "set"],
    either: "set",
    piped: "set",
    either_object: { a: "set", b: "shown" },
    again: { base_url: "https://x.example", client_secret: "set" },
  });
  expect(secretsIn(schema, settings)).toEqual(["s1", "s2-long", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10"]);
});

it("[C-10.21] a secret that is not set is not shown as one", () => {
  expect(maskSettings(schema, { described: null })).toEqual({ described: null });
});

it("hosts are those of all addresses in the settings", () => {
  const found = hostsIn({
    a: "https://One.example:443/x",
    b: ["http://localhost:81", "ftp://two.example", "three.example"],
  });
  expect(found).toEqual(["one.example", "localhost:81"]);
  expect(hostsIn({ a: "https://not a url", b: null, c: 4, d: { e: "HTTPS://one.example" } })).toEqual(["one.example"]);
});

it("[C-5.137] secrets of zod/mini and of a schema whose copy of zod keeps a registry of its own are secrets", () => {
  const registry = z.registry<{ secret: boolean }>();
  const foreign = Object.assign(z.string(), { meta: () => registry.get(foreign) });
  registry.add(foreign, { secret: true });
  const settings = { base_url: "https://bank.example", key: "s1", other: "s2", foreign: "s3" };
  const schemas = mini.object({
    base_url: mini.url(),
    key: mini.string().check(mini.meta({ secret: true })),
    other: secret(),
    foreign,
  });
  expect(secretsIn(schemas as never, settings)).toEqual(["s1", "s2", "s3"]);
});
