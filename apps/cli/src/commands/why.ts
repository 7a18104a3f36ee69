import { calendarDate } from "@org/core";
import type { Command } from "commander";
import { z } from "zod";
import { checked, withServer } from "../command-options.js";
import { connectToServer } from "../server-api.js";
import type { ServerFlags } from "../settings.js";
import type { Shell } from "../shell.js";
import { printable, table } from "../table.js";

interface Flags extends ServerFlags {
  readonly json?: true;
  readonly date?: string;
}

const version = z.looseObject({
  amount: z.string().nullable(),
  balance: z.string().nullable(),
  currency: z.string(),
  valuation_date: z.string().nullable(),
  came_at: z.string(),
  current: z.boolean(),
  source: z.looseObject({
    kind: z.string(),
    provider: z.string().optional(),
    name: z.string().optional(),
    part: z.string().nullish(),
    place: z.string().nullish(),
    format: z.string().optional(),
  }),
});
const whyAnswer = z.looseObject({
  what: z.string(),
  name: z.string().nullable(),
  date: z.string().nullable(),
  parts: z.array(z.string()),
  versions: z.array(version),
});

/** `why`: `/data/v1/why` as a tenant. */
export function addWhyCommand(program: Command, shell: Shell): void {
  withServer(program.command("why <id>"))
    .description("show why a portfolio, holding or transaction has its number: who stated it, and what it was before")
    .option("--date <day>", "the number of this day (YYYY-MM-DD); today by default", checked(calendarDate))
    .action(show);

  async function show(id: string, options: Flags): Promise<void> {
    const server = await connectToServer(shell, options, "tenant");
    const found = await server.call("/data/v1/why", { id, date: options.date }, whyAnswer);
    if (options.json) return shell.print(JSON.stringify(found, null, 2));
    if (found.versions.length === 0)
      return shell.print(printable(`nothing is known of this ${found.what} at that day`));
    shell.print(printable([found.what, found.name, found.date].filter((part) => part !== null).join(", ")));
    const columns = ["balance", "currency", "amount", "valuation_date", "came_at", "current", "source"];
    shell.print(table(columns, found.versions.map(rowOf)));
    if (found.parts.length > 0) shell.print(printable(`with the accounts ${found.parts.join(", ")}`));
  }
}

function rowOf({ balance, currency, amount, valuation_date, came_at, current, source }: z.infer<typeof version>) {
  const { provider, name, part, place, format } = source;
  const from = provider ?? [name, part, place, format && `(${format})`].filter(Boolean).join(" ");
  return [balance, currency, amount, valuation_date, came_at, current ? "yes" : "no", from];
}
