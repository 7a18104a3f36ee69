import { setTimeout as delay } from "node:timers/promises";
import type { MailTransport } from "@org/core";
import type { DisabledEndpoint } from "./deliveries.js";

/** Between tries of a mail, in milliseconds; a server that is ended meanwhile does not send it. */
const REPEAT_DELAYS_MS = [10_000, 60_000];
const SEND_TIMEOUT_MS = 60_000;

/**
 * Tells the operator by mail that an endpoint was disabled. The event and the metric say the same, and are not lost when no mail server
 * takes the mail: then `onFailed` is told why.
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
      // One that may have arrived is not sent twice.
      if (outcome.kind === "unknown" || outcome.permanent) break;
    }
    onFailed(reason, endpoint);
  };
}

const HOUR_MS = 3_600_000;

/**
 * Whether a tenant's endpoints may be told of once more within this hour: one that is enabled again and again and answers 410 each time
 * fills nobody's inbox.
 * @param most in an hour, for each tenant
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
