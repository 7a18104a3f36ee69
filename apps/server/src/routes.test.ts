import type { RouteFacts } from "@org/http";
import { readConfig } from "@org/installation";
import { describe, expect, it } from "vitest";
import { routesOf } from "./routes.js";

const table = routesOf(readConfig({ METRICS: "true" }));

describe("the table of routes", () => {
  it("docs/routes.md lists it as it is (run this file with -u to renew the page)", async () => {
    await expect(pageOf(table.routes)).toMatchFileSnapshot("../../../docs/routes.md");
  });

  it.each([
    ["/letters/v1/create-signed", "/letters/v1/create-signed"],
    ["/letters/v1/nothing/here", "/letters/v1/*"],
    ["/connect/v2/connectors/preview-connector-filter", "/connect/v2/connectors/preview-connector-filter"],
    ["/connect/a-secret-link", "/connect/:link"],
    ["/connect/a-secret-link/credentials", "/connect/:link/credentials"],
    ["/connect/assets/client-1234.js", "/connect/assets/:name"],
    ["/metrics", "/metrics"],
    ["/mcp/", null],
    ["/wp-login.php", null],
  ])("[C-1.8] %s is named %s, so that no link or id gets into the log", (path, pattern) => {
    expect(table.patternOf(path)).toBe(pattern);
  });

  it("has no route for the metrics where they are off", () => {
    expect(routesOf(readConfig({})).patternOf("/metrics")).toBeNull();
  });
});

function pageOf(routes: readonly RouteFacts[]): string {
  const families = [...new Set(routes.map(({ family }) => family))];
  return [
    "# Routes",
    "",
    "Every route of the server. The page is written from the table that names requests in the access log and in the metrics;",
    "`npx vitest run apps/server/src/routes.test.ts -u` renews it. Any one of the scopes is enough; without one no access token is",
    "asked for. What the endpoints of the APIs take and answer is in `GET /openapi.json`.",
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
