import { type Request, type Response, Router } from "express";

/** `GET /healthz`: the process is alive. `GET /readyz`: the database answers and is migrated, 503 otherwise. */
export function healthRoutes(deps: { ready: () => Promise<{ ok: true } | { ok: false; reason: string }> }): Router {
  const router = Router();
  router.get("/healthz", (_request: Request, response: Response) => {
    response.json({ status: "ok" });
  });
  router.get("/readyz", async (_request: Request, response: Response) => {
    const state = await deps.ready();
    response
      .status(state.ok ? 200 : 503)
      .json(state.ok ? { status: "ready" } : { status: "unavailable", reason: state.reason });
  });
  return router;
}
