import { createHash, randomBytes } from "node:crypto";
import type { CustomerRequest, CustomerSessions, CustomerView, SessionLanguage } from "@org/core";
import { exchangeOf, networkOf } from "@org/http";
import { createPageCookies, formToken } from "@org/pages";
import type { Request, Response } from "express";
import { type LanguageChoice, preferredLanguage } from "./language-choice.js";
import { messagesFor } from "./messages/languages.js";
import type { ScreenContext } from "./screens/screen.js";

/** One request of a browser to a session's address. */
export interface WidgetRequest {
  /** Secret in the `widget_url`. */
  readonly link: string;
  /** Secret in the browser's cookie for this link. */
  readonly owner: string | null;
  /** Path of the session's address. */
  readonly path: string;
  /** Path of the site, which precedes its addresses; empty unless `PUBLIC_URL` has one. */
  readonly site: string;
  /** Language that the customer has chosen. */
  readonly language: SessionLanguage | null;
  /** Language that the browser prefers. */
  readonly preferredLanguage: SessionLanguage;
  readonly traceId: string;
  /** Network that it came from. */
  readonly network: string;
}

/** The cookie that binds a browser to one session. */
export interface OwnerCookie {
  /** Returns this browser's secret for the link; null when it has none, or one in a wrong format. */
  read(request: Request, link: string): string | null;
  /** Same, when only the link's hash (SHA-256, hex) is known. */
  readByHash(request: Request, linkHash: string): string | null;
  /** @param expires end of the cookie; by default it ends with the browser session */
  write(response: Response, link: string, secret: string, expires?: Date): void;
}

/** 256 bits in base64url. */
const SECRET = /^[A-Za-z0-9_-]{43}$/;

/**
 * Makes the cookies. Each session has its own, named after the link's hash, so that two sessions in one browser do not collide and the
 * name reveals nothing.
 */
export function createOwnerCookie(publicUrl: string): OwnerCookie {
  const cookies = createPageCookies(publicUrl, SECRET);
  const nameFor = (linkHash: string) => `wc-connect-${linkHash.slice(0, 16)}`;
  return {
    read: (request, link) => cookies.read(request, nameFor(hashOfLink(link))) ?? null,
    readByHash: (request, linkHash) => cookies.read(request, nameFor(linkHash)) ?? null,
    write(response, link, secret, expires) {
      response.append("Set-Cookie", cookies.set(nameFor(hashOfLink(link)), secret, expires));
    },
  };
}

/** @param site path of the site, see {@link WidgetRequest} */
export function visitOf(request: Request, site: string, cookie: OwnerCookie, languages: LanguageChoice): WidgetRequest {
  const link = String(request.params.link);
  const { traceId, address } = exchangeOf(request);
  const path = `${site}/connect/${encodeURIComponent(link)}`;
  const language = languages.read(request);
  const preferred = preferredLanguage(request);
  const from = { language, preferredLanguage: preferred, traceId, network: networkOf(address) };
  return { link, owner: cookie.read(request, link), path, site, ...from };
}

/** The part of a request that services need. */
export function requestOf({ language, preferredLanguage, traceId, network }: WidgetRequest): CustomerRequest {
  return { language, preferred_language: preferredLanguage, trace_id: traceId, network };
}

function hashOfLink(link: string): string {
  return createHash("sha256").update(link).digest("hex");
}

/** Loads the session. Viewing a page polls the bank; a submitted form is answered immediately. */
export function viewFor(sessions: CustomerSessions, visit: WidgetRequest, request: Request): Promise<CustomerView> {
  const { link, owner } = visit;
  const by = requestOf(visit);
  return request.method === "POST" ? sessions.view(link, owner, by) : sessions.poll(link, owner, by);
}

/**
 * Returns the context of this request's screens. The first page sets the browser's secret before there is anything to own, so that its
 * form is protected too, and a browser without cookies is detected before it uses up the link.
 */
export function contextFor(
  visit: WidgetRequest,
  view: CustomerView,
  response: Response,
  cookie: OwnerCookie,
): ScreenContext {
  let secret = visit.owner;
  if (secret === null && view.kind === "unclaimed") {
    secret = randomBytes(32).toString("base64url");
    cookie.write(response, visit.link, secret);
  }
  const { path, site } = visit;
  const language = visit.language ?? (view.kind === "unknown" ? null : view.language) ?? visit.preferredLanguage;
  return {
    language,
    messages: messagesFor(language, "terms" in view && view.terms?.howTo !== undefined),
    path,
    site,
    requester: view.kind === "unknown" ? null : view.requester,
    csrfToken: secret === null ? "" : formToken(secret, visit.link),
  };
}
