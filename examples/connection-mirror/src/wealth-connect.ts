import { type CredentialStatus, evaluateRelogin } from "@org/relogin-rule";
import type { WebhookEvent } from "@org/webhook-verifier";
import type { Condition } from "./mirror.js";

/** The server's address, and the application's credentials. */
export interface Settings {
  readonly server: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The event to continue after is no longer stored; the mirror must start over. */
export class EventsGoneError extends Error {
  override readonly name = "EventsGoneError";
}

/** What the mirror asks the server, only when it starts. */
export type WealthConnect = Awaited<ReturnType<typeof openWealthConnect>>;

/** Requests a token with two scopes (RFC 6749 §4.4). */
export async function openWealthConnect({ server, clientId, clientSecret }: Settings) {
  const form = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
  const issued = await fetch(`${server}/token`, {
    method: "POST",
    body: new URLSearchParams({ ...form, scope: "connections:read events:read" }),
  });
  if (!issued.ok) throw new Error(`no token: status ${issued.status}`);
  const { access_token } = (await issued.json()) as { access_token: string };

  return {
    /** The tenant's newest event; null if there is none yet. */
    async newestEvent(): Promise<WebhookEvent | null> {
      const { items } = await ask<EventPage>("/events/v1/list-events", { order: "desc", page_size: 1 });
      return items[0] ?? null;
    },
    /** Every event after that one, page by page, oldest first. @throws EventsGoneError */
    async *eventsAfter(id: string | null): AsyncGenerator<readonly WebhookEvent[]> {
      const request = { query: id === null ? {} : { after: id }, order: "asc", page_size: 500 };
      let token: string | null = null;
      do {
        const page: EventPage = await ask("/events/v1/list-events", {
          ...request,
          ...(token && { page_token: token }),
        });
        yield page.items;
        token = page.next_page_token;
      } while (token !== null);
    },
    /** Every connection with its current state. */
    async connections(): Promise<{ id: string; status: Condition }[]> {
      const found: { id: string; status: Condition }[] = [];
      for (let page = 1, pages = 1; page <= pages; page += 1) {
        const answer = await ask<ConnectionPage>("/data/v1/list-connections", {
          include_status: true,
          page,
          page_size: 500,
        });
        found.push(...answer.items.map((item) => ({ id: item.credentials_token, status: conditionOf(item.status) })));
        pages = answer.pages;
      }
      return found;
    },
  };

  async function ask<Answer>(path: string, body: object): Promise<Answer> {
    const response = await fetch(server + path, {
      method: "POST",
      headers: { authorization: `Bearer ${access_token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (response.status === 400 && text.includes('"after"')) throw new EventsGoneError(text);
    if (!response.ok) throw new Error(`${path}: status ${response.status} ${text}`);
    return JSON.parse(text) as Answer;
  }
}

interface EventPage {
  readonly items: readonly WebhookEvent[];
  readonly next_page_token: string | null;
}

interface ConnectionPage {
  readonly items: readonly { readonly credentials_token: string; readonly status: CredentialStatus }[];
  readonly pages: number;
}

function conditionOf(status: CredentialStatus): Condition {
  if (status.blocked) return "blocked";
  if (status.pending) return "pending";
  return evaluateRelogin(status).needs_relogin ? "needs_relogin" : "ready";
}
