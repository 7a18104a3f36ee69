import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { expect, it } from "vitest";
import { traceOf } from "./trace.js";

const sent = "4bf92f3577b34da6a3ce929d0e0e4736";
const generated = "0123456789abcdef0123456789abcdef";

function trace(traceparent: string | undefined, present?: string): [string, unknown] {
  const request = new IncomingMessage(new Socket());
  if (traceparent !== undefined) request.headers.traceparent = traceparent;
  const response = new ServerResponse(request);
  if (present !== undefined) response.setHeader("X-Trace-Id", present);
  return [traceOf(request, response, () => generated), response.getHeader("x-trace-id")];
}

it.each([
  ["version 00", `00-${sent}-00f067aa0ba902b7-01`],
  ["a later version", `01-${sent}-00f067aa0ba902b7-01`],
  ["a later version with more fields", `cc-${sent}-00f067aa0ba902b7-01-more`],
])("[C-7.20] the trace id of a traceparent of %s is taken", (_name, traceparent) => {
  expect(trace(traceparent)).toEqual([sent, sent]);
});

it.each([
  ["none", undefined],
  ["nothing", ""],
  ["version ff", `ff-${sent}-00f067aa0ba902b7-01`],
  ["version 00 with more fields", `00-${sent}-00f067aa0ba902b7-01-more`],
  ["an all-zero trace id", `00-${"0".repeat(32)}-00f067aa0ba902b7-01`],
  ["an all-zero parent id", `00-${sent}-${"0".repeat(16)}-01`],
  ["capitals", `00-${sent.toUpperCase()}-00f067aa0ba902b7-01`],
  ["a short trace id", `00-${sent.slice(1)}-00f067aa0ba902b7-01`],
  ["two of them", `00-${sent}-00f067aa0ba902b7-01, 00-${sent}-00f067aa0ba902b7-01`],
])("[C-7.20] a traceparent that is %s gives a new trace id", (_name, traceparent) => {
  expect(trace(traceparent)).toEqual([generated, generated]);
});

it("[C-7.20] a trace id that the host has set already is kept", () => {
  const ofHost = "f".repeat(32);
  expect(trace(`00-${sent}-00f067aa0ba902b7-01`, ofHost)).toEqual([ofHost, ofHost]);
});
