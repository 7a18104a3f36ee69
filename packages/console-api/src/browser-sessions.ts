import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Runtime, Uuid } from "@org/core";
import type { Exchange } from "@org/http";
import { actorOf, type Browser, INSTALLATION, PeopleError, type PeopleSessions, type SignedIn } from "@org/people";
import type { ConsoleCookies } from "./cookies.js";
import { consoleRefusal } from "./refusals.js";

/** Finds out which person sent a browser's request, and whether a page of the console sent it. */
export function createBrowserSessions(deps: {
  readonly sessions: PeopleSessions;
  readonly cookies: ConsoleCookies;
  readonly runtime: Pick<Runtime, "mac">;
  readonly publicUrl: string;
  /** Whether a tenant's people may sign in: false while the tenant is disabled. */
  readonly isTenantOpen: (tenantId: Uuid) => Promise<boolean>;
}) {
  const { sessions, cookies, runtime } = deps;
  const own = new URL(deps.publicUrl).origin;

  /** The CSRF token that a page must send with every change. Only a page that was served in this session knows it. */
  const tokenOf = ({ session }: SignedIn) => runtime.mac("people", `csrf ${session.session_id}`);

  async function open(
    exchange: Exchange,
    look: PeopleSessions["open"] = (cookie) => sessions.open(cookie, { isNoted: isUserActive(exchange.request) }),
  ): Promise<SignedIn> {
    const signedIn = await look(cookies.session(exchange.request));
    const { tenant_id } = signedIn.person;
    if (tenant_id !== INSTALLATION && !(await deps.isTenantOpen(tenant_id)))
      throw new PeopleError("not_signed_in", "the tenant is switched off");
    exchange.principal = callerOf(signedIn);
    return signedIn;
  }

  return {
    tokenOf,

    /**
     * Refuses requests that no page of this site sent. Browsers state where a request comes from (Fetch, `Origin` and `Sec-Fetch-Site`), and
     * pages cannot forge it. A POST always has an origin; a GET may have `Sec-Fetch-Site` only.
     * @throws RestError UNAUTHORIZED
     */
    requireOwnPage({ method, headers }: IncomingMessage): void {
      const { origin, "sec-fetch-site": site } = headers;
      const isOwn = origin === undefined ? method === "GET" : origin === own;
      if (!isOwn || (site !== undefined && site !== "same-origin"))
        throw consoleRefusal("UNAUTHORIZED", `only pages of ${own} may ask this`, "OTHER_ORIGIN");
    },

    /** Returns who is signed in. @throws PeopleError `not_signed_in` */
    open,

    /** Same, for requests that change something. @throws PeopleError `not_signed_in`; RestError UNAUTHORIZED without the session's token */
    async openForChange(exchange: Exchange): Promise<SignedIn> {
      const signedIn = await open(exchange);
      const given = exchange.request.headers["x-csrf-token"];
      if (typeof given !== "string" || !isSame(given, tokenOf(signedIn)))
        throw consoleRefusal("UNAUTHORIZED", "X-CSRF-Token has to be the csrf_token of this session", "CSRF_TOKEN");
      return signedIn;
    },

    browserOf({ request, traceId, address }: Exchange): Browser {
      return { trace_id: traceId, address, device: request.headers["user-agent"] ?? "" };
    },
  };
}

export type BrowserSessions = ReturnType<typeof createBrowserSessions>;

/** Whether a person is using the page. Requests that the page sends on its own, after an event or a timer, do not extend the session. */
function isUserActive({ headers }: IncomingMessage): boolean {
  return headers["x-unattended"] === undefined;
}

/** The caller as the audit trail, the access log and the services see it: the person, by id. */
export function callerOf({ person }: Pick<SignedIn, "person">) {
  const { application_id } = actorOf(person, { trace_id: null, address: null });
  return { application_id, tenant_id: person.tenant_id === INSTALLATION ? null : person.tenant_id };
}

/** Compares in constant time. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
