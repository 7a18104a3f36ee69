import { expect, it } from "vitest";
import { readConfig } from "./config.js";

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "https://collector.example/otlp?key=secret" };

it.each([
  ["without an endpoint", { OTEL_SERVICE_NAME: "wealth", OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" }],
  ["with OTEL_SDK_DISABLED", { ...endpoint, OTEL_SDK_DISABLED: "true" }],
  ["with OTEL_TRACES_EXPORTER=none", { ...endpoint, OTEL_TRACES_EXPORTER: "none" }],
])("[C-7.27] no spans are made %s", (_name, environment) => {
  expect(readConfig(environment).tracing).toBeNull();
});

it("[C-7.25] an endpoint is enough, and what is said of it is no secret", () => {
  expect(readConfig(endpoint).tracing).toEqual({
    receiver: "https://collector.example",
    protocol: "http/protobuf",
    queueSize: 2_048,
    batchSize: 512,
    delayMs: 5_000,
    timeoutMs: 30_000,
    propagateToHosts: [],
  });
});

it("[C-7.25] what is said of traces goes before what is said of everything", () => {
  const { tracing } = readConfig({
    ...endpoint,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://127.0.0.1:4318/v1/traces",
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf",
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "http/json",
    OTEL_BSP_MAX_QUEUE_SIZE: "100",
    TRACEPARENT_HOSTS: "Gateway.Internal:8443, 10.0.0.7,[::1]:9000",
  });
  expect(tracing).toMatchObject({
    receiver: "http://127.0.0.1:4318",
    protocol: "http/json",
    queueSize: 100,
    batchSize: 100,
    propagateToHosts: ["gateway.internal:8443", "10.0.0.7", "[::1]:9000"],
  });
});
