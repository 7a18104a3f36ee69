import { type Request, type Response, Router } from "express";

/** Whether requests can be served, and if not, why. */
export type Readiness = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/** `GET /healthz`: the process is alive. `GET /readyz`: the database answers and is migrated, 503 otherwise. */
export function healthRoutes({ ready }: { ready: () => Promise<Readiness> }): Router {
  const router = Router();
  router.get("/healthz", (_request: Request, response: Response) => {
    response.set("Cache-Control", "no-store").json({ status: "ok" });
  });
  router.get("/readyz", async (_request: Request, response: Response) => {
    const state = await ready();
    response
      .status(state.ok ? 200 : 503)
      .set("Cache-Control", "no-store")
      .json(state.ok ? { status: "ready" } : { status: "unavailable", reason: state.reason });
  });
  return router;
}
