import type { IncomingMessage } from "node:http";
import { type BodyLimits, jsonFaults, parseJson } from "@org/http";
import { OAuthError } from "../oauth-error.js";
import { readBody } from "./read-form.js";

/** Reads a JSON object. Throws `invalid_client_metadata`, or a `BodyError` past the limits. */
export async function readJson(req: IncomingMessage, limits: BodyLimits): Promise<Readonly<Record<string, unknown>>> {
  return parseMetadataJson(await readBody(req, { mediaType: "application/json" }, limits, refusal));
}

/** Parses a JSON object that every store can hold, see `jsonFaults` of `@org/http`. Throws `invalid_client_metadata`. */
export function parseMetadataJson(bytes: Buffer): Readonly<Record<string, unknown>> {
  const parsed = parseJson(bytes);
  if ("error" in parsed) throw refusal(WORDS[parsed.error.code]);
  const { value } = parsed;
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw refusal("must be a JSON object");
  const [fault] = jsonFaults(value);
  // The message omits the path, which would repeat part of the request.
  if (fault) throw refusal(`holds something that is refused: ${fault.rule}`);
  return value as Readonly<Record<string, unknown>>;
}

const WORDS = {
  empty: "is not JSON",
  not_json: "is not JSON",
  not_utf8: "is not UTF-8",
  too_many_values: "holds too many values",
  too_many_names: "holds too many different names",
} as const;

function refusal(fault: string): OAuthError {
  return new OAuthError("invalid_client_metadata", `the JSON document ${fault}`);
}
