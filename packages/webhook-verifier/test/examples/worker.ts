import { createWebhookVerifier, WebhookVerificationError } from "@org/webhook-verifier";

export default {
  async fetch(request: Request, env: { readonly WEBHOOK_SECRET: string }): Promise<Response> {
    const verifier = createWebhookVerifier({ secrets: env.WEBHOOK_SECRET });
    try {
      const event = await verifier.verify(await request.arrayBuffer(), request.headers);
      console.log(event.sequence, event.type, event.id);
      return new Response(null, { status: 204 });
    } catch (error) {
      return new Response(null, { status: error instanceof WebhookVerificationError ? 400 : 500 });
    }
  },
};
