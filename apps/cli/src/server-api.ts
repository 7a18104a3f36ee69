import { z } from "zod";
import { CliError, failed, temporaryFailure } from "./cli-error.js";
import { missingSchema, missingText } from "./missing-data.js";
import { issueToken } from "./oauth-client.js";
import { parseDocument, type Received, request, type Sending } from "./server-connection.js";
import { type CredentialRole, type ServerFlags, serverAccess } from "./settings.js";
import type { Shell } from "./shell.js";
import { printable } from "./table.js";
import { tokenCache } from "./token-cache.js";

/** The REST API as one application. Every method throws a CliError that lists all faults the server found. */
export interface ServerApi {
  /** POSTs JSON and returns the document, validated against the parts that the command reads. */
  call<S extends z.ZodType>(
    path: string,
    body: unknown,
    answer: S,
    headers?: Record<string, string>,
  ): Promise<z.output<S>>;
  /** The same with another kind of body. */
  send<S extends z.ZodType>(path: string, sending: Sending, answer: S): Promise<z.output<S>>;
}

/**
 * Connects with the credentials that the flags, the environment or the credentials file name. The token is one cached by an earlier command, or
 * is requested at the first call.
 * @param interrupted aborts a request in progress, which then throws an AbortError
 */
export async function connectToServer(
  shell: Shell,
  flags: ServerFlags,
  role: CredentialRole,
  interrupted?: AbortSignal,
): Promise<ServerApi> {
  const access = await serverAccess(shell, flags, role);
  const kept = tokenCache(shell);
  const { timeout } = flags;
  let token: Promise<HeldToken> | undefined;

  const obtain = async (): Promise<HeldToken> => {
    const found = await kept.find(access);
    if (found !== null) return { value: found, isFromBefore: true, wasAccepted: false };
    const answer = await issueToken(access, {}, timeout);
    await kept.keep(access, answer);
    return { value: answer.access_token, isFromBefore: false, wasAccepted: false };
  };
  const ask = async (path: string, sending: Sending) => {
    token ??= obtain();
    const held = await token;
    const headers = { ...sending.headers, authorization: `Bearer ${held.value}` };
    const received = await request(`${access.url}${path}`, { sending: { ...sending, headers }, timeout, interrupted });
    return { held, received };
  };

  const send: ServerApi["send"] = async (path, sending, answer) => {
    let { held, received } = await ask(path, sending);
    if (isStaleToken(held, received.status)) {
      await kept.forget(access, held.value);
      token = undefined;
      ({ held, received } = await ask(path, sending));
    }
    if (received.status !== 401) held.wasAccepted = true;
    if (received.status !== 200) throw refusalOf(received, access.url, role);
    const parsed = answer.safeParse(received.json);
    if (!parsed.success)
      throw failed(`${access.url}${path} gave an unexpected answer: are server and CLI of one version?`);
    return parsed.data;
  };
  return {
    send,
    call: (path, body, answer, headers = {}) =>
      send(path, { contentType: "application/json; charset=utf-8", body: JSON.stringify(body), headers }, answer),
  };
}

interface HeldToken {
  readonly value: string;
  /** Whether an earlier command requested it. */
  readonly isFromBefore: boolean;
  wasAccepted: boolean;
}

/**
 * Whether to retry with another token: its grant may have ended, long work outlives it, and the application's scopes may have been widened since
 * it was issued.
 */
function isStaleToken({ isFromBefore, wasAccepted }: HeldToken, status: number): boolean {
  return (status === 401 && (isFromBefore || wasAccepted)) || (status === 403 && isFromBefore);
}

/** The refusal in one line: the message, each fault with its path, and the trace id for the log. Of a figure, what it lacks follows line by line. */
function refusalOf(received: Received, url: string, role: CredentialRole): CliError {
  const document = parseDocument(url, received);
  const error = document.error as { code?: string; message?: string; details?: unknown } | string | undefined;
  const { code, message, details } = typeof error === "object" ? error : { message: error };
  const lacks = code === "INSUFFICIENT_DATA" ? z.array(missingSchema).safeParse(details).data : undefined;
  const faults = Array.isArray(details) && !lacks ? details.map(faultText).join("; ") : undefined;
  const said = lacks
    ? "the data do not suffice for this figure"
    : [code, faults ?? message].filter((part) => part !== undefined).join(": ");
  const need = role === "operator" ? "an operator's application" : "an application of a tenant with the scope";
  const hint = received.status === 403 ? ` (this needs ${need})` : "";
  const trace = document.trace_id ?? received.headers.get("x-trace-id");
  const isTemporary = received.status === 429 || received.status >= 500;
  const refused = printable(`refused (${received.status}): ${said}${hint}${trace ? ` [trace ${trace}]` : ""}`);
  if (lacks) return new CliError("FAILED", refused, undefined, false, lacks.map(missingText));
  return (isTemporary ? temporaryFailure : failed)(refused);
}

function faultText(fault: {
  field?: string;
  error_type?: string;
  rule?: string;
  limit?: string;
  value?: number;
}): string {
  if (fault.limit !== undefined) return `${fault.limit} is limited to ${fault.value}`;
  const what =
    fault.rule ??
    { RequiredField: "is required", UnknownField: "is not a field here" }[fault.error_type ?? ""] ??
    "is not valid";
  return `${fault.field} ${what}`;
}
