import type { Notified, NotifyRequest } from "@org/provider-kit";
import { z } from "zod";
import type { SnapTradeSettings } from "./settings.js";
import { isSignedBy } from "./signature.js";

/** How old a notification may be, and how far ahead its clock. */
const MAX_AGE_MS = 5 * 60_000;

const notification = z.object({
  eventTimestamp: z.string().transform((text) => Date.parse(text)),
  clientId: z.string().nullish(),
  brokerageAuthorizationId: z.string().min(1).nullish().catch(null),
});

/** Verifies a notification: signed with the consumer key, and sent just now. It names a connection whose data or state have changed, or none. */
export function readNotification(
  { client_id, consumer_key }: SnapTradeSettings,
  { headers, body }: Pick<NotifyRequest, "headers" | "body">,
  now: Date,
): Notified {
  const json = Buffer.from(body).toString("utf8");
  const parsed = notification.safeParse(contentOf(consumer_key, json, headers.signature ?? "")).data;
  if (parsed === undefined) return { kind: "unverified" };
  const { eventTimestamp, clientId, brokerageAuthorizationId } = parsed;
  const isFresh = Math.abs(now.getTime() - eventTimestamp) <= MAX_AGE_MS;
  if (!isFresh || (clientId && clientId !== client_id)) return { kind: "unverified" };
  return { kind: "changed", references: brokerageAuthorizationId ? [brokerageAuthorizationId] : [] };
}

/** The content of a notification; null if it is not signed. What is no JSON, or is nested too deep to be read, is not. */
function contentOf(consumerKey: string, json: string, signature: string): unknown {
  try {
    return isSignedBy(consumerKey, json, signature) ? JSON.parse(json) : null;
  } catch {
    return null;
  }
}
