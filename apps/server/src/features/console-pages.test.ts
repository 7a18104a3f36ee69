import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import express from "express";
import { afterAll, describe, expect, it } from "vitest";
import { consolePages, readConsole } from "./console-pages.js";

const script = "console.log(1)";
const folder = await mkdtemp(join(tmpdir(), "console-"));
await mkdir(join(folder, "assets"));
await writeFile(join(folder, "index.html"), "<!doctype html>");
await writeFile(join(folder, "assets/main-1.js"), script);
await writeFile(join(folder, "assets/main-1.js.gz"), gzipSync(script));
await writeFile(join(folder, "assets/main-1.js.br"), brotliCompressSync(script));

const built = await served(readConsole(pathToFileURL(`${folder}/`)));
const missing = await served(readConsole(pathToFileURL(`${folder}/nowhere/`)));
afterAll(() => {
  built.server.close();
  missing.server.close();
});

describe("[C-14.90] the console's files", () => {
  it.each(["/console", "/console/", "/console/letters/1", "/console/sign-in"])("%s is its page", async (path) => {
    const { status, headers } = await ask(built, path);
    expect([status, headers["content-type"], headers["cache-control"]]).toEqual([
      200,
      "text/html; charset=utf-8",
      "no-store",
    ]);
    expect(headers["content-security-policy"]).toBe(
      "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self' data: blob:; frame-src blob:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
    });
  });

  it.each([
    ["br, gzip", "br"],
    ["gzip", "gzip"],
    ["identity", undefined],
  ])("asked for with %s are sent as %s, to be kept for good", async (accepted, encoding) => {
    const { status, headers } = await ask(built, "/console/assets/main-1.js", { "accept-encoding": accepted });
    expect([status, headers["content-encoding"], headers["cache-control"]]).toEqual([
      200,
      encoding,
      "public, max-age=31536000, immutable",
    ]);
    expect(headers["content-type"]).toMatch(/^text\/javascript/);
  });

  it("are not sent again to who has them, nor with HEAD", async () => {
    const { headers } = await ask(built, "/console/assets/main-1.js");
    const again = await ask(built, "/console/assets/main-1.js", { "if-none-match": String(headers.etag) });
    const head = await ask(built, "/console/assets/main-1.js", {}, "HEAD");
    expect([again.status, again.body, head.status, head.body]).toEqual([304, "", 200, ""]);
  });

  it.each(["/console/assets/main-2.js", "/console/assets/main-1.js.br", "/console/assets/..%2findex.html"])(
    "%s is nothing",
    async (path) => {
      const { status, headers } = await ask(built, path);
      expect([status, headers["cache-control"]]).toEqual([404, "no-store"]);
    },
  );

  it("leave the backend alone, and say so when they were not built", async () => {
    const { status, body } = await ask(missing, "/console");
    expect([status, body]).toEqual([503, expect.stringContaining("npm run build")]);
  });
});

async function served(console: ReturnType<typeof readConsole>) {
  const app = express();
  const { routes } = consolePages({ console });
  if (routes?.handle) app.use(routes.handle);
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, port: (server.address() as AddressInfo).port };
}

function ask(
  { port }: { port: number },
  path: string,
  headers: Record<string, string> = {},
  method = "GET",
): Promise<{ status: number | undefined; headers: IncomingHttpHeaders; body: string }> {
  return new Promise((resolve, reject) => {
    request({ host: "127.0.0.1", port, path, headers, method }, async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk);
      resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks).toString("utf8") });
    })
      .on("error", reject)
      .end();
  });
}
