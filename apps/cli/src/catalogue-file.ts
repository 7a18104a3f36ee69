import type { Connector } from "@org/connector-filter";
import { alpha3Of } from "@org/connector-filter/countries";
import { catalogueRowSchema, checkInput, faultsOf } from "@org/core";
import { failed } from "./cli-error.js";
import { readInput } from "./input.js";
import type { Shell } from "./shell.js";

/** A connector as the commands show it. */
export interface CatalogueEntry extends Connector {
  readonly name: string;
  readonly available: boolean;
}

const MAX_FAULTS = 20;

/**
 * Reads a catalogue from a file: NDJSON rows, a JSON list of them, or a JSON document whose `items` are such a list, as the list endpoints
 * return. Rows are read as an import reads them (contract §9); an invalid country is kept as written.
 * @throws CliError naming every faulty line or item, up to 20
 */
export async function readCatalogue(shell: Shell, path: string): Promise<readonly CatalogueEntry[]> {
  const text = (await readInput(shell, path)).toString("utf8").replace(/^\uFEFF/, "");
  const rows = rowsOfJson(text) ?? rowsOfLines(text);
  const faults: string[] = [];
  const entries = rows.flatMap(({ at, value }) => {
    const parsed = value === undefined ? null : checkInput(catalogueRowSchema, value);
    if (parsed?.success) return [entryOf(parsed.data)];
    const found = parsed
      ? faultsOf(parsed.error, value, at).map(({ field, message }) => `${field} ${message}`)
      : [`${at} is not JSON`];
    faults.push(...found);
    return [];
  });
  if (faults.length > 0) throw failed(`${path}: ${listed(faults)}`);
  return entries;
}

function rowsOfJson(text: string): { at: string; value: unknown }[] | null {
  const document = jsonOrUndefined(text);
  const list = Array.isArray(document) ? document : (document as { items?: unknown } | null | undefined)?.items;
  return Array.isArray(list) ? list.map((value, index) => ({ at: `[${index}]`, value })) : null;
}

function rowsOfLines(text: string): { at: string; value: unknown }[] {
  return text.split("\n").flatMap((line, index) => {
    if (line.trim() === "") return [];
    return [{ at: `line ${index + 1}`, value: jsonOrUndefined(line) }];
  });
}

function entryOf(row: ReturnType<typeof catalogueRowSchema.parse>): CatalogueEntry {
  const countries = row.countries ?? [row.country as string];
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    countries: [...new Set(countries.map((country) => alpha3Of(country) ?? country))],
    available: row.available,
  };
}

function listed(faults: readonly string[]): string {
  const more = faults.length - MAX_FAULTS;
  return faults.slice(0, MAX_FAULTS).join("; ") + (more > 0 ? `; and ${more} more` : "");
}

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
