import { expect, it } from "vitest";
import { isProxied } from "./no-proxy.js";

it.each([
  ["", "https://client.example/x", true],
  ["other.example, client.example", "https://client.example/x", false],
  [".example", "https://client.example/x", false],
  ["*.example", "https://client.example/x", false],
  ["ient.example", "https://client.example/x", true],
  ["client.example:8443", "https://client.example/x", true],
  ["client.example:443", "https://client.example/x", false],
  ["client.example:80", "http://client.example/x", false],
  ["*", "https://client.example/x", false],
  ["other.example,*", "https://client.example/x", false],
  ["[::1]", "https://[::1]:8443/x", false],
  ["[::1]:443", "https://[::1]:8443/x", true],
])("[C-3.40] NO_PROXY=%j: %s through the proxy: %s", (noProxy, url, expected) => {
  expect(isProxied(noProxy, new URL(url))).toBe(expected);
});
