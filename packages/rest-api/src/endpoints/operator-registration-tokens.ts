import { type Actor, defaulted } from "@org/core";
import { z } from "zod";
import type { Endpoint } from "../endpoint.js";
import { registrationTokenSchema } from "../registration-tokens.js";
import { operatorEndpoint } from "./operator-endpoint.js";

/** `/operator/v1/registration-tokens`: who may register an OAuth client where `REGISTRATION` is `token`. */
export const registrationTokenEndpoints = [
  operatorEndpoint({
    path: "/operator/v1/registration-tokens/create",
    operation: "createRegistrationToken",
    summary: "Make an initial access token that lets its holder register OAuth clients (RFC 7591 §3)",
    body: z.strictObject({
      name: z.string().trim().min(1).max(100).describe("What it is for, in your words."),
      days: defaulted(z.int().min(1).max(365), 30).describe("After how many days it expires."),
    }),
    output: z.object({
      registration_token: registrationTokenSchema,
      token: z.string().describe("Shown this once."),
    }),
    handle: ({ registrationTokens }, { who }, body) => registrationTokens.create(who, body),
  }),
  operatorEndpoint({
    path: "/operator/v1/registration-tokens/list",
    reads: true,
    operation: "listRegistrationTokens",
    summary: "List initial access tokens that have not expired, oldest first",
    order: "oldest first, by token_id",
    body: z.strictObject({}),
    output: z.object({ items: z.array(registrationTokenSchema) }),
    handle: async ({ registrationTokens }) => ({ items: await registrationTokens.list() }),
  }),
  operatorEndpoint({
    path: "/operator/v1/registration-tokens/revoke",
    operation: "revokeRegistrationToken",
    summary: "Withdraw an initial access token",
    description: "Clients that registered with it stay.",
    body: z.strictObject({ token_id: z.string().min(1).max(200) }),
    output: z.object({ token_id: z.string() }),
    fails: ["NOT_FOUND"],
    handle: async ({ registrationTokens }, { who }, { token_id }) => {
      await registrationTokens.revoke(who, token_id);
      return { token_id };
    },
  }),
] as const satisfies readonly Endpoint<Actor>[];
