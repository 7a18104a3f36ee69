import { randomBytes, randomUUID } from "node:crypto";
import type { SnapTradeEvent, SnapTradePartner } from "./snaptrade-book.js";
import { signatureOf } from "./snaptrade-signature.js";

const RECEIVED = [200, 201, 202, 204];
const FIRST_RETRY_MS = 30 * 60_000;
const RETRIES = 3;

export interface SnapTradeWebhook {
  readonly body: SnapTradeEvent;
  /** What the receiver answered each time; 0 if it was not there. */
  readonly statuses: number[];
}

interface Listener {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly secret: string;
}

interface Waiting {
  readonly webhook: SnapTradeWebhook;
  readonly partner: SnapTradePartner;
  due: number;
}

/** What a test may have wrong with a webhook. */
interface Wrong {
  /** Signed with another key. */
  readonly consumer_key?: string;
  readonly eventTimestamp?: Date;
  /** Sent after it was signed. */
  readonly altered?: Readonly<Record<string, unknown>>;
  readonly isUnsigned?: boolean;
}

export type SnapTradeWebhooks = ReturnType<typeof createWebhooks>;

/** Events of partners that have a listener wait here until they are delivered. */
export function createWebhooks(clock: () => Date) {
  const listeners = new Map<SnapTradePartner, Listener>();
  const sent: SnapTradeWebhook[] = [];
  let waiting: Waiting[] = [];

  /** "2022-05-31T11:16:54.658533+00:00". */
  const stamp = (at: Date) => at.toISOString().replace("Z", "000+00:00");

  const bodyOf = (partner: SnapTradePartner, event: SnapTradeEvent, at = clock()) => ({
    webhookId: randomUUID(),
    clientId: partner.client_id,
    eventTimestamp: stamp(at),
    ...event,
    webhookSecret: listeners.get(partner)?.secret ?? "",
  });

  /** Members in any order and with blanks, as Python writes JSON, while what is signed is canonical. */
  async function post(partner: SnapTradePartner, body: SnapTradeEvent, wrong: Wrong = {}): Promise<number> {
    const listener = listeners.get(partner);
    if (!listener) throw new Error("the partner has no listener");
    const signature = signatureOf(body, wrong.consumer_key ?? partner.consumer_key, true);
    const answer = await fetch(listener.url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...listener.headers,
        ...(!wrong.isUnsigned && { Signature: signature }),
      },
      body: JSON.stringify({ ...body, ...wrong.altered }, null, 1),
    }).catch(() => null);
    await answer?.arrayBuffer();
    return answer?.status ?? 0;
  }

  return {
    /** What was delivered or tried, in order. */
    sent: sent as readonly SnapTradeWebhook[],
    /** How many wait. */
    get waiting() {
      return waiting.length;
    },
    /** As in the Dashboard; null takes it away. */
    listen(partner: SnapTradePartner, url: string | null, headers: Readonly<Record<string, string>> = {}) {
      if (url === null) listeners.delete(partner);
      else listeners.set(partner, { url, headers, secret: randomBytes(15).toString("base64url") });
    },
    tell(partner: SnapTradePartner, event: SnapTradeEvent) {
      if (!listeners.has(partner)) return;
      const webhook = { body: bodyOf(partner, event), statuses: [] };
      waiting.push({ webhook, partner, due: clock().getTime() });
    },
    /** Sends what is due. What was not received comes again after 30, 60 and 120 minutes, with its first timestamp. */
    async deliver() {
      const now = clock().getTime();
      const due = waiting.filter((each) => each.due <= now && listeners.has(each.partner));
      waiting = waiting.filter((each) => !due.includes(each));
      for (const each of due) {
        const { webhook, partner } = each;
        if (!sent.includes(webhook)) sent.push(webhook);
        const status = await post(partner, webhook.body);
        webhook.statuses.push(status);
        const retries = webhook.statuses.length - 1;
        if (RECEIVED.includes(status) || retries >= RETRIES) continue;
        each.due = now + FIRST_RETRY_MS * 2 ** retries;
        waiting.push(each);
      }
    },
    /** Sends one of a test's own, as it should be or wrong in some way, and answers the receiver's status. */
    send: (partner: SnapTradePartner, event: SnapTradeEvent, wrong: Wrong = {}) =>
      post(partner, bodyOf(partner, event, wrong.eventTimestamp), wrong),
    /** The same once more. */
    replay: (partner: SnapTradePartner, { body }: SnapTradeWebhook) => post(partner, body),
  };
}
