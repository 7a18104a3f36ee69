import type { Actor } from "@org/core";
import { z } from "zod";
import type { Endpoint } from "../endpoint.js";
import { issuerKeysSchema, trustedIssuerSchema, trustedIssuerWishSchema } from "../trusted-issuers.js";
import { operatorEndpoint } from "./operator-endpoint.js";

const named = z.strictObject({ issuer: z.string().min(1).max(500) });
const ended = { grants_ended: z.int().min(0).describe("Grants made under the trust that stood before.") };

/** `/operator/v1/trusted-issuers`: identity providers whose assertions about people `/token` accepts (docs/how-to/company-sign-in.md). */
export const trustedIssuerEndpoints = [
  operatorEndpoint({
    path: "/operator/v1/trusted-issuers/list",
    reads: true,
    operation: "listTrustedIssuers",
    summary: "List identity providers that are trusted",
    order: "by issuer",
    body: z.strictObject({}),
    output: z.object({ items: z.array(trustedIssuerSchema) }),
    handle: async ({ trustedIssuers }) => ({ items: await trustedIssuers.list() }),
  }),
  operatorEndpoint({
    path: "/operator/v1/trusted-issuers/trust",
    operation: "trustIssuer",
    summary: "Trust an identity provider, or replace the trust in it, after its keys were read",
    description:
      "Assistants then exchange its assertions about people (ID-JAG) for access tokens at /token, without a page. What was granted under the trust before ends.",
    body: trustedIssuerWishSchema,
    output: z.object({ trusted_issuer: trustedIssuerSchema, found: issuerKeysSchema, ...ended }),
    fails: ["CONFLICT"],
    handle: ({ trustedIssuers }, { who }, body) => trustedIssuers.trust(who, body),
  }),
  operatorEndpoint({
    path: "/operator/v1/trusted-issuers/test",
    reads: true,
    operation: "testTrustedIssuer",
    summary: "Read the keys of a trusted identity provider now",
    body: named,
    output: z.object({ trusted_issuer: trustedIssuerSchema, found: issuerKeysSchema }),
    fails: ["NOT_FOUND"],
    handle: ({ trustedIssuers }, _call, { issuer }) => trustedIssuers.test(issuer),
  }),
  operatorEndpoint({
    path: "/operator/v1/trusted-issuers/withdraw",
    operation: "withdrawTrustedIssuer",
    summary: "Trust an identity provider no more, and end what it vouched for",
    body: named,
    output: z.object(ended),
    fails: ["NOT_FOUND"],
    handle: ({ trustedIssuers }, { who }, { issuer }) => trustedIssuers.withdraw(who, issuer),
  }),
] as const satisfies readonly Endpoint<Actor>[];
