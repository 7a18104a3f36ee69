import { expect, it } from "vitest";
import { isLoopbackHost } from "./loopback.js";

it.each([
  ...(["localhost", "LOCALHOST", "127.0.0.1", "127.0.0.2", "127.255.255.254", "[::1]"] as const).map(
    (host) => [host, true] as const,
  ),
  ...(
    ["", "::1", "localhost.example.com", "127.0.0.1.example.com", "128.0.0.1", "10.0.0.1", "[::2]", "0.0.0.0"] as const
  ).map((host) => [host, false] as const),
])("%s is a loopback host: %s", (host, isLoopback) => {
  expect(isLoopbackHost(host)).toBe(isLoopback);
});
