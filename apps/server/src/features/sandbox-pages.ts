import { randomBytes } from "node:crypto";
import {
  judgeLoginForm,
  type LoginProblem,
  SANDBOX_LOGIN_PATH,
  type SandboxAuthorization,
  sandboxAuthorizationOf,
  sandboxLoginPage,
  sandboxLostPage,
} from "@org/bank-providers";
import { BodyError, type RouteFacts, readBytes, requireFormat } from "@org/http";
import type { Config } from "@org/installation";
import { pageHeaders } from "@org/pages";
import { type NextFunction, type Request, type Response, Router } from "express";
import type { Feature, Platform } from "../feature.js";

const FORM_BYTES = 8 * 1024;
const MAX_SECONDS = 30;

const page = { path: SANDBOX_LOGIN_PATH, family: "sandbox", scopes: [], origins: "none" } as const;

/** The routes of {@link sandboxPages}. */
export const sandboxRoutes: readonly RouteFacts[] = [
  {
    ...page,
    methods: ["GET", "HEAD"],
    maxBodyBytes: null,
    summary: "The login page of sandbox banks that work by redirect",
  },
  { ...page, methods: ["POST"], maxBodyBytes: FORM_BYTES, summary: "Agree or decline on that page" },
];

/**
 * The pages of the sandbox banks that log in by redirect: they represent a bank's own site, to which the widget sends its customers. They store
 * nothing, so any replica can answer, and they redirect only to this installation.
 */
export function sandboxPages({
  config,
  publicUrl,
  clock,
  bankOf,
}: Pick<Platform, "publicUrl" | "clock"> & {
  config: Pick<Config, "sandbox">;
  /** The display name of a connector's bank. */
  bankOf: (connectorId: string) => Promise<string | null>;
}): Feature {
  if (!config.sandbox) return {};
  const callbackUrl = `${publicUrl}/connect/callback`;
  const router = Router();
  router.get(SANDBOX_LOGIN_PATH, (request, response) => show(request, response, null));
  router.post(SANDBOX_LOGIN_PATH, decide, refuseBody);
  return { routes: { handle: router } };

  async function show(request: Request, response: Response, problem: LoginProblem | null): Promise<void> {
    const authorization = sandboxAuthorizationOf(request.query);
    if (authorization === null) return send(response, 400, sandboxLostPage("en"));
    const bank = await bankOf(authorization.connector_id);
    const { language } = authorization;
    const action = `${publicUrl}${request.originalUrl.slice(request.originalUrl.indexOf(SANDBOX_LOGIN_PATH))}`;
    send(response, problem === null ? 200 : 400, sandboxLoginPage(language, { bank, action, problem }));
  }

  async function decide(request: Request, response: Response): Promise<void> {
    requireFormat(request, { mediaType: "application/x-www-form-urlencoded" });
    const form = new URLSearchParams(
      (await readBytes(request, { maxBytes: FORM_BYTES, maxSeconds: MAX_SECONDS })).toString(),
    );
    const authorization = sandboxAuthorizationOf(request.query);
    if (authorization === null) return send(response, 400, sandboxLostPage("en"));
    const verdict = judgeLoginForm(
      authorization,
      {
        username: form.get("username") ?? "",
        password: form.get("password") ?? "",
        decision: form.get("decision") === "agree" ? "agree" : "decline",
      },
      { now: clock(), nonce: randomBytes(16).toString("base64url") },
    );
    if (verdict.kind === "again") await show(request, response, verdict.problem);
    else response.set(pageHeaders).redirect(303, addressOf(authorization, verdict.params));
  }

  function addressOf({ state }: SandboxAuthorization, params: Readonly<Record<string, string>>): string {
    return `${callbackUrl}?${new URLSearchParams({ ...params, state })}`;
  }

  function refuseBody(error: unknown, _request: Request, response: Response, next: NextFunction): void {
    if (!(error instanceof BodyError)) {
      next(error);
      return;
    }
    send(response, error.code === "too_large" ? 413 : 400, sandboxLostPage("en"));
  }

  function send(response: Response, status: number, text: string): void {
    response.status(status).set(pageHeaders).type("html").send(text);
  }
}
