import type { VaultContext } from "@org/core";
import { isSecret, type ProviderDefinition } from "@org/provider-kit";
import { z } from "zod";

/** Whether a provider takes no settings at all, so that nobody has to set any. */
export function needsNoSettings({ settings }: ProviderDefinition): boolean {
  const shape = (settings as Partial<z.ZodObject>).shape;
  return shape !== undefined && Object.keys(shape).length === 0;
}

/** The settings that a provider takes, as a JSON Schema; null if its schema cannot be expressed in one. */
export function schemaText({ settings }: ProviderDefinition): Readonly<Record<string, unknown>> | null {
  try {
    return z.toJSONSchema(settings, {
      io: "input",
      unrepresentable: "any",
      override({ zodSchema, jsonSchema }) {
        // Another copy of zod may keep what it knows of its schemas to itself.
        if (isSecret(zodSchema)) jsonSchema.secret = true;
      },
    }) as Record<string, unknown>;
  } catch {
    return null;
  }
}

/** What sealed settings are bound to. */
export function settingsContext(tenantId: string | null, provider: string): VaultContext {
  return { purpose: "provider-settings", row: `${tenantId ?? "installation"} ${provider}` };
}

/** Shorter secrets are not looked for, because such texts are in every sentence. */
const MIN_LENGTH = 4;

/** Removes secrets from a text, as they are and as URLs, JSON and HTTP headers write them. */
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
 * Paths at which settings hold the placeholder that is shown instead of a secret, such as `banks[0].auth.client_secret`.
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
