import { z } from "zod";
import type { FailureCode } from "../failure.js";
import { type Envelope, type FailureAnswer, limitReachedSchema, outcomeSchema } from "./envelope.js";

const rows = {
  UNAUTHENTICATED: { status: 401, code: null },
  UNAUTHORIZED: { status: 403, code: "Unauthorized" },
  VALIDATION_ERROR: { status: 400, code: "ValidationError" },
  NOT_FOUND: { status: 404, code: "NotFound" },
  CONFLICT: { status: 409, code: "Conflict" },
  CONFIRMATION_REQUIRED: { status: 409, code: "ConfirmationRequired" },
  TOO_LARGE: { status: 413, code: "TooLarge" },
  IDEMPOTENCY_MISMATCH: { status: 422, code: "ValidationError" },
  INSUFFICIENT_DATA: { status: 422, code: "InsufficientData" },
  RATE_LIMITED: { status: 429, code: "RateLimited" },
  UNKNOWN_PATH: { status: 404, code: "NotFound" },
  METHOD_NOT_ALLOWED: { status: 405, code: "MethodNotAllowed" },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, code: "UnsupportedMediaType" },
  TOO_SLOW: { status: 408, code: "RequestTimeout" },
  UNAVAILABLE: { status: 503, code: "Unavailable" },
  INTERNAL_ERROR: { status: 500, code: null },
} as const satisfies Record<FailureCode, FailureAnswer>;

/** The 400 body of the connect endpoints (S2 §7), and the only one of theirs with a trace id (contract §7). */
export const connectValidationSchema = z.object({
  success: z.literal(false),
  error: z.object({
    code: z.literal(rows.VALIDATION_ERROR.code),
    details: z.array(
      z.object({
        error_type: z.enum(["RequiredField", "InvalidValue", "UnknownField"]),
        field: z.string(),
        rule: z.string().describe("What the field has to be, and why it is not."),
      }),
    ),
  }),
  trace_id: z.string().regex(/^[0-9a-f]{32}$/),
});
/** The 401 body of the connect endpoints, verbatim (S2 §7). */
export const connectUnauthenticatedSchema = z.object({ error: z.literal("Invalid credentials") });
/** The 500 body of the connect endpoints, verbatim (S2 §7). */
export const connectInternalErrorSchema = z.object({ error: z.literal("Internal Error") });
/** The connect endpoints' body for all other errors, which S2 does not define. */
export const connectErrorSchema = z.object({
  success: z.literal(false),
  error: z.object({
    code: z.string(),
    message: z.string(),
    details: z.array(limitReachedSchema).optional().describe("The limit that the request met."),
    outcome: outcomeSchema,
  }),
});

/** The preview endpoint's error formats (S2 §7), used for all connect endpoints. */
export const connectEnvelope: Envelope = {
  name: "Connect",
  rows,
  bodyOf({ code, message, details, limit, outcome }, traceId) {
    switch (code) {
      case "UNAUTHENTICATED":
        return { error: "Invalid credentials" } satisfies z.infer<typeof connectUnauthenticatedSchema>;
      case "INTERNAL_ERROR":
        return { error: "Internal Error" } satisfies z.infer<typeof connectInternalErrorSchema>;
      case "VALIDATION_ERROR":
        return {
          success: false,
          error: {
            code: rows[code].code,
            details: (details ?? []).map(({ error_type, field, message, rule = message }) => ({
              error_type,
              field,
              rule,
            })),
          },
          trace_id: traceId,
        } satisfies z.infer<typeof connectValidationSchema>;
      default:
        return {
          success: false,
          error: { code: rows[code].code, message, ...(limit && { details: [limit] }), ...(outcome && { outcome }) },
        } satisfies z.infer<typeof connectErrorSchema>;
    }
  },
  schemaOf(code) {
    switch (code) {
      case "UNAUTHENTICATED":
        return connectUnauthenticatedSchema;
      case "INTERNAL_ERROR":
        return connectInternalErrorSchema;
      case "VALIDATION_ERROR":
        return connectValidationSchema;
      default:
        return connectErrorSchema;
    }
  },
};
