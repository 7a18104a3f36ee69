import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Runtime, Uuid } from "@org/core";
import type { Exchange } from "@org/http";
import { actorOf, type Browser, INSTALLATION, PeopleError, type PeopleSessions, type SignedIn } from "@org/people";
import type { ConsoleCookies } from "./cookies.js";
import { consoleRefusal } from "./refusals.js";

/** Who is behind a request of a browser, and whether a page of the console has sent it. */
export function createBrowserSessions(deps: {
  readonly sessions: PeopleSessions;
  readonly cookies: ConsoleCookies;
  readonly runtime: Pick<Runtime, "mac">;
  readonly publicUrl: string;
  /** Whether a tenant's people get in: not while it is switched off. */
  readonly isTenantOpen: (tenantId: Uuid) => Promise<boolean>;
}) {
  const { sessions, cookies, runtime } = deps;
  const own = new URL(deps.publicUrl).origin;

  /** What a page has to send with every change: nobody who was not shown it in this session knows it. */
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
     * Refuses what no page of this site has sent: browsers say where a request comes from (Fetch, `Origin` and `Sec-Fetch-Site`), and pages
     * cannot say it for them. A POST always has an origin; whoever reads is told apart by `Sec-Fetch-Site` alone.
     * @throws RestError UNAUTHORIZED
     */
    requireOwnPage({ method, headers }: IncomingMessage): void {
      const { origin, "sec-fetch-site": site } = headers;
      const isOwn = origin === undefined ? method === "GET" : origin === own;
      if (!isOwn || (site !== undefined && site !== "same-origin"))
        throw consoleRefusal("UNAUTHORIZED", `only pages of ${own} may ask this`, "OTHER_ORIGIN");
    },

    /** Who is signed in. @throws PeopleError `not_signed_in` */
    open,

    /** The same for what changes something. @throws PeopleError `not_signed_in`; RestError UNAUTHORIZED without the session's token */
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

/** Whether somebody is at the page: what it asks for by itself, because of an event or the clock, keeps no session from ending. */
function isUserActive({ headers }: IncomingMessage): boolean {
  return headers["x-unattended"] === undefined;
}

/** Whom the audit trail, the access log and the services see: the person, by their id. */
export function callerOf({ person }: Pick<SignedIn, "person">) {
  const { application_id } = actorOf(person, { trace_id: null, address: null });
  return { application_id, tenant_id: person.tenant_id === INSTALLATION ? null : person.tenant_id };
}

/** In the same time, wherever they differ. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
