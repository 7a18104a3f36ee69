import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { StorageError } from "../storage-error.js";

/**
 * Takes the lock of an embedded database: PGlite does not lock, and two processes on one folder corrupt it silently. A lock whose process is
 * gone is taken over. Returns the function that releases it.
 * @throws StorageError `in_use` naming the process that holds it
 */
export function lockDirectory(lockFile: string): () => void {
  mkdirSync(dirname(lockFile), { recursive: true, mode: 0o700 });
  for (let attempt = 0; attempt < 3; attempt += 1) {
    if (create(lockFile)) {
      const release = () => rmSync(lockFile, { force: true });
      process.once("exit", release);
      return () => {
        process.off("exit", release);
        release();
      };
    }
    const holder = read(lockFile);
    if (holder !== null && isAlive(holder))
      throw new StorageError(
        "in_use",
        `the embedded database is in use by process ${holder.pid}, a server or a command: wait for it, stop it, or use another DATA_DIR (if it is neither, delete ${lockFile})`,
      );
    rmSync(lockFile, { force: true });
  }
  throw new StorageError("in_use", `the lock ${lockFile} cannot be taken`);
}

interface Holder {
  readonly pid: number;
  /** When the process started, in kernel ticks; empty if unknown. Detects a reused pid. */
  readonly started: string;
}

function create(lockFile: string): boolean {
  try {
    const descriptor = openSync(lockFile, "wx", 0o600);
    writeSync(descriptor, `${process.pid} ${startOf(process.pid)}`);
    closeSync(descriptor);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function read(lockFile: string): Holder | null {
  try {
    const [pid, started = ""] = readFileSync(lockFile, "utf8").trim().split(" ");
    return { pid: Number(pid), started };
  } catch {
    return null;
  }
}

function isAlive({ pid, started }: Holder): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  // The same pid with another start time is another process: a restarted container, or a reused number.
  return started === "" || startOf(pid) === "" || startOf(pid) === started;
}

function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}
