import { type Finding, warn } from "@org/installation";
import { z } from "zod";
import { CliError } from "../cli-error.js";
import { connectToServer } from "../server-api.js";
import type { ServerFlags } from "../settings.js";
import type { Shell } from "../shell.js";

const answer = z.object({
  items: z.array(
    z.object({
      check: z.string(),
      state: z.enum(["ok", "warn", "fail"]),
      message: z.string(),
      next_step: z.string().optional(),
    }),
  ),
});

/** What a running server says of its own settings, database and providers; `said` is null where it does not, and `why` the finding of that. */
export async function askServer(
  shell: Shell,
  flags: ServerFlags,
): Promise<{ readonly said: readonly Finding[] } | { readonly said: null; readonly why: Finding }> {
  try {
    const server = await connectToServer(shell, flags, "operator");
    const { items } = await server.call("/operator/v1/doctor/examine", {}, answer);
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
