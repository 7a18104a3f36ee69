import { type Connectors, createProviderGuard, type Runtime, type Storage } from "@org/core";
import { defineProvider, secret } from "@org/provider-kit";
import { createProviderOperations, createProviderRegistry, type ProviderOperations } from "@org/provider-registry";
import { z } from "zod";

/** Provider operations with one provider, `lighthouse`, which requires a key. */
export async function providerServices({
  storage,
  runtime,
  connectors,
}: {
  storage: Storage;
  runtime: Runtime;
  connectors: Connectors;
}): Promise<ProviderOperations> {
  const definition = defineProvider({
    name: "lighthouse",
    title: "Lighthouse Bank",
    settings: z.strictObject({ key: secret() }),
    connectors: () => [{ id: "esp:lighthouse", name: "Lighthouse", country: "ES" }],
    create: () => ({
      login: async () => ({ kind: "rejected" }),
      fetch: async () => ({ refused: "rejected" }),
    }),
  });
  const sleep = (_milliseconds: number, signal?: AbortSignal) =>
    new Promise<void>((_, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason));
    });
  const servicesFor = () => ({
    http: { request: async () => Promise.reject(new Error("no way out")) },
    clock: runtime.clock,
    random: (bytes: number) => new Uint8Array(bytes),
    sleep,
    log: { info: () => undefined, warn: () => undefined },
    pace: async () => null,
    close: async () => undefined,
  });
  const guard = createProviderGuard({ clock: runtime.clock, random: () => 0, sleep });
  const registry = createProviderRegistry({
    definitions: [definition],
    store: storage.providerSettings,
    runtime,
    guard,
    servicesFor,
    sleep,
  });
  await registry.load(0);
  return createProviderOperations({ registry, storage, runtime, connectors, servicesFor, sleep });
}
