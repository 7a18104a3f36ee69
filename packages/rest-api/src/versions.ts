import { optional } from "@org/core";
import { z } from "zod";

/** Of something that several people may change. */
export const versionField = z
  .int()
  .min(0)
  .describe("Another one after each change. A change that names it is refused where somebody made another meanwhile.");

/** Of a change: what its author has seen. */
export const expectedVersion = optional(z.int().min(0)).describe(
  "The version as you know it, 0 of what you believe is not there: the change is refused (409, on `version`) when somebody else made one meanwhile.",
);
