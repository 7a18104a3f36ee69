import { CoreError } from "../errors.js";
import type { Connector } from "../schemas/connector.js";

/**
 * Rows that a provider proposes, as lines of an import: in its name, and available unless it says otherwise, or an operator has switched
 * the row off. Ids that the catalogue has for another provider are left out.
 * @param catalogue rows as they are stored
 * @throws CoreError CONFLICT when it is no list
 */
export function proposedRows(
  provider: string,
  rows: unknown,
  catalogue: readonly Connector[],
): {
  readonly lines: readonly string[];
  readonly taken: readonly { readonly id: string; readonly provider: string }[];
} {
  if (!Array.isArray(rows)) throw new CoreError("CONFLICT", "the provider proposes something that is no list of rows");
  const known = new Map(catalogue.map((row) => [row.id, row]));
  const taken: { id: string; provider: string }[] = [];
  const lines: string[] = [];
  for (const row of rows as readonly unknown[]) {
    const stated = row !== null && typeof row === "object" ? (row as Readonly<Record<string, unknown>>) : {};
    const before = known.get(String(stated.id));
    if (before && before.provider !== provider) taken.push({ id: before.id, provider: before.provider });
    else lines.push(JSON.stringify({ ...switchedOff(before), ...stated, provider }));
  }
  return { lines, taken: taken.sort((a, b) => (a.id < b.id ? -1 : 1)) };
}

function switchedOff(before: Connector | undefined): { available?: false } {
  return before?.available === false ? { available: false } : {};
}
