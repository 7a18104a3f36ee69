import { setTimeout as delay } from "node:timers/promises";
import type { MailTransport } from "@org/core";
import type { DisabledEndpoint } from "./deliveries.js";

/** Pauses between attempts to send a mail, in milliseconds; a server that stops in between does not send it. */
const REPEAT_DELAYS_MS = [10_000, 60_000];
const SEND_TIMEOUT_MS = 60_000;

/**
 * Mails the operator that an endpoint was disabled. The event and the metric report the same and do not depend on a mail
 * server. If no mail can be sent, `onFailed` gets the reason.
 */
export function createOperatorMail({
  transport,
  to,
  newId,
  onFailed,
}: {
  transport: MailTransport;
  to: string;
  newId: () => string;
  onFailed: (reason: string, endpoint: DisabledEndpoint) => void;
}): (endpoint: DisabledEndpoint) => Promise<void> {
  return async (endpoint) => {
    const message = { message_id: newId(), to, attachments: [], ...textOf(endpoint) };
    let reason = "";
    for (const wait of [0, ...REPEAT_DELAYS_MS]) {
      await delay(wait, undefined, { ref: false });
      const outcome = await transport.send(message, async () => true, AbortSignal.timeout(SEND_TIMEOUT_MS));
      if (outcome.kind === "accepted") return;
      reason = outcome.reason;
      // A mail that may have arrived is not sent twice.
      if (outcome.kind === "unknown" || outcome.permanent) break;
    }
    onFailed(reason, endpoint);
  };
}

const HOUR_MS = 3_600_000;

/**
 * Limits notices about a tenant's endpoints per hour, so that one that is re-enabled again and again and answers 410 each time
 * does not flood an inbox.
 * @param most notices per tenant and hour
 */
export function createNoticeLimit(most: number, clock: () => Date): (tenantId: string) => boolean {
  const told = new Map<string, readonly number[]>();
  return (tenantId) => {
    const now = clock().getTime();
    for (const [tenant, times] of told) if ((times.at(-1) ?? 0) <= now - HOUR_MS) told.delete(tenant);
    const recent = (told.get(tenantId) ?? []).filter((at) => at > now - HOUR_MS);
    if (recent.length >= most) return false;
    told.set(tenantId, [...recent, now]);
    return true;
  };
}

function textOf({ tenant_id, endpoint_id, host, reason, failing_since }: DisabledEndpoint) {
  const why =
    reason === "gone"
      ? "It answered 410 Gone, which says that nothing is wanted there any more."
      : `Every delivery has failed since ${failing_since.toISOString()}, for more than five days.`;
  return {
    subject: `Webhook endpoint disabled: ${host}`,
    text: [
      `Events are no longer delivered to a webhook endpoint at ${host}.`,
      why,
      "",
      `Tenant:   ${tenant_id}`,
      `Endpoint: ${endpoint_id}`,
      "",
      "Its tenant's log of events says so too (webhook.endpoint_disabled). When the receiver works again, the tenant",
      "enables the endpoint (update-endpoint) and asks for what it has missed (replay); events are kept for 30 days.",
      "",
    ].join("\n"),
  };
}
