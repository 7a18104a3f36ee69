import { describe, expect, it } from "vitest";
import { newTraceId, remoteSpan, traceIdIn } from "./trace-id.js";

const sent = "4bf92f3577b34da6a3ce929d0e0e4736";
const parent = "00f067aa0ba902b7";

it.each([
  ["version 00", `00-${sent}-${parent}-01`],
  ["version 00, not sampled", `00-${sent}-${parent}-00`],
  ["a later version", `01-${sent}-${parent}-01`],
  ["a later version with more fields", `cc-${sent}-${parent}-01-what-comes-later`],
])("[C-7.20] the trace id of a traceparent of %s is taken", (_name, traceparent) => {
  expect(traceIdIn(traceparent)).toBe(sent);
});

describe("[C-7.20] a traceparent is invalid", () => {
  it.each([
    ["when there is none", undefined],
    ["when it is no text", 5],
    ["when it is a list", [`00-${sent}-${parent}-01`]],
    ["when it is empty", ""],
    ["as a trace id alone", sent],
    ["of version ff", `ff-${sent}-${parent}-01`],
    ["of version 00 with a fifth field", `00-${sent}-${parent}-01-more`],
    ["of version 00 with a dash at its end", `00-${sent}-${parent}-01-`],
    ["of a later version with more and no dash before it", `01-${sent}-${parent}-01more`],
    ["with a trace id of zeros", `00-${"0".repeat(32)}-${parent}-01`],
    ["with a parent id of zeros", `00-${sent}-${"0".repeat(16)}-01`],
    ["in capitals", `00-${sent.toUpperCase()}-${parent}-01`],
    ["with a version in capitals", `CC-${sent}-${parent}-01`],
    ["with a short trace id", `00-${sent.slice(1)}-${parent}-01`],
    ["with a space before it", ` 00-${sent}-${parent}-01`],
    ["when the header is repeated", `00-${sent}-${parent}-01, 00-${sent}-${parent}-01`],
    ["when the header is repeated in a later version", `01-${sent}-${parent}-01-x, 01-${sent}-${parent}-01`],
  ])("%s", (_name, traceparent) => {
    expect(traceIdIn(traceparent)).toBeNull();
  });
});

it("[C-7.20] a new trace id has 32 hex digits and differs from the last", () => {
  expect(newTraceId()).toMatch(/^[0-9a-f]{32}$/);
  expect(newTraceId()).not.toBe(newTraceId());
});

it("[C-7.25] a traceparent is a parent with its flags and its state", () => {
  expect(remoteSpan(`00-${sent}-${parent}-03`, "vendor=1")).toMatchObject({
    traceId: sent,
    spanId: parent,
    traceFlags: 1,
    isRemote: true,
  });
  expect(remoteSpan(`00-${sent}-${parent}-03`, "vendor=1")?.traceState?.serialize()).toBe("vendor=1");
  expect(remoteSpan(`00-${sent}-${parent}-00`, "x".repeat(513))).toEqual({
    traceId: sent,
    spanId: parent,
    traceFlags: 0,
    isRemote: true,
  });
  expect(remoteSpan(`00-${sent}-${"0".repeat(16)}-01`, undefined)).toBeNull();
});
