import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { RouteFacts } from "@org/http";
import { readConfig } from "@org/installation";
import { oauthRoutes } from "@org/oauth-server";
import { describe, expect, it } from "vitest";
import { sandboxRoutes } from "./features/sandbox-pages.js";
import { routesOf } from "./routes.js";

const table = routesOf(readConfig({ METRICS: "true" }));

describe("the table of routes", () => {
  it("docs/reference/routes.md lists it as it is (run this file with -u to renew the page)", async () => {
    await expect(pageOf(table.routes.filter(isListed))).toMatchFileSnapshot("../../../docs/reference/routes.md");
  });

  it.each([
    ["/letters/v1/create-signed", "/letters/v1/create-signed"],
    ["/letters/v1/nothing/here", "/letters/v1/*"],
    ["/connect/v2/connectors/preview-connector-filter", "/connect/v2/connectors/preview-connector-filter"],
    ["/connect/a-secret-link", "/connect/:link"],
    ["/connect/a-secret-link/credentials", "/connect/:link/credentials"],
    ["/connect/assets/client-1234.js", "/connect/assets/:name"],
    ["/console/letters", "/console/*"],
    ["/console/api", "/console/api/*"],
    ["/console/api/letters", "/console/api/*"],
    ["/metrics", "/metrics"],
    ["/mcp/", "/mcp/"],
    ["/wp-login.php", null],
  ])("[C-1.8] %s is named %s, so that no link or id gets into the log", (path, pattern) => {
    expect(table.match(path)?.path ?? null).toBe(pattern);
  });

  it("[C-1.8] has every path that express is given, so that no request to one is without a name", () => {
    const given = mountedPaths();
    expect(given.length).toBeGreaterThan(15);
    const known = new Set(table.routes.map(({ path }) => shapeOf(path)));
    expect(given.filter(({ path }) => !known.has(shapeOf(path)))).toEqual([]);
  });

  it("has no route for the metrics where they are off", () => {
    expect(routesOf(readConfig({})).match("/metrics")).toBeNull();
  });
});

/** Leaves out the operators' individual operations, which are all alike, and the REST routes that are served to people again. */
function isListed({ family, path, methods }: RouteFacts): boolean {
  const isServedToPeople = path.startsWith("/console/api/") && table.at(path.slice("/console/api".length)) !== null;
  return !isServedToPeople && (family !== "operator" || methods.length === 0);
}

/** The paths that sources pass to express's routers: literals, and those of {@link computed}. */
function mountedPaths(): { file: string; path: string }[] {
  return sources()
    .map((file) => ({ file, text: readFileSync(`${root}${file}`, "utf8") }))
    .filter(({ text }) => /\bRouter\b.*from "express"/.test(text))
    .flatMap(({ file, text }) =>
      [...text.matchAll(/\brouter\s*\.(?:get|post|put|patch|delete|all)\(\s*(\[[^\]]*\]|[^,)]+)/g)]
        .flatMap(([, argument = ""]) => pathsIn(argument))
        .map((path) => ({ file, path })),
    );
}

const root = fileURLToPath(new URL("../../../", import.meta.url));

function sources(): string[] {
  const folders = ["apps/server/src", ...readdirSync(`${root}packages`).map((name) => `packages/${name}/src`)];
  return folders
    .filter((folder) => existsSync(root + folder))
    .flatMap((folder) =>
      readdirSync(root + folder, { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
    )
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));
}

/** First arguments that are not literals, with the paths they stand for; the authorization server mounts its own rows of the table. */
const computed: Readonly<Record<string, readonly string[]>> = {
  SANDBOX_LOGIN_PATH: sandboxRoutes.map(({ path }) => path),
  path: oauthRoutes.map(({ path }) => path),
};

function pathsIn(argument: string): readonly string[] {
  const literals = [...argument.matchAll(/["`](\/[^"`]*)["`]/g)].map(([, path = ""]) => path);
  return literals.length > 0 ? literals : (computed[argument.trim()] ?? [argument]);
}

/** The path without the names of its parameters. */
function shapeOf(path: string): string {
  return path.replaceAll(/:\w+|\$\{\w+\}/g, ":").replace(/\/\*\w*$/, "/*");
}

function pageOf(routes: readonly RouteFacts[]): string {
  const families = [...new Set(routes.map(({ family }) => family))];
  return [
    "# Routes",
    "",
    "The routes of the server. The page is written from the table that names requests in the access log and in the metrics;",
    "`npx vitest run apps/server/src/routes.test.ts -u` renews it. Any one of the scopes is enough; without one no access token is",
    "asked for. What the endpoints of the APIs take and answer is in `GET /openapi.json`.",
    "",
    "That document also has the operators' endpoints, which are not listed here: `POST` below `/operator/v1`, scope `operator`, origins",
    "`guarded`. Nor are those that the console's backend serves to people: each path of the document, behind `/console/api`.",
    "",
    "Origins: `guarded` may be called by web pages of the installation's own origin, of loopback origins and of `ALLOWED_ORIGINS`,",
    "`any` by all of them, without credentials, `none` by no script of another page.",
    "",
    "With `OPERATOR_LISTEN` the routes of `operator` are answered at that address only, with `METRICS_LISTEN` those of `/metrics`:",
    "[configuration.md](configuration.md) says what else these addresses answer.",
    ...families.flatMap((family) => [
      "",
      `## ${family}`,
      "",
      "| methods | path | scopes | body | origins | |",
      "| --- | --- | --- | --- | --- | --- |",
      ...routes.filter((route) => route.family === family).map(lineOf),
    ]),
    "",
  ].join("\n");
}

function lineOf({ methods, path, scopes, maxBodyBytes, origins, summary }: RouteFacts): string {
  const codes = (texts: readonly string[]) => texts.map((text) => `\`${text}\``).join(", ");
  const cells = [
    methods.length > 0 ? methods.join(", ") : "any other",
    codes([path]),
    codes(scopes),
    sizeOf(maxBodyBytes),
    origins,
    summary,
  ];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

function sizeOf(bytes: number | null): string {
  if (bytes === null) return "";
  return bytes >= 1024 * 1024 ? `${Number((bytes / 1024 / 1024).toFixed(1))} MiB` : `${Math.round(bytes / 1024)} KiB`;
}
