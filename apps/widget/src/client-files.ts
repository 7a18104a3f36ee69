import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { type Request, type Response, Router } from "express";

/** The built client: what takes the pages over where JavaScript runs. */
export interface WidgetClient {
  /** Name of the file to start with. */
  readonly script: string;
  readonly files: ReadonlyMap<string, { readonly body: Buffer; readonly zipped: Buffer }>;
}

const YEAR_SECONDS = 31_536_000;

/** Reads the client that the build has left in `folder`. Null when there is none, as when the server runs from its sources. */
export function readWidgetClient(folder: URL): WidgetClient | null {
  const manifest = new URL("manifest.json", folder);
  if (!existsSync(manifest)) return null;
  const entries = Object.values(JSON.parse(readFileSync(manifest, "utf8")) as Record<string, ManifestEntry>);
  const script = entries.find(({ isEntry }) => isEntry)?.file;
  if (script === undefined) throw new Error(`${fileURLToPath(manifest)} names no entry`);
  const names = readdirSync(folder).filter((name) => name.endsWith(".js"));
  const files = names.map((name) => {
    const body = readFileSync(new URL(name, folder));
    return [name, { body, zipped: gzipSync(body, { level: 9 }) }] as const;
  });
  return { script, files: new Map(files) };
}

/** A line of the manifest that Vite writes. */
interface ManifestEntry {
  readonly file: string;
  readonly isEntry?: boolean;
}

/** Serves the files at `/connect/assets/<name>`. Their names change with their content, so that browsers keep them for good. */
export function clientRoutes({ files }: WidgetClient): Router {
  const router = Router();
  router.get("/connect/assets/:name", (request: Request, response: Response) => {
    const file = files.get(String(request.params.name));
    if (!file) {
      response.status(404).type("text").send("There is nothing at this address.\n");
      return;
    }
    const zipped = request.acceptsEncodings("gzip") !== false;
    response
      .set({
        "Cache-Control": `public, max-age=${YEAR_SECONDS}, immutable`,
        "Cross-Origin-Resource-Policy": "same-origin",
        Vary: "Accept-Encoding",
        ...(zipped && { "Content-Encoding": "gzip" }),
      })
      .type("text/javascript")
      .send(zipped ? file.zipped : file.body);
  });
  return router;
}
