import { readFileSync, readlinkSync } from "node:fs";

/** Linux counts CPU time in hundredths of a second (proc(5), `sysconf(_SC_CLK_TCK)`). */
const TICK_MS = 10;

/** The kernel's number of the thread that asks; null where there is no `/proc`. */
export function kernelThreadId(): number | null {
  try {
    const id = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    return Number.isSafeInteger(id) ? id : null;
  } catch {
    return null;
  }
}

/**
 * Milliseconds that a processor has spent on a thread of this process so far, to a hundredth of a second; null where the kernel
 * does not tell. Unlike the time on the wall it says what the thread's work costs, however busy the machine is.
 */
export function cpuMsOf(threadId: number | null): number | null {
  if (threadId === null) return null;
  try {
    const stat = readFileSync(`/proc/self/task/${threadId}/stat`, "latin1");
    // The name before the last parenthesis may hold anything; utime and stime are fields 14 and 15.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = Number(fields[11]) + Number(fields[12]);
    return Number.isFinite(ticks) ? ticks * TICK_MS : null;
  } catch {
    return null;
  }
}
