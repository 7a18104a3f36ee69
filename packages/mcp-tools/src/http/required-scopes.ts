import { toolNamed } from "../tool-list.js";
import { isObject } from "./client-envelope.js";

/** Scopes that the tool calls in a request need and the token lacks; one such call refuses a whole batch. */
export function missingScopes(body: unknown, scopes: ReadonlySet<string>): ReadonlySet<string> {
  const missing = new Set<string>();
  for (const message of Array.isArray(body) ? body : [body]) {
    const needed = scopeOfCall(message);
    if (needed !== undefined && !scopes.has(needed)) missing.add(needed);
  }
  return missing;
}

function scopeOfCall(message: unknown): string | undefined {
  if (!isObject(message) || message.method !== "tools/call" || !isObject(message.params)) return undefined;
  const { name } = message.params;
  return typeof name === "string" ? toolNamed(name)?.scope : undefined;
}
