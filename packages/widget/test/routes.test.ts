import { createRouteTable } from "@org/http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { widgetRoutes } from "../src/index.js";
import { startWidget } from "./widget-host.js";

let host: Awaited<ReturnType<typeof startWidget>>;

beforeAll(async () => {
  host = await startWidget();
});
afterAll(() => host.stop());

const path = (pattern: string) => pattern.replace(":link", "nothing").replace(":step", "something");

it.each(
  widgetRoutes
    .filter((route) => !route.path.includes("assets"))
    .flatMap((route) => route.methods.map((method) => [method, route.path] as const)),
)("%s %s is answered", async (method, pattern) => {
  const { status, headers } = await host.browser().request(path(pattern), { method });
  expect(status).not.toBe(405);
  expect(headers.get("x-trace-id")).toBe("c".repeat(32));
});

it("no other form is taken, and the log and the metrics name addresses without the link's secret", async () => {
  const { match } = createRouteTable(widgetRoutes);
  expect((await host.browser().request("/connect/nothing/steal", { method: "POST" })).status).toBe(405);
  expect(match("/connect/s3cret/cancel")?.path).toBe("/connect/:link/cancel");
  expect(match("/connect/s3cret/steal")?.path).toBe("/connect/:link/:step");
});
