import { type Actor, contactInfoSchema, labelsSchema, letterDetailsSchema, signedCopySchema } from "@org/core";
import { z } from "zod";
import { letterInput } from "../body/inputs.js";
import { defineEndpoint, type Endpoint } from "../endpoint.js";
import { actorIn, operatorEndpoint, tenantId } from "./operator-endpoint.js";
import { letterId, oneLetter } from "./operator-letters.js";

/** `/operator/v1/letters`: letters that the service generates (S2 §1, the other entry point). */
export const letterRequestEndpoints: readonly Endpoint<Actor>[] = [
  operatorEndpoint({
    path: "/operator/v1/letters/request",
    operation: "requestLetter",
    summary: "Begin a letter that is to be generated",
    description: "It starts in NewRequest; details, advance, advance and sign take it to Signed.",
    body: z.strictObject({
      tenant_id: tenantId,
      connector_id: z.string().min(1).max(200),
      labels: labelsSchema.default({}),
      contact_info: contactInfoSchema.default({}),
    }),
    output: oneLetter,
    fails: ["NOT_FOUND"],
    handle: async (services, { who }, { tenant_id, ...request }) => ({
      letter: await services.letterOperations.request(await actorIn(services, who, tenant_id), request),
    }),
  }),
  operatorEndpoint({
    path: "/operator/v1/letters/details",
    operation: "collectLetterDetails",
    summary: "Keep who a letter is for",
    description:
      "NewRequest becomes UsersDetail; there they can be corrected until the letter is generated. They are kept encrypted and deleted when the letter ends.",
    body: z.strictObject({ letter_id: letterId, details: letterDetailsSchema }),
    output: oneLetter,
    fails: ["NOT_FOUND", "CONFLICT"],
    handle: async ({ letterOperations }, { who }, { letter_id, details }) => ({
      letter: await letterOperations.collectDetails(who, letter_id, details),
    }),
  }),
  defineEndpoint({
    path: "/operator/v1/letters/sign",
    operation: "attachSignedLetter",
    summary: "Attach the signed letter that came back",
    description: "SentToUser becomes Signed.",
    scopes: ["operator"],
    input: letterInput(signedCopySchema),
    output: oneLetter,
    fails: ["NOT_FOUND", "CONFLICT", "UNAVAILABLE"],
    handle: async ({ letterOperations }, { who }, { body, received }) => ({
      letter: await letterOperations.attachSigned(who, body, received),
    }),
  }),
];
