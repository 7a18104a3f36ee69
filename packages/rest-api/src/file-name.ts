import { cleanText } from "@org/core";
import { z } from "zod";

/** The name of a file that is sent. Answers name it, so that it must read as it is. */
export const fileName = z
  .string()
  .regex(/^[^\p{Cc}]{1,255}$/u, { error: "must be 1 to 255 characters without control characters", abort: true })
  .refine((name) => cleanText(name) === name, "must not hold characters that are not shown");
