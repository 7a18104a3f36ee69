import { clockFinding, type Finding, fail, ok, warn } from "@org/installation";
import { z } from "zod";
import { CliError } from "../cli-error.js";
import { connectToServer } from "../server-api.js";
import { type Received, request } from "../server-connection.js";
import type { ServerFlags } from "../settings.js";
import type { Shell } from "../shell.js";

const TIMEOUT_SECONDS = 5;

/** What a running server reports about itself; `running` is false if none answers at the address. */
export async function checkServer(url: string, clock: () => Date): Promise<{ running: boolean; findings: Finding[] }> {
  const asked = clock();
  const readiness = await get(`${url}/readyz`);
  if (readiness instanceof CliError)
    return {
      running: false,
      findings: [warn("server", readiness.message, "start it, or look why this address does not lead to it")],
    };
  const answered = clock();
  return {
    running: true,
    findings: [readyFinding(readiness), await issuerFinding(url), ...dateFinding(readiness, asked, answered)],
  };
}

const examination = z.object({
  items: z.array(
    z.object({
      check: z.string(),
      state: z.enum(["ok", "warn", "fail"]),
      message: z.string(),
      next_step: z.string().optional(),
    }),
  ),
});

/**
 * What a running server reports about its own settings, database and providers; `said` is null if it does not report, and `why` is the finding
 * about that.
 */
export async function askServer(
  shell: Shell,
  flags: ServerFlags,
): Promise<{ readonly said: readonly Finding[] } | { readonly said: null; readonly why: Finding }> {
  try {
    const server = await connectToServer(shell, flags, "operator");
    const { items } = await server.call("/operator/v1/doctor/examine", {}, examination);
    return {
      said: items.map(({ next_step, ...found }) => ({ ...found, ...(next_step !== undefined && { next_step }) })),
    };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const why = warn(
      "the server's own checks",
      `not made: ${error.message}. Settings, database and keys are judged by this environment, and connectors not at all`,
      "run it with the credentials of an operator: --client-id and --client-secret, or DATA_DIR/credentials.json",
    );
    return { said: null, why };
  }
}

function readyFinding({ status, json }: Received): Finding {
  if (status === 200) return ok("server", "ready");
  const reason = (json as { reason?: unknown } | undefined)?.reason;
  if (status === 503 && typeof reason === "string")
    return fail("server", `not ready: ${reason}`, "see the checks of the database, then the server's log");
  return fail(
    "server",
    `/readyz answers ${status}`,
    "look what answers at PUBLIC_URL: it does not behave like this server",
  );
}

/** Clients refuse metadata whose issuer is not the address they requested it from (RFC 8414 §3.3). */
async function issuerFinding(url: string): Promise<Finding> {
  const received = await get(`${url}/.well-known/oauth-authorization-server`);
  const issuer = received instanceof CliError ? undefined : (received.json as { issuer?: unknown } | undefined)?.issuer;
  if (issuer === url) return ok("issuer", url);
  return fail(
    "issuer",
    `the server calls itself ${String(issuer)}, not ${url}`,
    "start the server with this PUBLIC_URL, or pass --url",
  );
}

/** The header has whole seconds, and the answer took some time. */
function dateFinding({ headers }: Received, asked: Date, answered: Date): Finding[] {
  const date = Date.parse(headers.get("date") ?? "");
  if (Number.isNaN(date)) return [];
  const early = asked.getTime() - 1000 - date;
  const late = date - answered.getTime();
  const behind = Math.max(early, 0) - Math.max(late, 0);
  return [clockFinding("clock of this machine", behind, "this machine", "the machine of the server")];
}

async function get(url: string): Promise<Received | CliError> {
  try {
    return await request(url, { timeout: TIMEOUT_SECONDS });
  } catch (error) {
    if (error instanceof CliError) return error;
    throw error;
  }
}
