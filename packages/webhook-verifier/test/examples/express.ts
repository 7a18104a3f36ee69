import { createWebhookVerifier, WebhookVerificationError } from "@org/webhook-verifier";
import express from "express";

const verifier = createWebhookVerifier({ secrets: process.env.WEBHOOK_SECRET ?? "" });

export const app = express();
// The bytes as they arrived: before express.json(), or on a path that it does not see.
app.post("/webhooks", express.raw({ type: "*/*", limit: "64kb" }), async (request, response) => {
  try {
    const event = await verifier.verify(request.body, request.headers);
    console.log(event.sequence, event.type, event.id);
    response.sendStatus(204);
  } catch (error) {
    response.sendStatus(error instanceof WebhookVerificationError ? 400 : 500);
  }
});
