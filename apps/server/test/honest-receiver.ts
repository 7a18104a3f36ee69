import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createWebhookVerifier, type WebhookEvent, WebhookVerificationError } from "@org/webhook-verifier";

/** A delivery that was taken. */
export interface TakenDelivery {
  readonly event: WebhookEvent;
  /** When it came, in ms since 1970. */
  readonly at: number;
}

/** A receiver as an integrator would write it: it takes what is signed, and remembers how often. */
export interface HonestReceiver {
  readonly url: string;
  /** From now on, deliveries have to be signed with this secret. */
  trust(secret: string): void;
  /** Every delivery that was taken, repetitions too, as they came. */
  readonly taken: readonly TakenDelivery[];
  /** Why deliveries were refused, by code. */
  readonly refused: readonly string[];
  /** How often each event came, by its id. */
  times(): Map<string, number>;
  close(): Promise<void>;
}

/** @param path tells receivers of one port apart in what the server lists */
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
      // A sender that was killed while it sent is no fault of the delivery.
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
