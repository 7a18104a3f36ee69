import type { IncomingMessage } from "node:http";
import { OAuthError } from "../oauth-error.js";

/** The parameters of a request, none repeated unless it may be; empty ones count as left out (RFC 6749 §3.2). */
export interface Form {
  get(name: string): string | undefined;
  all(name: string): readonly string[];
}

/** Bounds of a request body. */
export interface BodyLimits {
  readonly maxBytes: number;
  readonly maxSeconds: number;
}

/** A body that is too large or too slow; the connection is of no further use. */
export class BodyRefusal extends Error {
  constructor(
    readonly status: 408 | 413,
    message: string,
  ) {
    super(message);
  }
}

/** What a form may hold. */
export interface FormRules {
  /** Parameters that may be given several times. */
  readonly repeatable: readonly string[];
  /** Whether parameters of RFC 6749 must have its characters; what people type need not. */
  readonly isChecked: boolean;
}

/** Reads `application/x-www-form-urlencoded`. Throws `invalid_request`, or a `BodyRefusal` past the limits. */
export async function readForm(req: IncomingMessage, limits: BodyLimits, rules = PROTOCOL_FORM): Promise<Form> {
  requireFormType(req);
  return parseForm(await readBody(req, limits), rules);
}

/** Parses a form. Throws `invalid_request` for a repeated parameter; of the protocol's only `resource` may be (RFC 8707 §2). */
export function parseForm(body: string, { repeatable, isChecked }: FormRules = PROTOCOL_FORM): Form {
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(body)) {
    if (values.size > MOST_PARAMETERS) throw new OAuthError("invalid_request", "there are too many parameters");
    const known = values.get(name);
    if (!known) values.set(name, [value]);
    else if (repeatable.includes(name)) known.push(value);
    else throw new OAuthError("invalid_request", "a parameter is repeated");
  }
  for (const [name, longest] of isChecked ? Object.entries(LONGEST) : []) {
    const value = values.get(name)?.[0] ?? "";
    if (!VSCHAR.test(value) || value.length > longest)
      throw new OAuthError("invalid_request", `${name} is too long or holds characters outside printable ASCII`);
  }
  const all = (name: string) => (values.get(name) ?? []).filter((value) => value !== "");
  return { all, get: (name) => all(name)[0] };
}

/** A parameter that has to be there. Throws `invalid_request`. */
export function requiredIn(form: Form, name: string): string {
  const value = form.get(name);
  if (value === undefined) throw new OAuthError("invalid_request", `${name} is missing`);
  return value;
}

function requireFormType(req: IncomingMessage): void {
  const [type = ""] = (req.headers["content-type"] ?? "").split(";");
  if (type.trim().toLowerCase() !== "application/x-www-form-urlencoded")
    throw new OAuthError("invalid_request", "the body must be application/x-www-form-urlencoded");
  if ((req.headers["content-encoding"] ?? "identity").toLowerCase() !== "identity")
    throw new OAuthError("invalid_request", "the body must not be compressed");
}

/** Reads a body as UTF-8. Rejects with a `BodyRefusal` past the limits. */
export function readBody(req: IncomingMessage, { maxBytes, maxSeconds }: BodyLimits): Promise<string> {
  if (req.readableEnded) throw new Error("the body was read already: mount the OAuth router before any body parser");
  const tooLarge = () => new BodyRefusal(413, `the body is larger than ${maxBytes} bytes`);
  if (Number(req.headers["content-length"] ?? 0) > maxBytes) throw tooLarge();

  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const refuse = (refusal: Error) => {
      req.removeAllListeners("data").pause();
      reject(refusal);
    };
    const slow = setTimeout(() => refuse(new BodyRefusal(408, "the body took too long")), maxSeconds * 1000);
    req
      .on("data", (chunk: Buffer) => {
        size += chunk.length;
        chunks.push(chunk);
        if (size > maxBytes) refuse(tooLarge());
      })
      .on("end", () => resolve(Buffer.concat(chunks).toString("utf8")))
      .on("error", () => refuse(new BodyRefusal(408, "the request was broken off")))
      .on("close", () => clearTimeout(slow));
  });
}

const MOST_PARAMETERS = 100;
const PROTOCOL_FORM: FormRules = { repeatable: ["resource"], isChecked: true };

/** Parameters of RFC 6749 appendix A that are printable ASCII; they reach the store or a hash. */
const LONGEST = {
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
