import cliProgress from "cli-progress";
import type { Shell } from "./shell.js";

/** Progress of a long operation, on stderr. */
export interface Progress {
  /** @param done of the total; `note` is shown after the bar */
  update(done: number, note?: string): void;
  stop(): void;
}

/** Starts to show progress: a bar on a terminal, a line every few seconds elsewhere. */
export function startProgress(shell: Shell, label: string, total: number, unit: string): Progress {
  const bar = new cliProgress.SingleBar({
    format: `${label} [{bar}] {percentage}% {value}/{total} ${unit} {note}`,
    stream: shell.progress,
    noTTYOutput: true,
    notTTYSchedule: 5000,
    hideCursor: true,
    barCompleteChar: "#",
    barIncompleteChar: "-",
  });
  bar.start(total, 0, { note: "" });
  return {
    update: (done, note = "") => bar.update(Math.min(done, total), { note }),
    stop: () => bar.stop(),
  };
}
