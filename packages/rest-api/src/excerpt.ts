import { z } from "zod";

/** An excerpt of a file around the position of its fault. */
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
