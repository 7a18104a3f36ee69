import { MAX_BULK_LETTERS, movesOfMany, parseUuid } from "@org/core";
import type { Command } from "commander";
import { z } from "zod";
import { CliError, failed, wrongUsage } from "../cli-error.js";
import { withServer } from "../command-options.js";
import { confirm } from "../confirmation.js";
import { readInput } from "../input.js";
import { startProgress } from "../progress.js";
import { connectToServer, type ServerApi } from "../server-api.js";
import type { ServerFlags } from "../settings.js";
import type { Shell } from "../shell.js";
import { table } from "../table.js";
import { letterAnswerSchema, printLetter } from "./letter-answer.js";

interface MoveFlags extends ServerFlags {
  readonly json?: true;
  readonly file?: string;
  readonly to?: string;
  readonly note?: string;
  readonly yes?: true;
}

const outcome = z.looseObject({
  letter_id: z.string(),
  outcome: z.enum(["moved", "refused"]),
  from: z.string().nullable(),
  to: z.string().nullable(),
  error: z.looseObject({ code: z.string(), message: z.string() }).nullable(),
});
const outcomes = z.looseObject({ items: z.array(outcome) });

const descriptions: Readonly<Record<(typeof movesOfMany)[number], string>> = {
  advance:
    "make the one next move of the main line: Signed, SentToCustodian, AcceptedByCustodian, ConnectionSetup, WaitingForData, Connected; or Discontinued, Revoked (operator)",
  block: "mark the connection of a letter as interrupted (operator)",
  resolve: "resume a blocked letter where it was (operator)",
  cancel: "end a letter that never was Connected, with its documents; this cannot be undone (operator)",
  undo: "take back the last move while its mail waits, and the mail with it (operator)",
};

/** `letters advance|block|resolve|cancel|undo`, of one letter or of many (contract §7, §8). */
export function addLetterMoves(letters: Command, shell: Shell): void {
  for (const move of movesOfMany) {
    const command = withServer(letters.command(move))
      .description(descriptions[move])
      .argument("[letter-id...]", "one, which is shown then, or several, each moved for itself")
      .option("--file <file>", "letters by id, one a line, - reads standard input; see letters search --ids")
      .option("--note <text>", "kept in the history");
    if (move === "advance") command.option("--to <status>", "the status that you expect; another next one is refused");
    if (move === "cancel") command.option("--yes", "do it without asking");
    command
      .addHelpText(
        "after",
        "\nOf several letters the exit code is 1 if any was refused; the others have moved all the same.",
      )
      .action(async (given: string[], options: MoveFlags) => {
        const ids = await idsOf(given, options.file);
        const server = await connectToServer(shell, options, "operator");
        if (move === "cancel") await confirm(shell, options.yes, () => endingOf(server, ids));
        const [only] = ids;
        if (options.file === undefined && ids.length === 1 && only !== undefined)
          await moveOne(server, move, only, options);
        else await moveMany(server, move, ids, options);
      });
  }

  async function moveOne(server: ServerApi, move: string, letter_id: string, options: MoveFlags): Promise<void> {
    const { to, note } = options;
    printLetter(
      shell,
      await server.call(`/operator/v1/letters/${move}`, { letter_id, to, note }, letterAnswerSchema),
      options,
    );
  }

  async function moveMany(server: ServerApi, move: string, ids: readonly string[], options: MoveFlags): Promise<void> {
    const { to, note } = options;
    const items: z.infer<typeof outcome>[] = [];
    const progress = startProgress(shell, move, ids.length, "letters");
    let broken: CliError | undefined;
    try {
      for (let from = 0; from < ids.length; from += CHUNK) {
        const letter_ids = ids.slice(from, from + CHUNK);
        const body = { letter_ids, move, to, note };
        items.push(...(await server.call("/operator/v1/letters/move-many", body, outcomes)).items);
        progress.update(items.length);
      }
    } catch (error) {
      // The moves made before the error are reported all the same.
      if (!(error instanceof CliError)) throw error;
      broken = error;
    } finally {
      progress.stop();
    }
    const refused = items.filter(({ outcome }) => outcome === "refused");
    if (options.json)
      shell.print(JSON.stringify({ items, moved: items.length - refused.length, refused: refused.length }, null, 2));
    else {
      const rows = items.map(({ letter_id, outcome, from, to: now, error }) => [
        letter_id,
        outcome,
        from,
        now,
        error?.message,
      ]);
      shell.print(table(["letter", "outcome", "from", "to", "why"], rows));
    }
    if (broken) throw failed(`${broken.message}; the outcome of ${ids.length - items.length} letters is not known`);
    if (refused.length > 0)
      throw failed(`${refused.length} of ${items.length} letters were refused, and are as they were`);
  }

  async function idsOf(given: readonly string[], file: string | undefined): Promise<readonly string[]> {
    if ((given.length === 0) === (file === undefined)) throw wrongUsage("give letters by id, or --file");
    if (file === undefined) return [...new Set(given)];
    const lines = (await readInput(shell, file)).toString("utf8").split(/\r?\n/);
    const ids = lines.map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("#"));
    if (ids.length === 0) throw failed(`${file} names no letter`);
    const strange = ids.find((id) => parseUuid(id.toLowerCase()) === null);
    if (strange !== undefined) throw failed(`${file}: ${strange} is no letter's id; nothing was moved`);
    return [...new Set(ids)];
  }
}

/** Small enough to show progress and to be answered within the time limit. */
const CHUNK = Math.min(25, MAX_BULK_LETTERS);

async function endingOf(server: ServerApi, ids: readonly string[]): Promise<string> {
  const [only] = ids;
  if (ids.length > 1 || only === undefined)
    return `This ends ${ids.length} letters, and deletes their documents. It cannot be undone.`;
  const { letter } = await server.call("/operator/v1/letters/show", { letter_id: only }, letterAnswerSchema);
  const what = `${only} of ${letter.tenant}, ${letter.status}, for ${letter.custodian}`;
  return `This ends letter ${what}, and deletes its documents. It cannot be undone.`;
}
