import { icon } from "@org/pages";
import { type Request, type Response, Router } from "express";

const DAY_SECONDS = 86_400;

/** `GET /favicon.ico`, which browsers ask for whatever page they show: the mark, as SVG, kept for a day. */
export function iconRoute(): Router {
  const router = Router();
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
  return router;
}
