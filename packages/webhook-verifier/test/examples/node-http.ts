import { createServer } from "node:http";
import { createWebhookVerifier, WebhookVerificationError } from "@org/webhook-verifier";

const verifier = createWebhookVerifier({ secrets: process.env.WEBHOOK_SECRET ?? "" });

export const server = createServer(async (request, response) => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    const event = await verifier.verify(Buffer.concat(chunks), request.headers);
    console.log(event.sequence, event.type, event.id);
    response.writeHead(204).end();
  } catch (error) {
    response.writeHead(error instanceof WebhookVerificationError ? 400 : 500).end();
  }
});
