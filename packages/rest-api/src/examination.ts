import { z } from "zod";

/** Result of one check of an installation. */
export const findingSchema = z.object({
  check: z.string(),
  state: z.enum(["ok", "warn", "fail"]),
  message: z.string(),
  next_step: z.string().optional().describe("What to do about it; absent when nothing is to be done."),
});

/** Checks the installation from within the server. */
export interface Examination {
  /** Changes nothing. */
  examine(): Promise<readonly z.infer<typeof findingSchema>[]>;
}
