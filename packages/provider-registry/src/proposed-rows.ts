import { type CatalogueConnector, cleanName, conflict, type Fault, type ImportedRows } from "@org/core";

/** The result of importing the rows that a provider proposes. */
export interface SyncedRows extends ImportedRows {
  /** Rows whose id belongs to another provider in the catalogue; they stay as they are. */
  readonly taken_total: number;
  /** The first 100 of them, by id. */
  readonly taken: readonly { readonly id: string; readonly provider: string }[];
  /** Available rows of this provider that these settings serve, though it does not propose them. */
  readonly unproposed_total: number;
  /** The ids of the first 100 of them. */
  readonly unproposed: readonly string[];
  /** Proposed rows with a fault. */
  readonly left_out_total: number;
  /** A fault of each of the first 100 of them; `id` is null where the row has none, `field` where the row itself is at fault. */
  readonly left_out: readonly { readonly id: string | null; readonly field: string | null; readonly reason: string }[];
}

/** The most rows that an answer names. */
export const MAX_NAMED = 100;

/** The rows that a provider proposes, compared with the catalogue. */
interface ComparedRows {
  /** Lines of an import under the provider's name. */
  readonly proposed: readonly string[];
  /** Rows whose id belongs to another provider in the catalogue, by id; they are left out. */
  readonly taken: readonly { readonly id: string; readonly provider: string }[];
  /** Available rows of the provider that it does not propose, by id. */
  readonly unproposed: readonly CatalogueConnector[];
}

/**
 * Compares the rows that a provider proposes with the stored ones. A row that an operator has made unavailable stays so, whatever the provider says.
 * @param serves whether the settings under which the rows were proposed serve a stored row; others are proposed under other settings
 * @throws CoreError CONFLICT when `rows` is not a list
 */
export function compareRows(
  provider: string,
  rows: unknown,
  catalogue: readonly CatalogueConnector[],
  serves: (connector: CatalogueConnector) => boolean,
): ComparedRows {
  if (!Array.isArray(rows))
    throw conflict("provider_rows_unusable", "the provider proposes something that is no list of rows");
  const known = new Map(catalogue.map((row) => [row.id, row]));
  const ids = new Set<string>();
  const taken: { id: string; provider: string }[] = [];
  const proposed: string[] = [];
  for (const row of rows as readonly unknown[]) {
    const stated = row !== null && typeof row === "object" ? (row as Readonly<Record<string, unknown>>) : {};
    const before = known.get(String(stated.id));
    ids.add(String(stated.id));
    if (before && before.provider !== provider) taken.push({ id: before.id, provider: before.provider });
    else proposed.push(JSON.stringify({ ...stated, ...switchedOff(before), provider }));
  }
  const unproposed = catalogue.filter(
    (row) => row.available && row.provider === provider && !ids.has(row.id) && serves(row),
  );
  const byId = (a: { readonly id: string }, b: { readonly id: string }) => (a.id < b.id ? -1 : 1);
  return { proposed, taken: taken.sort(byId), unproposed: unproposed.sort(byId) };
}

/** A line that makes a row unavailable until its provider proposes it again. */
export function withdrawn({ metadata, ...row }: CatalogueConnector): string {
  return JSON.stringify({ ...metadata, ...row, available: false, withdrawn: true });
}

function switchedOff(before: CatalogueConnector | undefined): { available?: false } {
  return before?.available === false && before.metadata.withdrawn !== true ? { available: false } : {};
}

/** Rows of an import that are left out, as they are answered. @param lines of the import */
export function leftOutRows(lines: readonly string[]) {
  const left_out: SyncedRows["left_out"][number][] = [];
  let left_out_total = 0;
  return {
    /** @param line counted from 1 */
    leaveOut(line: number, [fault]: readonly Fault[]): void {
      left_out_total += 1;
      if (!fault || left_out.length >= MAX_NAMED) return;
      const { id } = JSON.parse(lines[line - 1] ?? "{}") as { readonly id?: unknown };
      const { field, rule, message } = fault;
      const path = field.slice(`line ${line}.`.length);
      left_out.push({
        id: typeof id === "string" ? cleanName(id) : null,
        field: path === "" ? null : path,
        reason: rule ?? message,
      });
    },
    named: () => ({ left_out_total, left_out }),
  };
}
