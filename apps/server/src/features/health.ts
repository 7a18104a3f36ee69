import type { RouteFacts } from "@org/http";
import { icon } from "@org/pages";
import { type Request, type Response, Router } from "express";
import type { Feature } from "../feature.js";

const DAY_SECONDS = 86_400;

const answered = {
  methods: ["GET", "HEAD"],
  family: "process",
  scopes: [],
  maxBodyBytes: null,
  origins: "none",
} as const;

/** The routes of {@link health}. */
export const healthRoutes: readonly RouteFacts[] = [
  { ...answered, path: "/healthz", summary: "Whether the process is alive" },
  { ...answered, path: "/readyz", summary: "Whether requests can be served: the database answers and is migrated" },
  { ...answered, path: "/favicon.ico", summary: "The icon of every page" },
];

/** Whether requests can be served, and if not, why. */
export type Readiness = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/**
 * Routes that the server answers in every state: `GET /healthz` while the process is alive; `GET /readyz` while the database answers and is
 * migrated, 503 otherwise; `GET /favicon.ico`, which browsers request with every page.
 */
export function health({ ready }: { ready: () => Promise<Readiness> }): Feature {
  const router = Router();
  router.get("/healthz", (_request: Request, response: Response) => {
    response.set("Cache-Control", "no-store").json({ status: "ok" });
  });
  router.get("/readyz", async (_request: Request, response: Response) => {
    const state = await ready();
    response
      .status(state.ok ? 200 : 503)
      .set({ "Cache-Control": "no-store", ...(state.ok ? {} : { "Retry-After": "5" }) })
      .json(state.ok ? { status: "ready" } : { status: "unavailable", reason: state.reason });
  });
  router.get("/favicon.ico", (_request: Request, response: Response) => {
    response
      .set({
        "Cache-Control": `public, max-age=${DAY_SECONDS}`,
        "Content-Security-Policy": "default-src 'none'",
        "Cross-Origin-Resource-Policy": "same-origin",
      })
      .type("image/svg+xml")
      .send(icon);
  });
  return { routes: { handle: router } };
}
