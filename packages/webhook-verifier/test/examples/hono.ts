import { createWebhookVerifier, WebhookVerificationError } from "@org/webhook-verifier";
import { Hono } from "hono";

const verifier = createWebhookVerifier({ secrets: process.env.WEBHOOK_SECRET ?? "" });

export const app = new Hono();
app.post("/webhooks", async (context) => {
  const event = await verifier.verify(await context.req.arrayBuffer(), context.req.raw.headers);
  console.log(event.sequence, event.type, event.id);
  return context.body(null, 204);
});
app.onError((error, context) => context.text(error.name, error instanceof WebhookVerificationError ? 400 : 500));
