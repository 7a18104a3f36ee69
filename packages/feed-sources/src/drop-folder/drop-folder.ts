import { constants, type Stats } from "node:fs";
import { access, copyFile, lstat, mkdir, rename, rm, unlink } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { toCoreError as refusalBehind, systemActor } from "@org/core";
import type { DataFeeds, GiveUp } from "@org/data-feeds";
import { MAX_FEED_BYTES } from "@org/provider-kit";
import { type HeldReason, type Intake, outside, refusalFor, targetOf } from "../intake.js";
import {
  codeOf,
  entriesOf,
  fairShare,
  fileStamp,
  ignoreMissing,
  lastBytes,
  nameInPath,
  readUnchanged,
} from "./dropped-files.js";

/** Where accepted files go, and where files go that can never be a custodian's. Inside the drop folder, so that a move is a rename. */
const DONE = "done";
const UNFIT = "unfit";

/**
 * How long a file must have been unchanged, measured by its modification time; if that is in the future, by its distance from now. Two polls must
 * also find it unchanged.
 */
const SETTLED_MS = 2_000;
/** The same for an empty file: most are uploads that have only just started. */
const SETTLED_EMPTY_MS = 600_000;
/** The most files per poll, round-robin by folder; the next poll takes the rest. */
const MAX_FILES = 200;

/** The most folders whose large files are processed concurrently, beside the small files of others. */
const MAX_BESIDE = 4;
/** How long a poll waits for them; they continue afterwards. */
const BESIDE_MS = 5_000;

/** The most files that one poll examines, round-robin by folder; a larger backlog is worked through over several polls. */
const MAX_SCANNED = 10_000;
/** The most names that one poll lists over all folders, and the most folders; of later folders it lists few files. */
const MAX_LISTED = 100_000;

/** When a file is tried again after the file system refused an operation: the cause may be gone by then. */
const STUCK_MS = 600_000;
/** The pauses before a file that caused an internal error is tried again, in case the cause passes. After the last one the file is given up. */
const PAUSES_MS = [60_000, 300_000, 1_500_000];

/** How many bytes of a file's name are kept when it is moved. With the timestamp and number before it, a name may have 255 bytes. */
const MAX_NAME_BYTES = 150;

/** A folder in which custodians leave files: one subfolder per connection or letter, named by its id. */
export interface DropFolder {
  /** Ingests every file that has not changed since the previous poll; returns how many were moved away. */
  poll(signal: AbortSignal): Promise<number>;
  /** Waits for files still in progress after a poll. */
  drain(): Promise<unknown>;
}

/** Where the outcome of files is logged; pino loggers fit. */
export interface DropFolderLog {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

/** Creates the folders that files are moved to. @throws a file system error if the drop folder cannot be used */
export async function prepareDropFolder(dir: string): Promise<void> {
  await access(dir, constants.R_OK | constants.W_OK | constants.X_OK);
  for (const name of [DONE, UNFIT]) await mkdir(join(dir, name), { recursive: true, mode: 0o700 });
}

/**
 * Watches a drop folder. A file is ingested whole and once: this is ensured by the hash that the database stores with the data, not by the folder.
 * Any number of replicas may therefore watch one folder; a process killed between ingesting a file and moving it leaves a duplicate, which is moved
 * and changes nothing. Files of one folder are ingested one after the other, so a large file delays only its own folder. A file that cannot be
 * ingested is held, sealed, and leaves the folder; so does one that fails repeatedly with an internal error. A file that could not be tried, because
 * the database is unavailable, stays. Links are never followed: they and other non-files are moved aside.
 */
export function createDropFolder(deps: {
  dir: string;
  feeds: Pick<DataFeeds, "ingest">;
  /** Holds what cannot be stored. */
  intake: Pick<Intake, "hold" | "isHeld">;
  /** Called for a file that failed too often. */
  giveUp: GiveUp;
  /** Files up to this many bytes are read inline, without a worker thread. */
  inlineBytes: number;
  clock: () => Date;
  log: DropFolderLog;
}): DropFolder {
  const { dir, feeds, giveUp, clock, log } = deps;
  /** Files as the previous poll found them. */
  let seen = new Map<string, string>();
  /** Files that stay: their internal errors, and whether they have been refused. */
  const paused = new Map<string, Attempted & { readonly look: string; readonly until: number }>();
  /** Folders with a large file in progress. */
  const beside = new Map<string | null, Promise<void>>();

  return {
    async poll(signal) {
      const waiting = await waitingFiles();
      const settled: Waiting[] = [];
      const now = new Map<string, string>();
      for (const file of waiting) {
        const look = fileStamp(file.stats);
        const key = keyOf(file);
        now.set(key, look);
        const isSettled =
          seen.get(key) === look && Math.abs(clock().getTime() - file.stats.mtimeMs) >= settlingTime(file.stats);
        if (isSettled && !isPaused(key, look)) settled.push(file);
      }
      seen = now;
      for (const key of paused.keys()) if (!now.has(key)) paused.delete(key);
      const byFolder = new Map<string | null, Waiting[]>();
      for (const file of settled.sort(inOrder)) {
        const files = byFolder.get(file.folder);
        if (files) files.push(file);
        else byFolder.set(file.folder, [file]);
      }
      const shared = fairShare(byFolder.values(), MAX_FILES).sort(inOrder);
      let moved = 0;
      const deliverAndCount = async (file: Waiting) => {
        if (!signal.aborted && (await deliver(file))) moved += 1;
      };
      const later = new Set<string | null>();
      for (const [index, file] of shared.entries()) {
        const { folder } = file;
        if (beside.has(folder) || later.has(folder)) continue;
        if (isQuick(file)) await deliverAndCount(file);
        else if (beside.size === MAX_BESIDE) later.add(folder);
        else
          begin(
            folder,
            inTurn(
              shared.slice(index).filter((other) => other.folder === folder),
              deliverAndCount,
            ),
          );
      }
      await endedSoon(signal);
      return moved;
    },
    drain: () => Promise.all(beside.values()),
  };

  /** Whether a file is read inline, without a worker thread. A container may take a while however small it is. */
  function isQuick({ name, stats }: Waiting): boolean {
    return stats.size <= deps.inlineBytes && !/\.(?:zip|gz|gzip|pgp|gpg|asc)$/i.test(name);
  }

  /** Processes the files of one folder, starting with a large one, while the poll continues. */
  function begin(folder: string | null, work: Promise<void>): void {
    beside.set(
      folder,
      work.finally(() => beside.delete(folder)),
    );
  }

  async function endedSoon(signal: AbortSignal): Promise<void> {
    if (beside.size === 0) return;
    const over = new AbortController();
    const enough = delay(BESIDE_MS, undefined, { signal: AbortSignal.any([signal, over.signal]) });
    await Promise.race([Promise.all(beside.values()), enough.catch(() => undefined)]);
    over.abort();
  }

  async function waitingFiles(): Promise<Waiting[]> {
    const entries = (await entriesOf(dir, MAX_LISTED)).filter(({ name }) => name !== DONE && name !== UNFIT);
    const lists: Pick<Waiting, "folder" | "name" | "path">[][] = [
      entries.flatMap(({ name, path, isDirectory }) => (isDirectory ? [] : [{ folder: null, name, path }])),
    ];
    let listed = lists[0]?.length ?? 0;
    for (const { name: folder, path: place } of entries.filter(({ isDirectory }) => isDirectory)) {
      const most = listed < MAX_LISTED ? MAX_SCANNED : MAX_FILES;
      const files = (await entriesOf(place, most)).map(({ name, path }) => ({ folder, name, path }));
      listed += files.length;
      lists.push(files);
    }
    const files: Waiting[] = [];
    for (const file of fairShare(lists, MAX_SCANNED)) {
      const stats = await ignoreMissing(lstat(file.path));
      if (stats) files.push({ ...file, stats });
    }
    return files;
  }

  function isPaused(key: string, look: string): boolean {
    const found = paused.get(key);
    return found?.look === look && clock().getTime() < found.until;
  }

  function attempted(file: Waiting): Attempted {
    const found = paused.get(keyOf(file));
    return found?.look === fileStamp(file.stats) ? found : { defects: 0 };
  }

  function pause(file: Waiting, ms: number, news: Partial<Attempted> = {}): void {
    const { defects, isAgain } = attempted(file);
    const until = clock().getTime() + ms;
    paused.set(keyOf(file), { defects, ...(isAgain && { isAgain }), ...news, look: fileStamp(file.stats), until });
  }

  /** Stores or holds one file. False if it stays: another replica has it, or the database is unavailable. */
  async function deliver(file: Waiting): Promise<boolean> {
    try {
      const fault = placeFault(file);
      if (fault !== null) return await setAside(file, fault);
      const bytes = await readUnchanged(file);
      if (bytes === null) return false;
      const refusal = await refusalOf(file, bytes);
      if (refusal === "untried") return false;
      if (refusal === "held") return await remove(file);
      if (refusal !== null) return await hold(file, bytes, refusal);
      return await moveTo(file, join(DONE, file.folder ?? ""), movedName(file));
    } catch (error) {
      // Otherwise such files, tried at every poll, would leave no room for others.
      pause(file, STUCK_MS);
      log.error(
        { err: error, folder: file.folder, name: file.name },
        "a custodian file cannot be read or moved away; it stays",
      );
      return false;
    }
  }

  /** Null for a file that was ingested; `untried` if the server could not try; `held` if only its removal was missing. */
  async function refusalOf(file: Waiting, bytes: Uint8Array): Promise<HeldReason | "untried" | "held" | null> {
    const name = nameInPath(file.name).slice(0, 255);
    const target = targetOf(pathOf(file));
    const before = attempted(file);
    try {
      if (await deps.intake.isHeld(pathOf(file), { bytes, modified_at: file.stats.mtime })) return "held";
      if (target === null) return outside;
      await feeds.ingest(systemActor, target, { name, bytes, ...(before.isAgain && { isAgain: true }) });
      return null;
    } catch (error) {
      const refusal = refusalFor(error);
      // It is reported once, even where it stays because there is no room to hold it.
      if (refusal !== null) pause(file, 0, { isAgain: true });
      if (refusal !== null) return refusal;
      const defects = before.defects + (refusalBehind(error) === null ? 1 : 0);
      const told = { err: error, folder: file.folder, name: file.name };
      if (defects > PAUSES_MS.length) {
        log.error(told, "a custodian file failed with an internal error on every attempt; giving up");
        const reason = `internal error, ${defects} times`;
        if (target !== null) await giveUp(target, { name, reason });
        return { reason, lack: "internal" };
      }
      if (defects > before.defects) pause(file, PAUSES_MS[defects - 1] as number, { defects });
      log.error(told, "a custodian file stays; will be retried");
      return "untried";
    }
  }

  /** Stores the held file before removing the original: a process killed in between finds the original again and holds it as the same file. */
  async function hold(file: Waiting, bytes: Uint8Array, refusal: HeldReason): Promise<boolean> {
    const path = pathOf(file);
    await deps.intake.hold(path, { bytes, modified_at: file.stats.mtime }, refusal);
    if (!(await remove(file))) return false;
    log.warn({ path, reason: refusal.reason, size: file.stats.size }, "a custodian file is held");
    return true;
  }

  /** False if the file is gone: another replica was faster. */
  async function remove({ path }: Waiting): Promise<boolean> {
    return (await ignoreMissing(unlink(path).then(() => true))) !== null;
  }

  /** Moves aside what can never be ingested, so that retrying makes no sense. */
  async function setAside(file: Waiting, reason: string): Promise<boolean> {
    const place = join(UNFIT, file.folder === null ? "" : nameInPath(file.folder));
    const name = movedName(file);
    const isMoved = await moveTo(file, place, name);
    if (isMoved)
      log.warn({ path: pathOf(file), reason, moved_to: join(place, name) }, "no custodian file; it is set aside");
    return isMoved;
  }

  /** False if the file is gone: another replica was faster. */
  async function moveTo(file: Waiting, place: string, name: string): Promise<boolean> {
    const target = join(dir, place, name);
    try {
      await mkdir(join(dir, place), { recursive: true, mode: 0o700 });
      await rename(file.path, target).catch(async (error: unknown) => {
        if (codeOf(error) !== "EXDEV") throw error;
        // A subfolder may be a separate file system.
        await copyFile(file.path, target, constants.COPYFILE_EXCL).catch(async (fault: unknown) => {
          // Removes a partial copy; the original stays where it is.
          if (codeOf(fault) !== "EEXIST") await rm(target, { force: true });
          throw fault;
        });
        await unlink(file.path);
      });
      return true;
    } catch (error) {
      if (codeOf(error) === "ENOENT") return false;
      throw error;
    }
  }

  function movedName({ name, stats }: Waiting): string {
    const at = clock().toISOString().replace(/[-:]/g, "");
    return `${at}-${stats.ino}-${lastBytes(nameInPath(name), MAX_NAME_BYTES)}`;
  }
}

async function inTurn(files: readonly Waiting[], work: (file: Waiting) => Promise<void>): Promise<void> {
  for (const file of files) await work(file);
}

/** Sorts files by their modification time. */
function inOrder(a: Waiting, b: Waiting): number {
  return a.stats.mtimeMs - b.stats.mtimeMs || Buffer.compare(a.path, b.path);
}

function settlingTime({ size }: Stats): number {
  return size === 0 ? SETTLED_EMPTY_MS : SETTLED_MS;
}

/** What became of earlier attempts at a file that stays. */
interface Attempted {
  /** Its internal errors. */
  readonly defects: number;
  /** It has been refused. */
  readonly isAgain?: true;
}

interface Waiting {
  /** The subfolder that contains it; null if it is in the drop folder itself. */
  readonly folder: string | null;
  readonly name: string;
  readonly path: Buffer;
  readonly stats: Stats;
}

/** The key of a file: every byte of its path. */
function keyOf({ path }: Waiting): string {
  return path.toString("latin1");
}

/** The path of a file in the drop folder, in a form that may be shown. */
function pathOf({ folder, name }: Waiting): string {
  return folder === null ? nameInPath(name) : `${nameInPath(folder)}/${nameInPath(name)}`;
}

/** Why something can never be a custodian's file. */
function placeFault({ stats }: Waiting): string | null {
  if (stats.isSymbolicLink()) return "is a symbolic link, which is not followed";
  if (stats.isDirectory())
    return "is a folder inside a folder; files lie right in the folder of their connection or letter";
  if (!stats.isFile()) return "is no regular file";
  if (stats.size > MAX_FEED_BYTES) return `is larger than ${MAX_FEED_BYTES / 1024 / 1024} MiB`;
  return null;
}
