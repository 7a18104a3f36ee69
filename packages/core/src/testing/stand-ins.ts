import { createHash } from "node:crypto";
import type { BankProvider } from "@org/provider-kit";
import type { Runtime } from "../ports/runtime.js";
import type { ProviderDirectory } from "../providers/provider-directory.js";
import type { Uuid } from "../schemas/identifier.js";
import type { TenantAccess } from "../tenants/tenant-access.js";

/** Runtime for tests: a clock that only `advance` moves, ids and secrets that count up, a vault that checks contexts. */
export function createTestRuntime(
  start = new Date("2026-03-02T09:00:00.000Z"),
): Runtime & { advance: (ms: number) => void } {
  let now = start.getTime();
  let count = 0;
  const serial = () => {
    count += 1;
    return count.toString(16).padStart(12, "0");
  };
  const lock = (text: string, context: object) => Buffer.from(JSON.stringify({ text, context })).toString("base64url");
  const unlock = (sealed: string, context: object) => {
    const opened = JSON.parse(Buffer.from(sealed, "base64url").toString("utf8"));
    if (JSON.stringify(opened.context) !== JSON.stringify(context))
      throw new Error("sealed for another row or purpose");
    return opened.text as string;
  };
  return {
    advance: (ms) => {
      now += ms;
    },
    clock: () => new Date(now),
    staleAfterDays: 5,
    newId: () => `01900000-0000-7000-8000-${serial()}` as Uuid,
    newSecret: () => createHash("sha256").update(serial()).digest("base64url"),
    mac: (purpose, text) => createHash("sha256").update(`${purpose}\0${text}`).digest("hex"),
    vault: {
      seal: async (text, context) => lock(text, context),
      open: async (sealed, context) => unlock(sealed, context),
      sealBytes: async (bytes, context, { mayOverwrite = false } = {}) => {
        const ciphertext = mayOverwrite ? bytes : bytes.slice();
        for (const [index, byte] of ciphertext.entries()) ciphertext[index] = byte ^ 0x5a;
        return { key: lock("", context), ciphertext };
      },
      openBytes: async ({ key, ciphertext }, context) => {
        unlock(key, context);
        return ciphertext.map((byte) => byte ^ 0x5a);
      },
    },
  };
}

/** A {@link ProviderDirectory} of these providers, the same for every tenant. */
export function directoryOf(...providers: readonly BankProvider[]): ProviderDirectory {
  const byName = new Map(providers.map((provider) => [provider.name, provider]));
  return {
    for: ({ provider }) => byName.get(provider) ?? null,
    ownOf: () => null,
    owners: () => [],
    has: (name) => byName.has(name),
    serves: ({ provider }) => byName.has(provider),
    names: [...byName.keys()],
    offering: () => [...byName.keys()].join(" "),
  };
}

/** A {@link TenantAccess} in memory: a switch without any effect. */
export function createMemoryTenantAccess(): TenantAccess {
  const disabled = new Set<string>();
  return {
    disabled: async () => new Set(disabled),
    async setEnabled(tenantId, enabled) {
      if (enabled) disabled.delete(tenantId);
      else disabled.add(tenantId);
    },
  };
}
