import { createPlaces } from "@org/admission";
import { CoreError, type CustomerSessions, toCoreError as outageOf } from "@org/core";
import { BodyError, exchangeOf, retryAfter } from "@org/http";
import { isFormToken, pageHeaders } from "@org/pages";
import { type NextFunction, type Request, type Response, Router } from "express";
import { type BankList, bankListOf, bankQueryOf } from "./bank-list.js";
import { handleCallback } from "./callback.js";
import { clientRoutes, type WidgetClient } from "./client-file.js";
import { faultsOfRefusal, readPostedForm } from "./forms.js";
import { createLanguageChoice, requestedLanguage, similarLanguages } from "./language-choice.js";
import { AWAY_SECONDS, createPagePresenter, createStatePresenter, type Presenter } from "./presenter.js";
import { foundBanks } from "./screens/bank-choice.js";
import { createSteps, type Step } from "./steps.js";
import { contextFor, createOwnerCookie, requestOf, visitOf as visitBy, type WidgetRequest } from "./visit.js";
import type { NoticeKind } from "./widget-state.js";

/** What the pages need. */
export interface WidgetDependencies {
  readonly sessions: CustomerSessions;
  /** `PUBLIC_URL`: its scheme determines the cookie's attributes, its path (if any) precedes the addresses. */
  readonly publicUrl: string;
  /** Receives defects only, with their trace id; never an address, a cookie or a form. A pino logger fits. */
  readonly log: { error(record: { readonly err: unknown; readonly trace_id: string }, message: string): void };
  /** The client that takes over pages where JavaScript runs; null = pages without it. */
  readonly client: WidgetClient | null;
}

/** Answer to `GET <link>/banks?name&country&page`: one page of the list, and that part of the screen. */
export interface BanksAnswer extends BankList {
  readonly html: string;
}

/**
 * Maximum number of concurrent requests per link. A page sends one or two. All of them use the tenant's share of the database, which
 * one of its customers must not use up.
 */
const ofKey = { name: "requests_of_link", value: 16 };

/** How long a browser may still view the end of its session. */
const FINISHED_VISIBLE_MS = 60 * 60 * 1000;

/**
 * Serves the pages below `/connect/<link>`: GET shows the state of the session, and a POST of one of its forms advances it. Both answer
 * with JSON when a client asks for it; `GET <link>/state` and `<link>/banks` are only for the client.
 */
export function createWidgetPages({ sessions, publicUrl, log, client }: WidgetDependencies): Router {
  const site = new URL(publicUrl).pathname.replace(/\/$/, "");
  const [cookie, languages] = [createOwnerCookie(publicUrl), createLanguageChoice(publicUrl)];
  const shared = { sessions, cookie, languages };
  const pages = createPagePresenter({ ...shared, script: client && `${site}/connect/assets/${client.name}` });
  const states = createStatePresenter(shared);
  const visitOf = (request: Request) => visitBy(request, site, cookie, languages);

  const atOnce = createPlaces({ ofKey, retryAfterSeconds: AWAY_SECONDS });

  const router = Router();
  router.use("/connect", headed);
  if (client) router.use(clientRoutes(client));
  router.get("/connect/callback", handleCallback({ sessions, pages, cookie, languages, site }));
  router.use("/connect/:link", bounded);
  router.get(["/connect/:link", "/connect/:link/state"], keepLanguage);
  router.get("/connect/:link", (request, response) => {
    // Redirects to the address that was handed out, so that reloading uses it.
    if (requestedLanguage(request) !== null) response.redirect(303, visitOf(request).path);
    else return pages.present(visitOf(request), request, response);
  });
  router.get("/connect/:link/state", (request, response) => states.present(visitOf(request), request, response));
  router.get("/connect/:link/banks", listBanks);
  for (const [name, step] of Object.entries(createSteps(sessions)))
    router.post(`/connect/:link/${name}`, (request, response) => take(step, request, response));
  router.get("/connect/:link/:step", (request, response) => response.redirect(303, visitOf(request).path));
  router.all(["/connect/:link", "/connect/:link/:step"], (request, response) => {
    const { path } = visitOf(request);
    presenterFor(request).notify("notAllowed", path, request, response.set("Allow", "GET, HEAD, POST"));
  });
  router.use("/connect", failed);
  return router;

  function presenterFor(request: Request): Presenter {
    return request.accepts(["html", "json"]) === "json" ? states : pages;
  }

  async function listBanks(request: Request, response: Response): Promise<void> {
    const visit = visitOf(request);
    const { link, owner } = visit;
    const query = bankQueryOf(request);
    const context = contextFor(visit, await sessions.view(link, owner, requestOf(visit)), response, cookie);
    const near = similarLanguages(request, context.language);
    const list = bankListOf(await sessions.banks(link, owner, { ...query, near }, requestOf(visit)), context);
    const answer: BanksAnswer = { ...list, html: foundBanks(context, query, list).text };
    response.json(answer);
  }

  async function take(step: Step, request: Request, response: Response): Promise<void> {
    const visit = visitOf(request);
    const { present, moved, leave, notify } = presenterFor(request);
    const form = await readPostedForm(request);
    if (isFromElsewhere(request) || !isFormToken(form.csrf_token, visit.owner, visit.link))
      return notify("forbidden", visit.path, request, response);
    try {
      const { faults, owner, leads_to } = await step(visit, form);
      if (faults) return await present(visit, request, response, faults);
      if (leads_to !== undefined) return await leave(visit, leads_to, request, response);
      if (owner !== undefined) await keepOwner(visit, owner, response);
    } catch (error) {
      if (!(error instanceof CoreError)) throw error;
      if (error.code === "VALIDATION_ERROR") return present(visit, request, response, faultsOfRefusal(error));
      if (error.code === "RATE_LIMITED") return notify("tooMany", visit.path, request, response);
      if (error.code !== "CONFLICT" && error.code !== "NOT_FOUND") throw error;
    }
    await moved(visit, request, response);
  }

  async function keepOwner(visit: WidgetRequest, owner: string, response: Response): Promise<void> {
    const view = await sessions.view(visit.link, owner, requestOf(visit));
    if (view.kind !== "owned") return;
    cookie.write(response, visit.link, owner, new Date(Date.parse(view.expires_at) + FINISHED_VISIBLE_MS));
  }

  /** Stores the language of the switch in a cookie. Opening a link changes nothing else. */
  function keepLanguage(request: Request, response: Response, next: NextFunction): void {
    const language = requestedLanguage(request);
    if (language !== null) languages.keep(request, response, language);
    next();
  }

  /** Sets the headers. Under a server's edge the exchange has begun; pages mounted elsewhere begin their own. */
  function headed(request: Request, response: Response, next: NextFunction): void {
    exchangeOf(request, response);
    response.set(pageHeaders);
    next();
  }

  function bounded(request: Request, response: Response, next: NextFunction): void {
    const { link, path } = visitOf(request);
    const exchange = exchangeOf(request, response);
    const limit = atOnce.take(link);
    if (limit) {
      exchange.note({ limit: limit.name });
      response.set(retryAfter(limit.retryAfterSeconds));
      presenterFor(request).notify("tooMany", path, request, response);
      return;
    }
    exchange.atClose(() => atOnce.leave(link));
    next();
  }

  function failed(error: unknown, request: Request, response: Response, next: NextFunction): void {
    if (response.headersSent) {
      next(error);
      return;
    }
    const path = `${site}/connect/${/\/connect\/([^/?]*)/.exec(request.originalUrl)?.[1] ?? ""}`;
    const { notify } = presenterFor(request);
    const refusal = refusalOf(error);
    // Includes RATE_LIMITED, when the tenant's other requests already wait for the database: the customer can only wait.
    const outage = outageOf(error);
    if (outage?.code === "UNAVAILABLE" || outage?.code === "RATE_LIMITED") {
      response.set(retryAfter(outage.retryAfterSeconds ?? AWAY_SECONDS));
      notify("away", path, request, response);
    } else if (refusal !== null) notify(refusal, path, request, response);
    else {
      const { traceId } = exchangeOf(request);
      log.error({ err: error, trace_id: traceId }, "a page of the widget failed");
      notify("defect", path, request, response, traceId);
    }
  }
}

/** Returns why the request itself is refused; null for a defect of ours. A body that is not a form cannot come from our pages. */
function refusalOf(error: unknown): NoticeKind | null {
  if (error instanceof BodyError && error.limit) return "tooMany";
  if (error instanceof BodyError)
    return error.code === "too_large" ? "tooLarge" : error.code === "wrong_type" ? "forbidden" : "badRequest";
  // The session belonged to this browser when its page was loaded, or never did.
  if (error instanceof CoreError && error.code === "NOT_FOUND") return "taken";
  const status = error instanceof Error && "status" in error ? Number(error.status) : 500;
  return status >= 400 && status < 500 ? "badRequest" : null;
}

/** Whether the browser says that another site caused the request. `Origin` does not help: with `no-referrer` it is `null`. */
function isFromElsewhere(request: Request): boolean {
  const site = request.headers["sec-fetch-site"];
  return site === "cross-site" || site === "same-site";
}
