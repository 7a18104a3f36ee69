import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { type Request, type Response, Router } from "express";

/** The built client, which takes over the pages where JavaScript runs. */
export interface WidgetClient {
  /** File name in its address; it changes with the content. */
  readonly name: string;
  readonly body: Buffer;
  readonly zipped: Buffer;
}

const YEAR_SECONDS = 31_536_000;

/**
 * Reads the built client, by default the one that comes with this package. Null when there is none, for example when
 * the package runs from source.
 */
export function readWidgetClient(folder: URL = new URL("client/", import.meta.url)): WidgetClient | null {
  const file = new URL("main.js", folder);
  if (!existsSync(file)) return null;
  const body = readFileSync(file);
  const hash = createHash("sha256").update(body).digest("base64url").slice(0, 12);
  return { name: `main-${hash}.js`, body, zipped: gzipSync(body, { level: 9 }) };
}

/** Serves the client at `/connect/assets/<name>`. Browsers may cache it forever. */
export function clientRoutes({ name, body, zipped }: WidgetClient): Router {
  const router = Router();
  router.get("/connect/assets/:name", (request: Request, response: Response) => {
    if (request.params.name !== name) {
      response.status(404).type("text").send("There is nothing at this address.\n");
      return;
    }
    const takesZipped = request.acceptsEncodings("gzip") !== false;
    response
      .set({
        "Cache-Control": `public, max-age=${YEAR_SECONDS}, immutable`,
        "Cross-Origin-Resource-Policy": "same-origin",
        Vary: "Accept-Encoding",
        ...(takesZipped && { "Content-Encoding": "gzip" }),
      })
      .type("text/javascript")
      .send(takesZipped ? zipped : body);
  });
  return router;
}
