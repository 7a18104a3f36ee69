import { z } from "zod";

const webAddress = z
  .string()
  .trim()
  .refine(
    (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
    "must be an http or https URL, such as http://127.0.0.1:4318",
  );
const protocol = z.enum(["http/protobuf", "http/json"], "must be http/protobuf or http/json; gRPC is not spoken");
const count = (max: number) =>
  z
    .string()
    .trim()
    .regex(/^\d{1,9}$/, "must be a whole number")
    .transform(Number)
    .refine((value) => value >= 1 && value <= max, `must be between 1 and ${max}`);

const hosts = z
  .string()
  .transform((text) => text.split(",").map((host) => host.trim().toLowerCase()))
  .refine(
    (names) => names.every((name) => URL.canParse(`http://${name}`) && /^[^/@?#]+$/.test(name)),
    "must be hosts, with their ports where they are not the scheme's, separated by commas: gateway.internal:8443,10.0.0.7",
  );

const SAMPLERS = [
  ...["always_on", "always_off", "traceidratio"],
  ...["parentbased_always_on", "parentbased_always_off", "parentbased_traceidratio"],
] as const;

/**
 * The variables of OpenTelemetry's specification that this server checks before the SDK reads them, and one of its own. The SDK
 * itself also reads `OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`, `OTEL_EXPORTER_OTLP_HEADERS`, `…_COMPRESSION`,
 * certificates and span limits.
 */
export const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: webAddress.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: webAddress.optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: protocol.optional(),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol.optional(),
  OTEL_EXPORTER_OTLP_TIMEOUT: count(60_000).optional(),
  OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: count(60_000).optional(),
  OTEL_TRACES_EXPORTER: z.enum(["otlp", "none"], "must be otlp or none").default("otlp"),
  OTEL_SDK_DISABLED: z.enum(["true", "false"], "must be true or false").default("false"),
  OTEL_TRACES_SAMPLER: z.enum(SAMPLERS, `must be one of ${SAMPLERS.join(", ")}`).optional(),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .trim()
    .refine((text) => /^(0|1|[01]?\.\d+)$/.test(text) && Number(text) <= 1, "must be between 0 and 1, such as 0.05")
    .optional(),
  OTEL_BSP_MAX_QUEUE_SIZE: count(65_536).default(2_048),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: count(8_192).default(512),
  OTEL_BSP_SCHEDULE_DELAY: count(60_000).default(5_000),
  OTEL_BSP_EXPORT_TIMEOUT: count(60_000).default(30_000),
  TRACEPARENT_HOSTS: hosts.default([]),
};

type Values = z.output<z.ZodObject<typeof tracingVariables>>;

/** Where and how spans are exported; null = no spans are created. */
export type TracingSettings = ReturnType<typeof tracingOf>;

export function tracingOf(values: Values) {
  const endpoint = values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? values.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined || values.OTEL_SDK_DISABLED === "true" || values.OTEL_TRACES_EXPORTER === "none")
    return null;
  return {
    /** For display: only the origin, because a path or query may contain a key. */
    receiver: new URL(endpoint).origin,
    protocol: values.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? values.OTEL_EXPORTER_OTLP_PROTOCOL ?? "http/protobuf",
    /** Maximum number of spans that wait for export; more are dropped. */
    queueSize: values.OTEL_BSP_MAX_QUEUE_SIZE,
    batchSize: Math.min(values.OTEL_BSP_MAX_EXPORT_BATCH_SIZE, values.OTEL_BSP_MAX_QUEUE_SIZE),
    delayMs: values.OTEL_BSP_SCHEDULE_DELAY,
    timeoutMs: values.OTEL_BSP_EXPORT_TIMEOUT,
    /** Hosts that get the trace context of a request, in lower case, with their ports unless they are the scheme's default. */
    propagateToHosts: values.TRACEPARENT_HOSTS,
  };
}
