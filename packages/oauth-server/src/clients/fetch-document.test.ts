import dns from "node:dns";
import { expect, it, onTestFinished, vi } from "vitest";
import { createDocumentFetch } from "./fetch-document.js";

it("[security.md] documents are found without the threads that look up everything else", async () => {
  const lookup = vi.spyOn(dns, "lookup");
  const promised = vi.spyOn(dns.promises, "lookup");
  const resolve = vi.spyOn(dns.promises.Resolver.prototype, "resolve4").mockResolvedValue(["10.0.0.1"]);
  vi.spyOn(dns.promises.Resolver.prototype, "resolve6").mockResolvedValue([]);
  onTestFinished(() => void vi.restoreAllMocks());
  const fetched = createDocumentFetch(() => new Date(0))("https://client.example/client.json", "203.0.113.0/24");
  await expect(fetched).rejects.toThrow("no public address");
  expect(resolve).toHaveBeenCalledExactlyOnceWith("client.example");
  expect([lookup.mock.calls, promised.mock.calls]).toEqual([[], []]);
});
