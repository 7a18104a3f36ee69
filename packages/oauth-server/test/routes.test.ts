import { expect, it } from "vitest";
import { oauthRoutes } from "../src/routes.js";
import { install } from "./harness.js";

it.each(oauthRoutes)("$path takes $methods and says so to every other method", async ({ path, methods, origins }) => {
  const at = await install();
  for (const method of methods) {
    const { status } = await fetch(at.issuer + path, { method, redirect: "manual" });
    expect([404, 405]).not.toContain(status);
  }
  const refused = await fetch(at.issuer + path, { method: "PATCH" });
  const allowed = [...methods, ...(origins === "none" ? [] : ["OPTIONS"])];
  expect([refused.status, refused.headers.get("allow")]).toEqual([405, allowed.join(", ")]);
});

it("bodies longer than a route says are 413", async () => {
  const at = await install();
  for (const { path, methods, maxBodyBytes } of oauthRoutes) {
    if (maxBodyBytes === null) continue;
    const headers = {
      "content-type": path === "/register" ? "application/json" : "application/x-www-form-urlencoded",
    };
    const [method] = methods;
    const { status } = await fetch(at.issuer + path, { method, headers, body: "x".repeat(maxBodyBytes + 1) });
    expect([path, status]).toEqual([path, 413]);
  }
});
