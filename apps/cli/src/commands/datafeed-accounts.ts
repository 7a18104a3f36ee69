import { type Command, InvalidArgumentError } from "commander";
import { z } from "zod";
import { wrongUsage } from "../cli-error.js";
import { withServer } from "../command-options.js";
import { connectToServer } from "../server-api.js";
import type { ServerFlags } from "../settings.js";
import type { Shell } from "../shell.js";
import { printable, table } from "../table.js";

const view = z.looseObject({
  accounts: z.array(
    z.looseObject({
      number: z.string(),
      currency: z.string(),
      is_cash: z.boolean(),
      as_of: z.string().nullable(),
      shown_in: z.string().nullable(),
    }),
  ),
  total: z.number(),
  links: z.array(
    z.looseObject({
      account: z.string(),
      portfolio: z.string().nullable(),
      origin: z.string(),
      in_force: z.boolean(),
    }),
  ),
});

const reconciled = z.looseObject({
  differences: z.array(
    z.looseObject({
      account: z.string(),
      name: z.string(),
      from_day: z.string(),
      to_day: z.string(),
      before: z.string(),
      moved: z.string(),
      stated: z.string(),
      difference: z.string(),
    }),
  ),
  gaps: z.array(z.looseObject({ account: z.string(), days: z.array(z.string()) })),
  left_out: z.array(z.looseObject({ file: z.string(), place: z.string(), field: z.string() })),
});

/** Days of a gap that one line names. */
const MAX_DAYS = 10;
const more = (days: readonly string[]) => (days.length > MAX_DAYS ? ` and ${days.length - MAX_DAYS} more days` : "");

interface AccountFlags extends ServerFlags {
  readonly json?: true;
  readonly link?: { readonly account: string; readonly portfolio: string };
  readonly unlink?: string;
}

/** `datafeed accounts|reconcile`. */
export function addFeedAccountCommands(datafeed: Command, shell: Shell): void {
  withServer(datafeed.command("accounts"))
    .description("show the accounts that a connection's files tell of, and in which portfolio each is shown")
    .argument("<id>", "the connection, or its letter")
    .option("--link <cash=depot>", "show a cash account within the portfolio of a depot, by their numbers", pairOf)
    .option("--unlink <cash>", "make a cash account a portfolio of its own, whatever letter and rules say")
    .action(async (id: string, { link, unlink, ...options }: AccountFlags) => {
      if (link !== undefined && unlink !== undefined) throw wrongUsage("give --link or --unlink, not both");
      const server = await connectToServer(shell, options, "operator");
      const of = { connection_or_letter_id: id };
      const found =
        link !== undefined
          ? await server.call("/operator/v1/datafeeds/link-account", { ...of, ...link }, view)
          : unlink !== undefined
            ? await server.call("/operator/v1/datafeeds/unlink-account", { ...of, account: unlink }, view)
            : await server.call("/operator/v1/datafeeds/accounts", of, view);
      if (options.json) return shell.print(JSON.stringify(found, null, 2));
      if (found.total > found.accounts.length)
        shell.note(`the first ${found.accounts.length} of ${found.total} accounts`);
      for (const { account, portfolio, in_force } of found.links)
        if (portfolio !== null && !in_force)
          shell.note(`${account} is linked to ${portfolio} and not shown there: the files have not told of both`);
      shell.print(accountTable(found));
    });

  withServer(datafeed.command("reconcile"))
    .description("show where statements do not follow from those before with the movements between, and missing days")
    .argument("<id>", "the connection, or its letter")
    .action(async (id: string, options: AccountFlags) => {
      const server = await connectToServer(shell, options, "operator");
      const found = await server.call("/operator/v1/datafeeds/reconcile", { connection_or_letter_id: id }, reconciled);
      if (options.json) return shell.print(JSON.stringify(found, null, 2));
      for (const { account, days } of found.gaps)
        shell.note(printable(`${account}: no statement for ${days.slice(0, MAX_DAYS).join(", ")}${more(days)}`));
      for (const { file, place, field } of found.left_out)
        shell.note(printable(`${file}: ${place}: a movement is left out, because of ${field}`));
      shell.print(differenceTable(found));
    });
}

function pairOf(text: string): { account: string; portfolio: string } {
  const [, account, portfolio] = /^([^=]+)=([^=]+)$/.exec(text) ?? [];
  if (account === undefined || portfolio === undefined)
    throw new InvalidArgumentError("It must have the form CASH=DEPOT.");
  return { account, portfolio };
}

function accountTable({ accounts }: z.infer<typeof view>): string {
  return table(
    ["account", "currency", "kind", "as of", "shown in"],
    accounts.map(({ number, currency, is_cash, as_of, shown_in }) => [
      number,
      currency,
      is_cash ? "cash" : "depot",
      as_of ?? "movements only",
      shown_in ?? "itself",
    ]),
  );
}

function differenceTable({ differences }: z.infer<typeof reconciled>): string {
  return table(
    ["account", "holding", "from", "to", "before", "moved", "stated", "difference"],
    differences.map(({ account, name, from_day, to_day, before, moved, stated, difference }) => [
      account,
      name,
      from_day,
      to_day,
      before,
      moved,
      stated,
      difference,
    ]),
  );
}
