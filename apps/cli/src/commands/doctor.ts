import type { Command } from "commander";
import { failed } from "../cli-error.js";
import { withJson } from "../command-options.js";
import type { Finding } from "../doctor/finding.js";
import type { Shell } from "../shell.js";
import { printable } from "../table.js";

/** `doctor`. */
export function addDoctorCommand(program: Command, shell: Shell): void {
  withJson(program.command("doctor"))
    .description("examine this installation: settings, files, database, keys, the running server")
    .option("--url <url>", "address of the server; PUBLIC_URL, or that of credentials.json, unless given")
    .addHelpText(
      "after",
      "\nRun it with the server's environment. It changes nothing. An embedded database that a server uses is left to that server.\nExits with 1 when a check fails; warnings do not count.",
    )
    .action(async (options: { json?: true; url?: string }) => {
      const { examine } = await import("../doctor/examine.js");
      const findings = await examine(shell, options.url?.replace(/\/+$/, ""));
      const failures = findings.filter(({ state }) => state === "fail");
      if (options.json) shell.print(JSON.stringify({ ok: failures.length === 0, findings }, null, 2));
      else shell.print(findings.map(inWords).join("\n"));
      if (failures.length > 0)
        throw failed(
          `${failures.length} of ${findings.length} checks failed: ${failures.map(({ check }) => check).join(", ")}`,
        );
    });
}

function inWords({ check, state, message, next_step }: Finding): string {
  const line = `${state.padEnd(4)}  ${check}: ${printable(message)}`;
  return next_step === undefined ? line : `${line}\n      -> ${printable(next_step)}`;
}
