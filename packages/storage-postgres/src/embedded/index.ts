/* The embedded database. PGlite is loaded on first use, so a server on PostgreSQL does not load it. */
import type { EmbeddedDatabase, EmbeddedOptions } from "./open-embedded.js";

/** Opens it, see open-embedded.ts. @throws StorageError `in_use` when another process has the folder */
export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  return (await import("./open-embedded.js")).openEmbedded(options);
}

/** A migrated, empty one as a compressed archive, for the `templateFile` of {@link EmbeddedOptions}; made in seconds. */
export async function createTemplate(): Promise<Uint8Array> {
  return (await import("./create-template.js")).createTemplate();
}
