import { refusalSchema } from "@org/wealth";
import { z } from "zod";
import type { FailureCode } from "../failure.js";
import { type Envelope, type FailureAnswer, limitReachedSchema, outcomeSchema, reasonSchema } from "./envelope.js";

const rows = {
  UNAUTHENTICATED: { status: 401, code: "UNAUTHENTICATED" },
  UNAUTHORIZED: { status: 403, code: "UNAUTHORIZED" },
  VALIDATION_ERROR: { status: 400, code: "VALIDATION_ERROR" },
  NOT_FOUND: { status: 404, code: "NOT_FOUND" },
  CONFLICT: { status: 409, code: "CONFLICT" },
  CONFIRMATION_REQUIRED: { status: 400, code: "CONFIRMATION_REQUIRED" },
  TOO_LARGE: { status: 413, code: "VALIDATION_ERROR" },
  IDEMPOTENCY_MISMATCH: { status: 422, code: "VALIDATION_ERROR" },
  INSUFFICIENT_DATA: { status: 422, code: "INSUFFICIENT_DATA" },
  RATE_LIMITED: { status: 429, code: "RATE_LIMITED" },
  UNKNOWN_PATH: { status: 404, code: "NOT_FOUND" },
  METHOD_NOT_ALLOWED: { status: 405, code: "METHOD_NOT_ALLOWED" },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, code: "UNSUPPORTED_MEDIA_TYPE" },
  TOO_SLOW: { status: 408, code: "REQUEST_TIMEOUT" },
  UNAVAILABLE: { status: 503, code: "UNAVAILABLE" },
  INTERNAL_ERROR: { status: 500, code: "INTERNAL_ERROR" },
} as const satisfies Record<FailureCode, FailureAnswer>;

/** One fault in the letters API's format (S2 §7). `rule` is present when a constraint failed. */
const detailSchema = z.object({
  field: z.string().describe("Path in the body, such as labels.client, or the name of a header."),
  error_type: z.enum(["RequiredField", "InvalidValue", "UnknownField"]),
  rule: z.string().optional().describe("What the value has to be, for people."),
  cause: z
    .string()
    .optional()
    .describe(
      "Of a custodian's file: what it lacks to be read, such as format or key; content where it is itself at fault.",
    ),
});

/** Error body of the letters and operator endpoints (S2 §7). */
export const lettersErrorSchema = z.object({
  success: z.literal(false),
  error: z.object({
    code: z.enum([...new Set(Object.values(rows).map(({ code }) => code))]),
    details: z
      .union([z.array(detailSchema), z.array(limitReachedSchema), z.array(refusalSchema)])
      .optional()
      .describe("The faults of the request, the limit that it met, or what a figure lacks."),
    message: z
      .string()
      .optional()
      .describe(
        "What went wrong, where no field is at fault: `LetterNotFound` with NOT_FOUND if there is no such letter.",
      ),
    outcome: outcomeSchema,
    reason: reasonSchema,
  }),
  trace_id: z.string().regex(/^[0-9a-f]{32}$/),
});
type LettersError = z.infer<typeof lettersErrorSchema>;

/** `{success: false, error: {code, details?, message?}, trace_id}`: details when there are faults, else a message; both for a limit. */
export const lettersEnvelope: Envelope = {
  name: "Letters",
  rows,
  bodyOf({ code, message, details, limit, outcome, conflict, missing }, traceId): LettersError {
    const listed = details?.map(({ field, error_type, rule, cause }) => ({
      field,
      error_type,
      ...(rule === undefined ? {} : { rule }),
      ...(cause === undefined ? {} : { cause }),
    }));
    return {
      success: false,
      error: {
        code: rows[code].code,
        ...(listed
          ? { details: listed }
          : { message, ...(limit && { details: [limit] }), ...(missing && { details: [...missing] }) }),
        ...(outcome && { outcome }),
        ...(conflict && { reason: conflict }),
      },
      trace_id: traceId,
    };
  },
  schemaOf: () => lettersErrorSchema,
};
