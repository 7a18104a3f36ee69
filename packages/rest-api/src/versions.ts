import { optional } from "@org/core";
import { z } from "zod";

/** Version of something that several people may change. */
export const versionField = z
  .int()
  .min(0)
  .describe("Another one after each change. A change that names it is refused where somebody made another meanwhile.");

/** The version that the author of a change has seen. */
export const expectedVersion = optional(z.int().min(0)).describe(
  "The version as you know it, 0 of what you believe is not there: the change is refused (409, on `version`) when somebody else made one meanwhile.",
);
