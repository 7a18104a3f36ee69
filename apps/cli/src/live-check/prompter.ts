import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { failed } from "../cli-error.js";
import type { Shell } from "../shell.js";
import { printable } from "../table.js";

/** Asks the person at the terminal, one line after the other. */
export interface Prompter {
  /** @param isSecret what is typed is not shown. @throws CliError at the end of the input, or the signal's reason */
  ask(question: string, isSecret: boolean): Promise<string>;
  close(): void;
}

/** Opens the terminal for questions, or returns null if nobody is there. @param onInterrupt called for Ctrl-C while a question is open */
export function openPrompter(shell: Shell, signal: AbortSignal, onInterrupt: () => void): Prompter | null {
  if (!("isTTY" in shell.stdin && shell.stdin.isTTY)) return null;
  // What is typed before it is asked for may be a secret.
  let isSilent = true;
  const output = new Writable({
    write(chunk, _, done) {
      if (!isSilent) shell.progress.write(chunk);
      done();
    },
  });
  const lines = createInterface({ input: shell.stdin, output, terminal: true, historySize: 0 });
  lines.once("SIGINT", onInterrupt);
  const typed: string[] = [];
  let isOver = false;
  let wake: () => void = () => undefined;
  lines.on("line", (line) => {
    isSilent = true;
    typed.push(line);
    wake();
  });
  lines.once("close", () => {
    isOver = true;
    wake();
  });
  signal.addEventListener("abort", () => wake(), { once: true });
  return {
    async ask(question, secret) {
      shell.progress.write(`${printable(question)}: `);
      isSilent = secret;
      while (typed.length === 0) {
        signal.throwIfAborted();
        if (isOver) throw failed("the input ended before every question was answered");
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      isSilent = true;
      if (secret) shell.progress.write("\n");
      return typed.shift() ?? "";
    },
    close: () => lines.close(),
  };
}
