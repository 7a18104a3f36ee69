import { readFileSync, readlinkSync } from "node:fs";

/** Linux counts CPU time in hundredths of a second (proc(5), `sysconf(_SC_CLK_TCK)`). */
const TICK_MS = 10;

/** Kernel id of the calling thread; null on systems without `/proc`. */
export function kernelThreadId(): number | null {
  try {
    const id = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    return Number.isSafeInteger(id) ? id : null;
  } catch {
    return null;
  }
}

/**
 * CPU time that a thread of this process has used, in milliseconds with a resolution of 10 ms; null where the kernel does not
 * report it. Unlike wall-clock time, it does not depend on how busy the machine is.
 */
export function cpuMsOf(threadId: number | null): number | null {
  if (threadId === null) return null;
  try {
    const stat = readFileSync(`/proc/self/task/${threadId}/stat`, "latin1");
    // The name before the last parenthesis may contain anything; utime and stime are fields 14 and 15.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = Number(fields[11]) + Number(fields[12]);
    return Number.isFinite(ticks) ? ticks * TICK_MS : null;
  } catch {
    return null;
  }
}
