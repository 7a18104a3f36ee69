import type { Command } from "commander";
import { failed } from "../cli-error.js";
import { withServer } from "../command-options.js";
import type { SourcedFinding } from "../doctor/examine.js";
import type { ServerFlags } from "../settings.js";
import { renderCommand, type Shell } from "../shell.js";
import { printable } from "../table.js";

/** `doctor`. */
export function addDoctorCommand(program: Command, shell: Shell): void {
  withServer(program.command("doctor"))
    .description(
      "examine this installation: settings, database, keys and catalogue of the running server, files and clock here",
    )
    .addHelpText(
      "after",
      `
The server is that of --url, PUBLIC_URL, WEALTH_CONNECT_URL or credentials.json, whichever is there first. It is asked, as an
operator, for what depends on its own settings. Files, the clock and whether the address leads to it are looked at from here. Where
no server can be asked, everything is judged by this environment (run it with the server's), and the answer says so.
Nothing is changed. Exits with 1 when a check fails; warnings do not count.`,
    )
    .action(async (options: ServerFlags & { json?: true }) => {
      const { examine } = await import("../doctor/examine.js");
      const { url, ...flags } = options;
      const findings = await examine(shell, {
        ...flags,
        ...(url !== undefined && { url: url.replace(/(?<!\/)\/+$/, "") }),
      });
      const failures = findings.filter(({ state }) => state === "fail");
      if (options.json) shell.print(JSON.stringify({ ok: failures.length === 0, findings }, null, 2));
      else shell.print(renderCommand(shell, report(findings)));
      if (failures.length > 0)
        throw failed(
          `${failures.length} of ${findings.length} checks failed: ${failures.map(({ check }) => check).join(", ")}`,
        );
    });
}

function report(findings: readonly SourcedFinding[]): string {
  const lines = (source: SourcedFinding["source"]) => findings.filter((each) => each.source === source).map(inWords);
  const said = lines("server");
  const seen = lines("local");
  return said.length === 0 ? seen.join("\n") : ["The server says:", ...said, "", "Seen from here:", ...seen].join("\n");
}

function inWords({ check, state, message, next_step }: SourcedFinding): string {
  const line = `${state.padEnd(4)}  ${check}: ${printable(message)}`;
  return next_step === undefined ? line : `${line}\n      -> ${printable(next_step)}`;
}
