import { expect, it } from "vitest";
import { endpointUrlFault } from "./endpoint-url.js";

it.each([
  ["https://example.com/hooks?tenant=1", null],
  ["https://10.0.0.1:8443/hooks", null],
  ["http://localhost:3000/hooks", null],
  ["http://127.1/hooks", null],
  ["http://[::1]:3000/", null],
  ["http://example.com/", "https"],
  ["http://127.0.0.1.example.com/", "https"],
  ["ftp://example.com/", "https"],
  ["/hooks", "absolute"],
  ["https://user:password@example.com/", "password"],
  ["https://user@example.com/", "password"],
  ["https://example.com/#part", "fragment"],
  [`https://example.com/${"a".repeat(2_000)}`, "2000"],
])("[C-11.63] %s", (url, fault) =>
  fault === null ? expect(endpointUrlFault(url)).toBeNull() : expect(endpointUrlFault(url)).toContain(fault),
);
