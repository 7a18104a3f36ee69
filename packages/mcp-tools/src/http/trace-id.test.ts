import { expect, it } from "vitest";
import { newTraceId, traceIdIn } from "./trace-id.js";

const trace = "4bf92f3577b34da6a3ce929d0e0e4736";

it("takes the trace id out of a W3C traceparent, of later versions too", () => {
  expect(traceIdIn(`00-${trace}-00f067aa0ba902b7-01`)).toBe(trace);
  expect(traceIdIn(`cc-${trace}-00f067aa0ba902b7-01-what-comes-later`)).toBe(trace);
});

it("takes nothing out of what is none", () => {
  const parent = "00f067aa0ba902b7";
  for (const text of [
    undefined,
    5,
    "",
    trace,
    `ff-${trace}-${parent}-01`,
    `00-${"0".repeat(32)}-${parent}-01`,
    `00-${trace}-${"0".repeat(16)}-01`,
    `00-${trace.toUpperCase()}-${parent}-01`,
  ])
    expect(traceIdIn(text)).toBeNull();
});

it("makes ids of 32 hex digits that differ", () => {
  expect(newTraceId()).toMatch(/^[0-9a-f]{32}$/);
  expect(newTraceId()).not.toBe(newTraceId());
});
