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

/** Leaves out what has a document of its own, the console's backend, other spellings of a path, and what is answered 404. */
function isListed({ family, path, methods }: RouteFacts): boolean {
  if (family === "operator" || path.startsWith("/console/api/") || methods.length === 0) return false;
  return !(path.length > 1 && path.endsWith("/"));
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
    "# Routes: paths, scopes, sizes of bodies",
    "",
    "Every path of the server. A token needs one of the scopes; without a scope no token is needed. `GET /reference` and `GET /openapi.json`",
    "say what endpoints take and answer.",
    "",
    "Two groups are not listed one by one: `POST /operator/v1/…` (scope `operator`), which is in the same document, and `/console/api/…`, the",
    "console's own backend. [Configuration](configuration.md) says which addresses serve them (`OPERATOR_LISTEN`, `METRICS_LISTEN`).",
    "",
    "**Origins** are the web pages whose scripts may call a route: `guarded`: those of the installation, of loopback origins and of",
    "`ALLOWED_ORIGINS`; `any`: all, without credentials; `none`: no other page.",
    ...families.flatMap((family) => sectionOf(routes.filter((route) => route.family === family))),
    "",
  ].join("\n");
}

/** A family's table. What nearly all of its routes share is said once above it, and columns without content are left out. */
function sectionOf(routes: readonly RouteFacts[]): string[] {
  const [origins, size] = [mostFrequent(routes.map((route) => route.origins)), mostFrequent(routes.flatMap(bodyOf))];
  const unlike = (value: string, common: string | undefined) => (value === common ? "" : value);
  const columns: [string, (route: RouteFacts) => string][] = [
    ["route", ({ methods, path }) => `${methods.filter((method) => method !== "HEAD").join(", ")} \`${path}\``],
    ["scopes", ({ scopes }) => scopes.map((scope) => `\`${scope}\``).join(", ")],
    ["origins", (route) => unlike(route.origins, origins)],
    ["body", (route) => unlike(bodyOf(route)[0] ?? "", size)],
    ["what it does", ({ summary }) => summary.replaceAll("|", "\\|")],
  ];
  const shown = columns.filter(([, cell]) => routes.some((route) => cell(route) !== ""));
  const lineOf = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    "",
    `## ${routes[0]?.family}`,
    "",
    `Origins: \`${origins}\`.${size === undefined ? "" : ` Bodies: at most ${size}.`}`,
    "",
    lineOf(shown.map(([heading]) => heading)),
    lineOf(shown.map(() => "---")),
    ...routes.map((route) => lineOf(shown.map(([, cell]) => cell(route)))),
  ];
}

/** The first of the most frequent ones. */
function mostFrequent(texts: readonly string[]): string | undefined {
  const count = (text: string) => texts.filter((each) => each === text).length;
  return texts.toSorted((one, other) => count(other) - count(one))[0];
}

function bodyOf({ maxBodyBytes }: RouteFacts): string[] {
  return maxBodyBytes === null ? [] : [sizeOf(maxBodyBytes)];
}

function sizeOf(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${Number((bytes / 1024 / 1024).toFixed(1))} MiB` : `${Math.round(bytes / 1024)} KiB`;
}
