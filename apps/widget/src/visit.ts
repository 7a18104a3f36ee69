import { randomBytes } from "node:crypto";
import { type CustomerSessions, type CustomerView, type SessionLanguage, sessionLanguages } from "@org/core";
import { formToken } from "@org/pages";
import type { Request, Response } from "express";
import { messagesIn } from "./messages/languages.js";
import type { OwnerCookie } from "./owner-cookie.js";
import type { PageContext } from "./pages/page.js";

/** One request of a browser to a session's address. */
export interface Visit {
  /** The secret of the `widget_url`. */
  readonly link: string;
  /** The secret in the browser's cookie for this link. */
  readonly owner: string | null;
  /** The session's one address. */
  readonly path: string;
}

/** @param base path below which the sessions lie, `/connect` unless `PUBLIC_URL` has a path of its own */
export function visitOf(request: Request, base: string, cookie: OwnerCookie): Visit {
  const link = String(request.params.link);
  return { link, owner: cookie.read(request, link), path: `${base}/${encodeURIComponent(link)}` };
}

/** What there is to show. A page that is looked at keeps up with the bank; a form that was sent is answered at once. */
export function viewFor(sessions: CustomerSessions, { link, owner }: Visit, request: Request): Promise<CustomerView> {
  return request.method === "POST" ? sessions.view(link, owner) : sessions.poll(link, owner);
}

/**
 * What the pages of this visit are built from. The first page gives a browser its secret before there is anything to own, so
 * that its form is protected too, and a browser that keeps no cookies is found out before it uses the link up.
 */
export function contextFor(
  visit: Visit,
  view: CustomerView,
  request: Request,
  response: Response,
  cookie: OwnerCookie,
): PageContext {
  let secret = visit.owner;
  if (secret === null && view.kind === "unclaimed") {
    secret = randomBytes(32).toString("base64url");
    cookie.write(response, visit.link, secret);
  }
  const language = view.kind === "unknown" ? preferredLanguage(request) : view.language;
  return {
    language,
    messages: messagesIn[language],
    path: visit.path,
    csrfToken: secret === null ? "" : formToken(secret, visit.link),
  };
}

/** The language that the browser asks for, where no session says one. */
export function preferredLanguage(request: Request): SessionLanguage {
  const asked = request.acceptsLanguages([...sessionLanguages]);
  return sessionLanguages.find((language) => language === asked) ?? "en";
}
