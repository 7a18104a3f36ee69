import { randomUUID } from "node:crypto";
import type { JSONRPCMessage, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { isObject } from "./client-envelope.js";
import type { SessionOwner } from "./session-ids.js";

/** Questions that tools of extensions ask legacy clients while they work; the answers come in requests of their own. */
export interface OpenQuestions {
  /** Lets the server behind a transport ask, until the function answered is called. Its questions get ids of their own. */
  open(transport: WebStandardStreamableHTTPServerTransport, owner: SessionOwner): () => void;
  /** Hands an answer to whoever asked. False when nobody did, here or any more: a client may say what nobody waits for. */
  answer(body: unknown, owner: SessionOwner): boolean;
}

/** The only state between requests, and for no longer than the request that asks: what is lost with the process is lost with it. */
export function createOpenQuestions(): OpenQuestions {
  const asking = new Map<string, { transport: WebStandardStreamableHTTPServerTransport; owner: SessionOwner }>();

  return {
    open(transport, owner) {
      // Each request has a server of its own, and each of these counts from 0: without a prefix, questions would be mixed up.
      const prefix = randomUUID();
      const send = transport.send.bind(transport);
      transport.send = (message, options) =>
        send("method" in message && "id" in message ? { ...message, id: `${prefix}.${message.id}` } : message, options);
      asking.set(prefix, { transport, owner });
      return () => asking.delete(prefix);
    },
    answer(body, { application_id, tenant_id }) {
      if (!isObject(body) || "method" in body || typeof body.id !== "string") return false;
      const [prefix = "", number] = body.id.split(".");
      const asked = asking.get(prefix);
      if (asked?.owner.application_id !== application_id || asked.owner.tenant_id !== tenant_id) return false;
      asked.transport.onmessage?.({ ...body, id: Number(number) } as JSONRPCMessage);
      return true;
    },
  };
}
