import type { IncomingMessage } from "node:http";
import { BodyError, type BodyFormat, type BodyLimits, type MaybePromise, readBytes, requireFormat } from "@org/http";
import { OAuthError } from "../oauth-error.js";

/** The parameters of a request. None is repeated unless the rules allow it; empty ones count as missing (RFC 6749 §3.2). */
export interface Form {
  get(name: string): string | undefined;
  all(name: string): readonly string[];
}

/** What a form may contain. */
export interface FormRules {
  /** Parameters that may be repeated. */
  readonly repeatable: readonly string[];
  /** Whether parameters of RFC 6749 are limited to its characters. Forms that people fill in are not. */
  readonly isChecked: boolean;
}

/** Reads `application/x-www-form-urlencoded`. Throws `invalid_request`, or a `BodyError` past the limits. */
export async function readForm(req: IncomingMessage, limits: BodyLimits, rules = PROTOCOL_FORM): Promise<Form> {
  const refuse = (fault: string) => new OAuthError("invalid_request", `the body ${fault}`);
  return parseForm((await readBody(req, FORM_FORMAT, limits, refuse)).toString("utf8"), rules);
}

/** Parses a form. Throws `invalid_request` for a repeated parameter; in protocol requests only `resource` may repeat (RFC 8707 §2). */
export function parseForm(body: string, { repeatable, isChecked }: FormRules = PROTOCOL_FORM): Form {
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(body)) {
    if (values.size > MAX_PARAMETERS) throw new OAuthError("invalid_request", "there are too many parameters");
    const known = values.get(name);
    if (!known) values.set(name, [value]);
    else if (repeatable.includes(name)) known.push(value);
    else throw new OAuthError("invalid_request", "a parameter is repeated");
  }
  for (const [name, longest] of isChecked ? Object.entries(MAX_PARAMETER_LENGTHS) : []) {
    const value = values.get(name)?.[0] ?? "";
    if (!VSCHAR.test(value) || value.length > longest)
      throw new OAuthError("invalid_request", `${name} is too long or holds characters outside printable ASCII`);
  }
  const all = (name: string) => (values.get(name) ?? []).filter((value) => value !== "");
  return { all, get: (name) => all(name)[0] };
}

/** Returns a required parameter. Throws `invalid_request`. */
export function requiredIn(form: Form, name: string): string {
  const value = form.get(name);
  if (value === undefined) throw new OAuthError("invalid_request", `${name} is missing`);
  return value;
}

/** Reads a body of one format. Throws the error from `refuse` for another format; rejects with a `BodyError` past the limits. */
export function readBody(
  req: IncomingMessage,
  format: BodyFormat,
  limits: BodyLimits,
  refuse: (fault: string) => Error,
): MaybePromise<Buffer> {
  try {
    requireFormat(req, format);
  } catch (error) {
    if (!(error instanceof BodyError)) throw error;
    throw refuse(error.code === "compressed" ? "must not be compressed" : `must be ${format.mediaType}`);
  }
  return readBytes(req, limits);
}

/** Clients send all kinds of charsets, and a form is ASCII anyway. */
const FORM_FORMAT = { mediaType: "application/x-www-form-urlencoded", anyCharset: true };
const MAX_PARAMETERS = 100;
const PROTOCOL_FORM: FormRules = { repeatable: ["resource"], isChecked: true };

/** The parameters of RFC 6749 appendix A that must be printable ASCII, because they are stored or hashed. */
const MAX_PARAMETER_LENGTHS = {
  grant_type: 2048,
  client_id: 2048,
  client_secret: 2048,
  client_assertion: 16_384,
  refresh_token: 2048,
  token: 16_384,
  code: 2048,
  redirect_uri: 2048,
  code_verifier: 2048,
};
const VSCHAR = /^[\x20-\x7e]*$/;
