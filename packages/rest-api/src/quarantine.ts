import type { Actor, DataFeeds } from "@org/core";
import { z } from "zod";

/** A file in quarantine. `moved_to` is where it lies, from the drop folder on. */
const quarantinedFileSchema = z.object({
  name: z.string(),
  folder: z.string().nullable().describe("The subfolder that it was left in: an id, or whatever somebody called it."),
  refused_at: z.string(),
  code: z.string(),
  reason: z.string(),
  size: z.int().min(0),
  sha256: z.string().nullable().describe("Null when it was not read."),
  moved_to: z.string(),
});

/** Newest first. */
export const quarantineSchema = z.object({
  watched: z.boolean().describe("Whether this server has a drop folder (DROP_DIR)."),
  items: z.array(quarantinedFileSchema),
  total: z.int().min(0),
});

/** Custodian files that were left in the drop folder and refused. */
export interface Quarantine {
  /** The newest `limit` of them. */
  list(limit: number): Promise<z.infer<typeof quarantineSchema>>;
  /**
   * Takes a file after all, for the connection or letter whose folder it lay in, or for `target`. A refused one stays, with the new
   * reason. @param file its `moved_to` @throws CoreError NOT_FOUND, and what taking a file throws
   */
  retry(
    operator: Actor,
    file: string,
    target: { connection_id: string } | { letter_id: string } | null,
  ): ReturnType<DataFeeds["ingest"]>;
  /** Deletes a file with its reason; that it was deleted is in the audit trail. @throws CoreError NOT_FOUND */
  drop(operator: Actor, file: string): Promise<void>;
}
