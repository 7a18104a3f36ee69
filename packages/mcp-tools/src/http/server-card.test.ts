import { describe, expect, it } from "vitest";
import { z } from "zod";
import { analyticsEndpoint, bankEndpoint } from "../endpoint.js";
import { serverCard } from "./server-card.js";

/** The parts of the schema (v1) that our cards use, written down because it is only available online. Strict, so that any further field is looked up. */
const schema = z.strictObject({
  $schema: z.literal("https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json"),
  name: z
    .string()
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  version: z.string().max(255),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  icons: z.array(z.strictObject({ src: z.url(), mimeType: z.string(), sizes: z.array(z.string()) })),
  remotes: z.array(
    z.strictObject({
      type: z.literal("streamable-http"),
      url: z.string().regex(/^https?:\/\/\S+$/),
      supportedProtocolVersions: z.array(z.iso.date()),
    }),
  ),
});

describe("[C-4.185] a server card", () => {
  it.each([
    ["https://wealth.example.com", "com.example.wealth/wealth-connect"],
    ["http://localhost:3000", "localhost/wealth-connect"],
    ["http://127.0.0.1:3000", "1.0.0.127/wealth-connect"],
    ["http://[::1]:3000", "-1-/wealth-connect"],
  ])("of %s keeps the schema, and is called %s", (publicUrl, name) => {
    for (const endpoint of [bankEndpoint, analyticsEndpoint]) {
      const card = schema.parse(serverCard(endpoint, { publicUrl, version: "1.2.3" }));
      expect([card.title, card.version]).toEqual([endpoint.title, "1.2.3"]);
      expect(card.remotes.map(({ url }) => url)).toEqual([`${publicUrl}${endpoint.path}`]);
      if (endpoint === bankEndpoint) expect(card.name).toBe(name);
    }
  });
});
