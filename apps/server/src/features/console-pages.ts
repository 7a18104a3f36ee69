import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { RouteFacts } from "@org/http";
import { pageHeadersFor } from "@org/pages";
import { type Request, type Response, Router } from "express";
import type { Feature } from "../feature.js";

const read = {
  methods: ["GET", "HEAD"],
  family: "console",
  scopes: [],
  maxBodyBytes: null,
  origins: "none",
} as const;

/** The routes of {@link consolePages}. */
export const consolePageRoutes: readonly RouteFacts[] = [
  { ...read, path: "/console", summary: "The console" },
  { ...read, path: "/console/*", summary: "Screens of the console" },
  { ...read, path: "/console/assets/:name", summary: "Scripts and styles of the console" },
];

/** The built console: its page, and the files that the page loads under names that depend on their content. */
export interface BuiltConsole {
  readonly page: Buffer;
  readonly assets: ReadonlyMap<string, Asset>;
}

interface Asset {
  readonly body: Buffer;
  readonly gzip: Buffer | null;
  readonly br: Buffer | null;
  readonly etag: string;
}

const YEAR_SECONDS = 31_536_000;

/** The page runs only its own scripts and calls only its own server; documents are shown in frames without permissions. */
const pageHeaders = {
  ...pageHeadersFor({
    style: "'self'",
    image: "'self' data: blob:",
    frame: "blob:",
    form: "'none'",
    hasScript: true,
  }),
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
};

/** Reads the built console from `folder`. Null when there is none, as when the server runs from its sources. */
export function readConsole(folder: URL): BuiltConsole | null {
  const page = new URL("index.html", folder);
  if (!existsSync(page)) return null;
  const names = readdirSync(new URL("assets/", folder));
  const fileOf = (name: string) => (names.includes(name) ? readFileSync(new URL(`assets/${name}`, folder)) : null);
  const assets = new Map<string, Asset>();
  for (const name of names.filter((each) => !/\.(br|gz)$/.test(each))) {
    const body = readFileSync(new URL(`assets/${name}`, folder));
    const etag = `W/"${createHash("sha256").update(body).digest("base64url").slice(0, 16)}"`;
    assets.set(name, { body, gzip: fileOf(`${name}.gz`), br: fileOf(`${name}.br`), etag });
  }
  return { page: readFileSync(page), assets };
}

/** Serves the console's files; its page is served at the address of every screen. */
export function consolePages({ console: built }: { console: BuiltConsole | null }): Feature {
  const router = Router();
  router.get("/console/assets/:name", (request: Request, response: Response) => {
    const name = String(request.params.name);
    const asset = built?.assets.get(name);
    if (!asset) {
      // Most likely a file of an earlier version: the page reloads itself on this answer.
      response.status(404).set("Cache-Control", "no-store").type("text").send("There is nothing at this address.\n");
      return;
    }
    const encoding = asset.br && asset.gzip ? request.acceptsEncodings(["br", "gzip", "identity"]) : "identity";
    const coded = encoding === "br" ? asset.br : encoding === "gzip" ? asset.gzip : null;
    response
      .set({
        "Cache-Control": `public, max-age=${YEAR_SECONDS}, immutable`,
        "Cross-Origin-Resource-Policy": "same-origin",
        "X-Content-Type-Options": "nosniff",
        Vary: "Accept-Encoding",
        ETag: asset.etag,
        ...(coded && { "Content-Encoding": String(encoding) }),
      })
      .type(name.slice(name.lastIndexOf(".")))
      // express answers 304 to a browser that already has it.
      .send(coded ?? asset.body);
  });
  router.get(["/console", "/console/*screen"], (_request: Request, response: Response) => {
    if (!built) {
      response
        .status(503)
        .set("Cache-Control", "no-store")
        .type("text")
        .send("The console was not built: `npm run build` makes it, then start the server again.\n");
      return;
    }
    response.set(pageHeaders).type("html").send(built.page);
  });
  return { routes: { handle: router } };
}
