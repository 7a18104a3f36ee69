import type { ToolScope } from "../tool.js";
import { toolNamed } from "../tool-list.js";
import { isObject } from "./client-envelope.js";
import { type Offered, resourceAt } from "./offered.js";

/** Scopes that the calls and reads in a request need and the token lacks; one such message refuses a whole batch. */
export function missingScopes(body: unknown, scopes: ReadonlySet<string>, offered: Offered): ReadonlySet<string> {
  const missing = new Set<string>();
  for (const message of Array.isArray(body) ? body : [body]) {
    const needed = scopeOf(message, offered);
    if (needed !== undefined && !scopes.has(needed)) missing.add(needed);
  }
  return missing;
}

function scopeOf(message: unknown, offered: Offered): ToolScope | undefined {
  if (!isObject(message) || !isObject(message.params)) return undefined;
  const { name, uri } = message.params;
  if (message.method === "tools/call") return typeof name === "string" ? toolNamed(name)?.scope : undefined;
  if (message.method === "resources/read") return typeof uri === "string" ? resourceAt(offered, uri)?.scope : undefined;
  return undefined;
}
