import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createWebhookVerifier, type WebhookEvent, WebhookVerificationError } from "@org/webhook-verifier";

/** A delivery that was accepted. */
export interface TakenDelivery {
  readonly event: WebhookEvent;
  /** When it arrived, in ms since 1970. */
  readonly at: number;
}

/** A receiver as an integrator would write it: it accepts what is signed, and counts each event. */
export interface HonestReceiver {
  readonly url: string;
  /** From now on, deliveries have to be signed with this secret. */
  trust(secret: string): void;
  /** Every accepted delivery in order of arrival, including repetitions. */
  readonly taken: readonly TakenDelivery[];
  /** Why deliveries were refused, by code. */
  readonly refused: readonly string[];
  /** How often each event arrived, by its id. */
  times(): Map<string, number>;
  close(): Promise<void>;
}

/** @param path distinguishes receivers on one port in what the server lists */
export async function startHonestReceiver(path = "honest"): Promise<HonestReceiver> {
  const taken: TakenDelivery[] = [];
  const refused: string[] = [];
  let verifier: ReturnType<typeof createWebhookVerifier> | undefined;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
      if (!verifier) throw new Error("nobody is trusted yet");
      const event = await verifier.verify(Buffer.concat(chunks), request.headers);
      if (event.id !== request.headers["webhook-id"]) throw new Error("webhook-id is another event's");
      taken.push({ event, at: Date.now() });
      response.writeHead(204).end();
    } catch (error) {
      // If the sender was killed while sending, the delivery is not at fault.
      if (request.complete) refused.push(error instanceof WebhookVerificationError ? error.code : String(error));
      response.writeHead(400).end();
    }
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${path}`,
    trust(secret) {
      verifier = createWebhookVerifier({ secrets: secret });
    },
    taken,
    refused,
    times() {
      const times = new Map<string, number>();
      for (const { event } of taken) times.set(event.id, (times.get(event.id) ?? 0) + 1);
      return times;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
