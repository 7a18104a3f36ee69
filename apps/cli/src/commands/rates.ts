import { basename } from "node:path";
import type { Command } from "commander";
import { z } from "zod";
import { wholeNumber, withServer } from "../command-options.js";
import { readInput } from "../input.js";
import { startProgress } from "../progress.js";
import { connectToServer } from "../server-api.js";
import type { ServerFlags } from "../settings.js";
import type { Shell } from "../shell.js";
import { pageLine, table } from "../table.js";

interface Flags extends ServerFlags {
  readonly json?: true;
}

const imported = z.looseObject({
  rows: z.number(),
  replaced: z.number(),
  first_date: z.string(),
  last_date: z.string(),
});
const rates = z.looseObject({
  items: z.array(
    z.looseObject({ date: z.string(), base: z.string(), quote: z.string(), rate: z.string(), source: z.string() }),
  ),
  page: z.number(),
  pages: z.number(),
  total: z.number(),
});
/** Storing a history of decades takes longer than most requests. */
const IMPORT_SECONDS = 300;

/** `rates import|list`: exchange rates of the installation. */
export function addRateCommands(program: Command, shell: Shell): void {
  const group = program.command("rates").description("exchange rates, with which figures are converted (operator)");

  withServer(group.command("import"), IMPORT_SECONDS)
    .description("import a file of exchange rates, all or none; rates of the same date, base and quote are replaced")
    .argument(
      "<file>",
      "eurofxref of the European Central Bank (CSV, XML or zip), or CSV with the heading date,base,quote,rate; - reads standard input",
    )
    .action(async (file: string, options: Flags) => {
      const body = await readInput(shell, file);
      const server = await connectToServer(shell, options, "operator");
      const query = new URLSearchParams({ name: basename(file) });
      const progress = startProgress(shell, "importing", 1, "files");
      const sending = { contentType: "application/octet-stream", body };
      try {
        const done = await server.send(`/operator/v1/rates/import?${query}`, sending, imported);
        progress.update(1);
        const { rows, replaced, first_date, last_date } = done;
        shell.print(
          options.json
            ? JSON.stringify(done, null, 2)
            : `${rows} rates from ${first_date} to ${last_date}, ${replaced} of them replaced`,
        );
      } finally {
        progress.stop();
      }
    });

  withServer(group.command("list"))
    .description("list exchange rates, newest day first")
    .option("--date <date>", "only rates of this day")
    .option("--page <number>", "page to show", wholeNumber(1, 1_000_000), 1)
    .option("--page-size <number>", "rows on a page", wholeNumber(1, 500), 50)
    .action(async (options: Flags & { date?: string; page: number; pageSize: number }) => {
      const server = await connectToServer(shell, options, "operator");
      const { date, page, pageSize: page_size } = options;
      const found = await server.call("/operator/v1/rates/list", { date, page, page_size }, rates);
      if (options.json) return shell.print(JSON.stringify(found, null, 2));
      const rows = found.items.map((row) => [row.date, row.base, row.quote, row.rate, row.source]);
      shell.print(table(["date", "base", "quote", "rate", "source"], rows));
      shell.print(pageLine(found, "rates"));
    });
}
