import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { expect, it } from "vitest";
import { LEGACY_VERSIONS } from "./client-envelope.js";

it("versions of before 2026-07-28 are those that the SDK speaks", () => {
  expect(LEGACY_VERSIONS).toEqual(SUPPORTED_PROTOCOL_VERSIONS);
});
