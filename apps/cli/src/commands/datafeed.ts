import { basename } from "node:path";
import type { Command } from "commander";
import { z } from "zod";
import { CliError, failed, wrongUsage } from "../cli-error.js";
import { withServer } from "../command-options.js";
import { readInput } from "../input.js";
import { type Progress, startProgress } from "../progress.js";
import { connectToServer } from "../server-api.js";
import type { ServerFlags } from "../settings.js";
import type { Shell } from "../shell.js";
import { printable, table } from "../table.js";
import { addFeedAccountCommands } from "./datafeed-accounts.js";
import { addFeedMappingCommands } from "./feed-mappings.js";
import { addPendingFileCommands } from "./pending-files.js";

/** The results of ingesting a file, in the order of the columns. */
const counts = z.object({
  portfolios: z.number(),
  holdings: z.number(),
  transactions: z.number(),
  repeated: z.number(),
  corrected: z.number(),
  kept: z.number(),
  left_out: z.number(),
});
const ingestion = z.looseObject({
  status: z.enum(["ingested", "duplicate"]),
  connection_id: z.string(),
  format: z.string(),
  ...counts.shape,
  differences: z.number().optional(),
  gap_days: z.number().optional(),
  warnings: z.array(z.looseObject({ place: z.string(), message: z.string() })).default([]),
});
type Result = { readonly file: string } & (
  | z.infer<typeof ingestion>
  | { readonly status: "refused"; readonly message: string }
);

/** The server takes longer for a file than for other requests. */
const UPLOAD_SECONDS = 600;

/** `datafeed ingest|pending|retry|route|drop|accounts|reconcile`. */
export function addDataFeedCommands(program: Command, shell: Shell): void {
  const datafeed = program.command("datafeed").description("files of custodians (operator)");
  addFeedMappingCommands(datafeed, shell);

  withServer(datafeed.command("ingest"), UPLOAD_SECONDS)
    .description("take custodian files, each whole or not at all; a file already taken changes nothing")
    .argument("<file...>", "statements, or zip or gzip of them; the format is recognised from the file")
    .option("--connection <id>", "the connection that they are for")
    .option("--letter <id>", "the letter that they are for, in WaitingForData or later")
    .action(async (files: string[], options: ServerFlags & { json?: true; connection?: string; letter?: string }) => {
      const { connection, letter } = options;
      if ((connection === undefined) === (letter === undefined))
        throw wrongUsage("give exactly one of --connection and --letter");
      const target = connection === undefined ? { letter_id: letter ?? "" } : { connection_id: connection };
      const results = await ingestAll(files, target, options);
      if (options.json) shell.print(JSON.stringify({ items: results }, null, 2));
      else shell.print(resultTable(results));
      for (const result of results)
        if (result.status !== "refused") {
          for (const { place, message } of result.warnings)
            shell.note(printable(`warning: ${result.file}: ${place}: ${message}`));
          const { file, differences = 0, gap_days = 0, connection_id } = result;
          if (differences > 0)
            shell.note(
              `${file}: ${differences} holdings do not add up; datafeed reconcile ${connection_id} lists them`,
            );
          if (gap_days > 0) shell.note(`${file}: no statement for ${gap_days} business days before it`);
        }
      const refused = results.flatMap((result) =>
        result.status === "refused" ? [`${result.file}: ${result.message}`] : [],
      );
      if (refused.length > 0) throw failed(refused.join("; "));
    });

  addPendingFileCommands(datafeed, shell);
  addFeedAccountCommands(datafeed, shell);

  async function ingestAll(
    files: readonly string[],
    target: Record<string, string>,
    flags: ServerFlags,
  ): Promise<Result[]> {
    const server = await connectToServer(shell, flags, "operator");
    // From the first file that can be read on.
    let progress: Progress | undefined;
    const results: Result[] = [];
    try {
      for (const file of files) {
        results.push({ file, ...(await ingest(file)) });
        progress?.update(results.length);
      }
      return results;
    } finally {
      progress?.stop();
    }

    async function ingest(file: string): Promise<z.infer<typeof ingestion> | { status: "refused"; message: string }> {
      const query = new URLSearchParams({ ...target, name: basename(file) });
      try {
        const sending = { contentType: "application/octet-stream", body: await readInput(shell, file) };
        progress ??= startProgress(shell, "ingesting", files.length, "files");
        progress.update(results.length, basename(file));
        return await server.send(`/operator/v1/datafeeds/ingest?${query}`, sending, ingestion);
      } catch (error) {
        if (error instanceof CliError) return { status: "refused", message: error.message };
        throw error;
      }
    }
  }
}

const countNames = counts.keyof().options;

function resultTable(results: readonly Result[]): string {
  return table(
    ["file", "status", "format", "connection_id", ...countNames],
    results.map((result) =>
      result.status === "refused"
        ? [result.file, result.status, null, null, ...countNames.map(() => null)]
        : [result.file, result.status, result.format, result.connection_id, ...countNames.map((name) => result[name])],
    ),
  );
}
