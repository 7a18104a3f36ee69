import { createInterface } from "node:readline";
import { failed, wrongUsage } from "./cli-error.js";
import type { Shell } from "./shell.js";
import { printable } from "./table.js";

/**
 * Asks the person at the terminal to confirm an irreversible action, unless `yes` is set.
 * @throws CliError when they do not confirm (nothing was changed), or when there is no one to ask
 */
export async function confirm(
  shell: Shell,
  yes: true | undefined,
  question: () => string | Promise<string>,
): Promise<void> {
  if (yes) return;
  if (!("isTTY" in shell.stdin && shell.stdin.isTTY))
    throw wrongUsage("this cannot be undone, and nobody is at a terminal to be asked: add --yes to do it");
  const asked = printable(await question());
  const answer = await new Promise<string>((resolve) => {
    const lines = createInterface({ input: shell.stdin, output: shell.progress });
    lines.once("close", () => resolve(""));
    lines.question(`${asked} Do it? [y/N] `, (line) => {
      resolve(line);
      lines.close();
    });
  });
  if (!/^y(es)?$/i.test(answer.trim())) throw failed("nothing was changed");
}
