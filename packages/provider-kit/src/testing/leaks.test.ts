import { expect, it } from "vitest";
import { createLeakWatch } from "./leaks.js";

const secret = 'key-of "ours" 7d1f/?';

it.each<readonly [place: string, shown: string]>([
  ["plain", `got ${secret}`],
  ["in JSON", JSON.stringify({ key: secret })],
  ["in an address", `https://bank.example/?key=${encodeURIComponent(secret)}`],
  ["in a form", new URLSearchParams({ key: secret }).toString()],
  ["in hexadecimal", Buffer.from(`: ${secret}`).toString("hex")],
  ...["", "a", "ab"].flatMap(
    (before) =>
      [
        [`in base64 after ${before.length} bytes`, Buffer.from(`${before}${secret}:x`).toString("base64")],
        [`in base64url after ${before.length} bytes`, Buffer.from(`${before}${secret}`).toString("base64url")],
      ] as const,
  ),
])("[C-5.163] a secret is found %s", (_, shown) => {
  const watch = createLeakWatch();
  watch.learn([secret]);
  watch.look("the log", shown);
  expect(watch.found).toEqual([`the log shows a secret of ${secret.length} characters`]);
});

it("[C-5.163] a text without a secret shows none", () => {
  const watch = createLeakWatch();
  watch.learn({ secret, day: "2026-03-02", short: "abc" });
  watch.log.info("a fetch on 2026-03-02", { accounts: 3, name: "abc" });
  expect(watch.found).toEqual([]);
});
