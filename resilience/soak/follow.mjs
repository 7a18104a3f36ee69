// The observers of the soak: a program that reads the event log, webhook receivers, and a person at the console.
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { createAuthenticator } from "@org/people/testing";
import { createWebhookVerifier } from "@org/webhook-verifier";
import { BUSY_MS, callerOf, isBusy, originOf } from "../faults/mixed-use.mjs";

const PAGE = 500;
const WAIT_SECONDS = 20;
/** The reconnection time that the console's stream states. */
const RETRY_DELAY_MS = 2_000;

/** Reads a tenant's log from its beginning, and waits for news; no event may be missing or come twice. */
export function followLog(server, credentials, onFailure) {
  const caller = callerOf(credentials);
  const ids = new Set();
  const types = {};
  let after = null;
  let sequence = 0;
  let isOver = false;
  const ended = (async () => {
    while (!isOver)
      try {
        await read(WAIT_SECONDS);
      } catch (error) {
        onFailure("log of events", error);
        await delay(1_000);
      }
  })();
  return {
    ids,
    types,
    count: () => sequence,
    /** Reads to the end. */
    async stop() {
      isOver = true;
      await ended;
      while (await read(0));
    },
  };

  async function read(wait_seconds) {
    const query = after === null ? {} : { after };
    const body = { query, order: "asc", page_size: PAGE, wait_seconds };
    const { items } = await caller.rest(server, "/events/v1/list-events", body);
    for (const event of items) {
      if (event.sequence !== sequence + 1 || ids.has(event.id))
        onFailure("log of events", new Error(`event ${event.sequence} came after ${sequence}`));
      sequence = event.sequence;
      ids.add(event.id);
      types[event.type] = (types[event.type] ?? 0) + 1;
      after = event.id;
    }
    return items.length > 0;
  }
}

/** An endpoint for all events of a tenant, whose receiver verifies each delivery. */
export async function receiveWebhooks(server, credentials, onFailure) {
  const times = new Map();
  let verifier;
  const receiver = createServer(async (request, response) => {
    const chunks = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
      const { id } = await verifier.verify(Buffer.concat(chunks), request.headers);
      times.set(id, (times.get(id) ?? 0) + 1);
      response.writeHead(204).end();
    } catch (error) {
      onFailure("webhooks", error);
      response.writeHead(400).end();
    }
  });
  await once(receiver.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${receiver.address().port}/events`;
  const { secret } = await callerOf(credentials).rest(server, "/events/v1/create-endpoint", { url });
  verifier = createWebhookVerifier({ secrets: secret });
  return {
    /** How often each event was delivered, by id. */
    times,
    stop() {
      receiver.closeAllConnections();
      receiver.close();
    },
  };
}

/** An operator at the console, who has accepted an invitation, follows the event stream and looks at lists. */
export async function joinConsole(server, operator, onFailure) {
  const origin = originOf(server);
  const send = server.fetch ?? fetch;
  const { link } = await callerOf(operator).rest(server, "/operator/v1/people/invite", {
    email: `${randomUUID()}@example.com`,
    role: "operator",
  });
  const invitation = link.split("#")[1];
  const authenticator = createAuthenticator(origin);
  const cookies = new Map();
  const seen = { events: 0, streams: 0 };
  const gone = new AbortController();
  let csrf = "";
  const { options } = await ask("/join/begin", { invitation });
  await ask("/join/finish", { invitation, answer: authenticator.create(options), name: "Ada" });
  const following = follow();
  return {
    seen,
    kinds: {
      async console() {
        await ask("/session");
        await ask("/operator/v1/work/list");
        await ask("/operator/v1/letters/counts");
        await ask("/operator/v1/connections/search", { query: {}, page_size: 20 });
      },
    },
    async stop() {
      gone.abort();
      await following;
    },
  };

  function headers() {
    return {
      origin,
      "sec-fetch-site": "same-origin",
      "content-type": "application/json",
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
      ...(csrf && { "x-csrf-token": csrf }),
    };
  }

  async function ask(path, body = {}) {
    const answer = await send(`${origin}/console/api${path}`, {
      method: "POST",
      headers: headers(),
      body: JSON.stringify(body),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
      cookies.set(name, value);
    }
    const text = await answer.text();
    if (server.onBusy !== undefined && isBusy({ status: answer.status, text })) {
      server.onBusy();
      await delay(BUSY_MS);
      return ask(path, body);
    }
    if (answer.status !== 200) throw new Error(`/console/api${path}: ${answer.status} ${text.slice(0, 200)}`);
    const content = JSON.parse(text);
    csrf = content.csrf_token ?? csrf;
    return content;
  }

  /** As a page does: a stream that ends is opened again after the last event. */
  async function follow() {
    let last;
    while (!gone.signal.aborted)
      try {
        const answer = await send(`${origin}/console/api/events`, {
          headers: { ...headers(), ...(last && { "last-event-id": last }) },
          signal: gone.signal,
        });
        const refusal = answer.status === 200 ? "" : await answer.text();
        if (server.onBusy !== undefined && isBusy({ status: answer.status, text: refusal })) {
          server.onBusy();
          await delay(BUSY_MS);
          continue;
        }
        if (answer.status !== 200) throw new Error(`the console's stream: ${answer.status} ${refusal.slice(0, 200)}`);
        seen.streams += 1;
        for await (const text of answer.body.pipeThrough(new TextDecoderStream())) {
          seen.events += text.match(/^data:/gm)?.length ?? 0;
          last = /^id: (.+)$/m.exec(text)?.[1] ?? last;
        }
        await delay(RETRY_DELAY_MS, undefined, { signal: gone.signal });
      } catch (error) {
        if (gone.signal.aborted) return;
        onFailure("console stream", error);
        await delay(1_000);
      }
  }
}
