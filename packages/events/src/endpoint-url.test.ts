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
  ["https://münchen.example/ü", null],
  ["http://0x7f.1:3000/", null],
  ["http://0/", "https"],
  ["http://2130706434.example/", "https"],
  ["http://[::ffff:127.0.0.1]/", "https"],
  ["https://[fe80::1%25eth0]/", "absolute"],
  ["https://example.com:99999/", "absolute"],
  ["https://example.com\r\nx-injected: 1/", "control"],
  ["https://example.com/\r\nx-injected: 1", "control"],
  ["https://exa\tmple.com/", "control"],
  [" https://example.com/", "control"],
  ["https://example.com\\@10.0.0.1/", "backslashes"],
  ["https://ex\u202eample.com/", "control"],
  ["https://example.com/\u0000", "control"],
  ["https://user:password@example.com/", "password"],
  ["https://user@example.com/", "password"],
  ["https://example.com/#part", "fragment"],
  [`https://example.com/${"a".repeat(2_000)}`, "2000"],
])("[C-11.63] %s", (url, fault) =>
  fault === null ? expect(endpointUrlFault(url)).toBeNull() : expect(endpointUrlFault(url)).toContain(fault),
);
