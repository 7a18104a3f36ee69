/* The embedded database. PGlite is loaded on first use, so a server on PostgreSQL does not load it. */
import type { EmbeddedDatabase, EmbeddedOptions } from "./open-embedded.js";

/** Opens the embedded database, see open-embedded.ts. @throws StorageError `in_use` when another process uses the folder */
export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  return (await import("./open-embedded.js")).openEmbedded(options);
}

/** Creates a migrated, empty database as a compressed archive for the `templateFile` of {@link EmbeddedOptions}; takes seconds. */
export async function createTemplate(): Promise<Uint8Array> {
  return (await import("./create-template.js")).createTemplate();
}
