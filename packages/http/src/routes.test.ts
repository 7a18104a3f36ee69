import { expect, it } from "vitest";
import { createRouteTable, type RouteFacts } from "./routes.js";

const route = (path: string, ...methods: string[]): RouteFacts => ({
  methods,
  path,
  family: "test",
  scopes: [],
  maxBodyBytes: null,
  origins: "none",
  summary: "Something",
});
const table = createRouteTable([
  route("/connect/:link/*", "GET"),
  route("/mcp", "POST", "DELETE"),
  route("/connect/:link", "GET", "POST"),
  route("/connect/:link/state", "GET"),
  route("/connect/v2/list", "POST"),
  route("/connect/v2/*", "POST"),
  route("/connect/assets/:file", "GET"),
]);

it.each([
  ["/mcp", "/mcp"],
  ["/mcp/", null],
  ["/MCP", null],
  ["/", null],
  ["", null],
  ["/connect/abc", "/connect/:link"],
  ["/connect/abc/state", "/connect/:link/state"],
  ["/connect/abc/username", "/connect/:link/*"],
  ["/connect/abc/a/b/c", "/connect/:link/*"],
  ["/connect/v2/list", "/connect/v2/list"],
  ["/connect/v2/else", "/connect/v2/*"],
  ["/connect/v2", "/connect/v2/*"],
  ["/connect/assets/main.js", "/connect/assets/:file"],
])("the pattern of %j is %j: what says most about the first segments counts", (path, pattern) =>
  expect(table.match(path)?.path ?? null).toBe(pattern),
);

it("a table refuses one method given twice for a path, and keeps the order of its routes", () => {
  expect(() => createRouteTable([route("/a", "GET"), route("/a", "POST", "GET")])).toThrow("two routes for GET /a");
  expect(table.routes.map(({ path }) => path).slice(0, 2)).toEqual(["/connect/:link/*", "/mcp"]);
});
