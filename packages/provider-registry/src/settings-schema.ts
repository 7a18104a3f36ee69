import type { VaultContext } from "@org/core";
import type { ProviderDefinition } from "@org/provider-kit";
import { z } from "zod";

/** Whether a provider takes no settings at all: then nobody has to set any. */
export function needsNoSettings({ settings }: ProviderDefinition): boolean {
  const shape = (settings as Partial<z.ZodObject>).shape;
  return shape !== undefined && Object.keys(shape).length === 0;
}

/** What a provider takes, as a JSON Schema; null where its schema cannot be said in one. */
export function schemaText({ settings }: ProviderDefinition): Readonly<Record<string, unknown>> | null {
  try {
    return z.toJSONSchema(settings, { io: "input", unrepresentable: "any" }) as Record<string, unknown>;
  } catch {
    return null;
  }
}

/** What sealed settings are bound to. */
export function settingsContext(tenantId: string | null, provider: string): VaultContext {
  return { purpose: "provider-settings", row: `${tenantId ?? "installation"} ${provider}` };
}

/** Shorter texts are not looked for: they are in every sentence. */
const MIN_LENGTH = 4;

/** A text in which nothing is left of these secrets, as they are and as URLs, JSON and HTTP headers write them. */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  const written = secrets
    .filter((secret) => secret.length >= MIN_LENGTH)
    .flatMap((secret) => [
      secret,
      encodeURIComponent(secret),
      JSON.stringify(secret).slice(1, -1),
      Buffer.from(secret).toString("base64").replaceAll("=", ""),
    ]);
  const longestFirst = [...new Set(written)].sort((a, b) => b.length - a.length);
  return longestFirst.reduce((left, secret) => left.replaceAll(secret, "…"), text);
}

/**
 * Paths at which settings hold, in the place of a secret, what is shown instead of one, as in `banks[0].auth.client_secret`.
 * @param masked the same settings as they are shown
 */
export function shownSecretsIn(stated: unknown, masked: unknown, path: string): string[] {
  if (stated === "set" && masked === "set") return [path];
  if (stated === null || typeof stated !== "object" || masked === null || typeof masked !== "object") return [];
  return Object.entries(stated).flatMap(([name, value]) =>
    shownSecretsIn(
      value,
      (masked as Readonly<Record<string, unknown>>)[name],
      Array.isArray(stated) ? `${path}[${name}]` : `${path}.${name}`,
    ),
  );
}
