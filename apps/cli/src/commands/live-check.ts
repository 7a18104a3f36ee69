import type { Command } from "commander";
import { wholeNumber, withJson } from "../command-options.js";
import type { LiveCheckOptions, LiveReport } from "../live-check/live-check.js";
import type { Shell } from "../shell.js";
import { details, table } from "../table.js";

/** `providers live-check`. */
export function addLiveCheckCommand(providers: Command, shell: Shell): void {
  withJson(providers.command("live-check"))
    .description("prove a provider with an account of your own: login, reading to the end, and again; needs no server")
    .argument("<name>", "a shipped provider, or the path or package of another one")
    .option("--settings <file>", "its settings as a JSON object; - reads standard input")
    .option("--credentials <file>", "what its login asks for, as a JSON object; - reads standard input")
    .option("--connector <id>", "which of its catalogue rows, if it has several")
    .option(
      "--callback-port <port>",
      "where a login by redirect comes back, on this machine",
      wholeNumber(0, 65_535),
      3000,
    )
    .option("--timeout <seconds>", "how long all of it may take", wholeNumber(1, 86_400), 900)
    .option("--record <folder>", "write a recording in which every value is another one, into a new or empty folder")
    .option(
      "--words <names>",
      "names of members, by commas, all of whose values stay, such as a symbol that the provider reads",
    )
    .addHelpText(
      "after",
      `
Asks for credentials at the terminal, without showing secrets; elsewhere they come from --credentials. A login by redirect prints an
address to open in a browser on this machine; register http://localhost:3000/connect/callback with the institution.
Prints counts, names of fields and differences in percent, never a value of the account. Nothing is stored, and the access is taken
back at the end, where the provider can do that.`,
    )
    .action(async (name: string, options: LiveCheckOptions & { readonly json?: true }) => {
      const { LiveCheckFailure, liveCheck } = await import("../live-check/live-check.js");
      const show = (report: LiveReport) => shell.print(options.json ? JSON.stringify(report, null, 2) : textOf(report));
      try {
        show(await liveCheck(shell, name, options));
      } catch (error) {
        if (error instanceof LiveCheckFailure) show(error.report);
        throw error;
      }
    });
}

function textOf(report: LiveReport): string {
  const { provider, connector_id, ok, check, login, first, second, limits, recording, line } = report;
  const rows = ["portfolios", "holdings", "transactions"] as const;
  const keys = Object.entries(report.keys ?? {}).map(([list, found]) => [
    ...[list, first?.rows[list as (typeof rows)[number]], second?.rows[list as (typeof rows)[number]]],
    ...[found?.same, found?.added, found?.gone, found?.renamed],
  ]);
  const tables = [
    ["rows", ["list", "first", "second", "same keys", "new keys", "gone keys", "renamed"], keys],
    [
      "requests",
      ["call", "answers"],
      Object.entries(report.requests).map(([call, statuses]) => [call, countsIn(statuses)]),
    ],
    [
      "sums of holdings beside the portfolio's total",
      ["portfolio", "holdings", "difference"],
      report.sums.map(({ portfolio, holdings, percent, why }) => [
        portfolio,
        holdings,
        percent === null ? why : `${percent} %`,
      ]),
    ],
    ["unknown", ["field", "rows"], Object.entries(report.unknown)],
    ["log of the provider", ["line", "times"], Object.entries(report.log)],
  ] as const;
  return [
    details({
      provider,
      connector: connector_id,
      result: ok ? "ok" : `not ok: ${report.faults.join("; ")}`,
      settings: check,
      login: login?.join(" › "),
      limits: `${limits.refused} requests refused, ${limits.throttled} fetches put off, ${limits.waited_seconds} s waited, ${limits.paced_seconds} s paced`,
      unanswered: countsIn(report.unanswered),
      recording: recording?.file,
      "to do by hand": recording && handwork(recording),
    }),
    ...tables.flatMap(([title, head, body]) => (body.length === 0 ? [] : [`\n${title}\n${table(head, body)}`])),
    ...(line === null ? [] : [`\nfor docs/reference/providers/README.md\n${line}`]),
  ].join("\n");
}

function handwork({ formulas_missing, contrary_signs }: NonNullable<LiveReport["recording"]>): string {
  return `read what is expected; ${formulas_missing} amounts without a formula, ${contrary_signs} transactions with a sign contrary to their kind`;
}

function countsIn(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([what, count]) => `${what}: ${count}`)
    .join(", ");
}
