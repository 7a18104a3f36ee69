import { describe, expect, it } from "vitest";
import { createOriginPolicy, isPreflight, preflightHeaders } from "./origin-policy.js";

const policy = createOriginPolicy("https://wealth.example.com", ["https://app.example.com/"]);

const allowed = [
  "https://wealth.example.com",
  "https://app.example.com",
  "http://localhost:5173",
  "https://localhost",
  "http://127.0.0.1:6274",
  "http://127.0.0.2",
  "http://127.255.255.254:1",
  "http://[::1]:8080",
];
const foreign = [
  "null",
  "",
  "https://evil.example",
  "http://wealth.example.com",
  "https://wealth.example.com:8443",
  "https://localhost.evil.example",
  "https://127.0.0.1.evil.example",
  "http://128.0.0.1",
  "http://0.0.0.0",
  "http://[::2]",
  "file://localhost",
  "vscode-webview://localhost",
];

describe("[C-9.11] pages of the own origin, of loopback and of configured origins may call what is guarded", () => {
  it.each(allowed)("%s may", (origin) => {
    expect(policy.isAllowedOrigin(origin)).toBe(true);
    expect(policy.headersFor("guarded", { origin })).toMatchObject({
      "Access-Control-Allow-Origin": origin,
      "Access-Control-Expose-Headers": expect.stringContaining("X-Trace-Id"),
      Vary: "Origin",
    });
  });

  it.each(foreign)("%j may not", (origin) => {
    expect(policy.isAllowedOrigin(origin)).toBe(false);
    expect(policy.headersFor("guarded", { origin })).toBeNull();
  });
});

it("[security.md] pages of any origin may call what is for any, without credentials, and nothing is said where there is no rule", () => {
  const any = policy.headersFor("any", { origin: "https://evil.example" });
  expect(any).toMatchObject({ "Access-Control-Allow-Origin": "*" });
  expect(any).not.toHaveProperty("Access-Control-Allow-Credentials");
  expect(policy.headersFor("none", { origin: "https://wealth.example.com" })).toBeNull();
  expect(policy.headersFor("guarded", {})).toBeNull();
});

describe("[C-9.11] Host is the installation's or a loopback address", () => {
  it.each([
    ["wealth.example.com", true],
    ["WEALTH.example.com:443", true],
    ["localhost:3000", true],
    ["127.0.0.1", true],
    ["127.8.8.8:1", true],
    ["[::1]:3000", true],
    [undefined, false],
    ["", false],
    ["evil.example", false],
    ["wealth.example.com.evil.example", false],
    ["localhost:3000:1", false],
    ["wealth.example.com:", false],
  ])("%j: %s", (host, isServed) => expect(policy.isServedHost(host)).toBe(isServed));
});

it("[security.md] a preflight is OPTIONS with the method it asks about; its answer says what a route takes", () => {
  const headers = { "access-control-request-method": "POST", "access-control-request-headers": "x-a" };
  expect(isPreflight({ method: "OPTIONS", headers })).toBe(true);
  expect(isPreflight({ method: "OPTIONS", headers: {} })).toBe(false);
  expect(isPreflight({ method: "GET", headers })).toBe(false);
  const facts = { methods: ["POST", "GET"], maxAgeSeconds: 600 };
  expect(preflightHeaders({ ...facts, requestHeaders: ["Authorization"] }, headers)).toEqual({
    "Access-Control-Allow-Methods": "POST, GET",
    "Access-Control-Allow-Headers": "Authorization",
    "Access-Control-Max-Age": "600",
  });
  expect(preflightHeaders({ ...facts, requestHeaders: "asked" }, headers)["Access-Control-Allow-Headers"]).toBe("x-a");
});
