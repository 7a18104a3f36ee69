import type { Actor, DataFeeds } from "@org/core";
import { z } from "zod";

/** A file in quarantine. `moved_to` is where it lies, from the drop folder on. */
export const quarantinedFileSchema = z.object({
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

/** A piece of a file, around the place of its fault. */
export const excerptSchema = z.object({
  place: z
    .object({ line: z.int().min(1), column: z.int().min(1).nullable() })
    .nullable()
    .describe("Where the fault is, as the reason names it. Null: the excerpt is how the file begins."),
  is_text: z
    .boolean()
    .describe("False of what is no text, such as a container or an encrypted file; there are no lines then."),
  lines: z
    .array(
      z.object({
        line: z.int().min(1),
        skipped: z.int().min(0).describe("Characters of the line that are left out in front."),
        text: z.string(),
        is_cut: z.boolean().describe("Whether the line goes on."),
      }),
    )
    .readonly()
    .describe("At most eleven of at most 160 characters."),
});

/** Custodian files that were left in the drop folder and refused. */
export interface Quarantine {
  /** The newest `limit` of them. */
  list(limit: number): Promise<z.infer<typeof quarantineSchema>>;
  /** A file with a piece of its text around the fault; that it was looked at is in the audit trail. @throws CoreError NOT_FOUND */
  show(
    operator: Actor,
    file: string,
  ): Promise<{ file: z.infer<typeof quarantinedFileSchema>; excerpt: z.infer<typeof excerptSchema> }>;
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
