import { constants, type Stats } from "node:fs";
import { access, copyFile, lstat, mkdir, rename, rm, unlink } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { toCoreError as refusalBehind, systemActor } from "@org/core";
import type { DataFeeds, GiveUp } from "@org/data-feeds";
import { MAX_FEED_BYTES } from "@org/provider-kit";
import { type HeldReason, type Intake, OUTSIDE, refusalFor, targetOf } from "../intake.js";
import {
  codeOf,
  entriesOf,
  fairShare,
  fileStamp,
  ignoreMissing,
  lastBytes,
  printableName,
  readUnchanged,
} from "./dropped-files.js";

/** Where taken files go, and what can be no custodian's file; inside the drop folder, so that a move is a rename. */
const DONE = "done";
const UNFIT = "unfit";

/** How long a file must have been left alone, by its time or, where that lies ahead, against it. Two polls must find it unchanged besides. */
const SETTLED_MS = 2_000;
/** The same for an empty file: most are uploads whose first bytes are on their way. */
const SETTLED_EMPTY_MS = 600_000;
/** Files taken in one poll, in turn one of each folder; the rest follow in the next one. */
const MAX_FILES = 200;

/** Folders whose large files are taken at once, beside the small ones of others. */
const MAX_BESIDE = 4;
/** How long a poll waits for them; they go on afterwards. */
const BESIDE_MS = 5_000;

/** Files that one poll looks at, in turn one of each folder; a heap of more goes bit by bit. */
const MAX_SCANNED = 10_000;
/** Names that one poll keeps of all folders, and folders; of those that come later it lists few files. */
const MAX_LISTED = 100_000;

/** When a file with which the file system did not do as it was told is tried again: the cause may have gone. */
const STUCK_MS = 600_000;
/** When one is tried again that was met by a defect, which may have been a passing one; after the last of these pauses it is given up. */
const PAUSES_MS = [60_000, 300_000, 1_500_000];

/** What is kept of a file's name where it is moved to, in bytes. With the moment and the number before it a name may have 255. */
const MAX_NAME_BYTES = 150;

/** A folder in which custodians leave files: one subfolder for each connection or letter, named by its id. */
export interface DropFolder {
  /** Brings in every file that has been left alone since the poll before; returns how many were moved away. */
  poll(signal: AbortSignal): Promise<number>;
  /** Waits for files that polls have left under way. */
  drain(): Promise<unknown>;
}

/** Where it says what became of files: pino's loggers are some. */
export interface DropFolderLog {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

/** Makes the folders that files are moved to. @throws an error of the file system when the drop folder cannot be used */
export async function prepareDropFolder(dir: string): Promise<void> {
  await access(dir, constants.R_OK | constants.W_OK | constants.X_OK);
  for (const name of [DONE, UNFIT]) await mkdir(join(dir, name), { recursive: true, mode: 0o700 });
}

/**
 * A file is taken whole, once: what makes sure of it is the hash that the database keeps with the data, not the folder. So any
 * number of replicas may watch one folder, and whoever is killed between taking a file and moving it away leaves a duplicate, which
 * is moved and changes nothing. Files of a folder are taken one after the other; a large one holds up its own folder only. A file
 * that cannot be taken is held, sealed, and leaves the folder, and so does one that fails again and again for a defect; one that could not be
 * tried, because the database is away, stays. Links are never followed: they and what else is no file are moved aside.
 */
export function createDropFolder(deps: {
  dir: string;
  feeds: Pick<DataFeeds, "ingest">;
  /** Holds what cannot be stored. */
  hold: Intake["hold"];
  /** Told of a file that failed too often. */
  giveUp: GiveUp;
  /** Up to how many bytes a file is read at once, without a thread. */
  inlineBytes: number;
  clock: () => Date;
  log: DropFolderLog;
}): DropFolder {
  const { dir, feeds, giveUp, clock, log } = deps;
  /** Files as the poll before found them. */
  let seen = new Map<string, string>();
  /** Files that cannot be read or moved away, or that met a defect so many times. */
  const paused = new Map<string, { readonly look: string; readonly until: number; readonly defects: number }>();
  /** Folders with a large file under way. */
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

  /** Read at once, without a thread. What is in a container may need a while, however small it is. */
  function isQuick({ name, stats }: Waiting): boolean {
    return stats.size <= deps.inlineBytes && !/\.(?:zip|gz|gzip|pgp|gpg|asc)$/i.test(name);
  }

  /** Files of one folder, the first of them large: the poll goes on meanwhile. */
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

  function defectsOf(file: Waiting): number {
    const found = paused.get(keyOf(file));
    return found?.look === fileStamp(file.stats) ? found.defects : 0;
  }

  function pause(file: Waiting, ms: number, defects: number): void {
    paused.set(keyOf(file), { look: fileStamp(file.stats), until: clock().getTime() + ms, defects });
  }

  /** Has one file stored, or held. False when it stays, for another replica has it or the database is away. */
  async function deliver(file: Waiting): Promise<boolean> {
    try {
      const fault = placeFault(file);
      if (fault !== null) return await setAside(file, fault);
      const bytes = await readUnchanged(file);
      if (bytes === null) return false;
      const refusal = await refusalOf(file, bytes);
      if (refusal === "untried") return false;
      if (refusal !== null) return await hold(file, bytes, refusal);
      return await moveTo(file, join(DONE, file.folder ?? ""), movedName(file));
    } catch (error) {
      // Else such files, tried at every poll, would leave no room for others.
      pause(file, STUCK_MS, defectsOf(file));
      log.error(
        { err: error, folder: file.folder, name: file.name },
        "a custodian file cannot be read or moved away; it stays",
      );
      return false;
    }
  }

  /** Null for a file that was taken; `untried` when the server could not try. */
  async function refusalOf(file: Waiting, bytes: Uint8Array): Promise<HeldReason | "untried" | null> {
    const name = printableName(file.name).slice(0, 255);
    const target = targetOf(pathOf(file));
    if (target === null) return { reason: OUTSIDE };
    try {
      await feeds.ingest(systemActor, target, { name, bytes });
      return null;
    } catch (error) {
      const refusal = refusalFor(error);
      if (refusal !== null) return refusal;
      const defects = defectsOf(file) + (refusalBehind(error) === null ? 1 : 0);
      const told = { err: error, folder: file.folder, name: file.name };
      if (defects > PAUSES_MS.length) {
        log.error(told, "a custodian file failed with an internal error on every attempt; giving up");
        const reason = `internal error, ${defects} times`;
        await giveUp(target, { name, reason });
        return { reason };
      }
      if (defects > defectsOf(file)) pause(file, PAUSES_MS[defects - 1] as number, defects);
      log.error(told, "a custodian file stays; will be retried");
      return "untried";
    }
  }

  /** Held before it is removed: whoever is killed in between finds it again, and holds it as the same file. */
  async function hold(file: Waiting, bytes: Uint8Array, refusal: HeldReason): Promise<boolean> {
    const path = pathOf(file);
    await deps.hold(path, { bytes, modified_at: file.stats.mtime }, refusal);
    if ((await ignoreMissing(unlink(file.path).then(() => true))) === null) return false;
    log.warn({ path, reason: refusal.reason, size: file.stats.size }, "a custodian file is held");
    return true;
  }

  /** What can never be taken, and nobody could try again. */
  async function setAside(file: Waiting, reason: string): Promise<boolean> {
    const place = join(UNFIT, file.folder === null ? "" : printableName(file.folder));
    const name = movedName(file);
    const isMoved = await moveTo(file, place, name);
    if (isMoved)
      log.warn({ path: pathOf(file), reason, moved_to: join(place, name) }, "no custodian file; it is set aside");
    return isMoved;
  }

  /** False when the file has gone meanwhile: another replica was faster. */
  async function moveTo(file: Waiting, place: string, name: string): Promise<boolean> {
    const target = join(dir, place, name);
    try {
      await mkdir(join(dir, place), { recursive: true, mode: 0o700 });
      await rename(file.path, target).catch(async (error: unknown) => {
        if (codeOf(error) !== "EXDEV") throw error;
        // A subfolder may be a file system of its own.
        await copyFile(file.path, target, constants.COPYFILE_EXCL).catch(async (fault: unknown) => {
          // Half a copy is none; the file stays where it is.
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
    return `${at}-${stats.ino}-${lastBytes(printableName(name), MAX_NAME_BYTES)}`;
  }
}

async function inTurn(files: readonly Waiting[], work: (file: Waiting) => Promise<void>): Promise<void> {
  for (const file of files) await work(file);
}

/** In the order in which they were left. */
function inOrder(a: Waiting, b: Waiting): number {
  return a.stats.mtimeMs - b.stats.mtimeMs || Buffer.compare(a.path, b.path);
}

function settlingTime({ size }: Stats): number {
  return size === 0 ? SETTLED_EMPTY_MS : SETTLED_MS;
}

interface Waiting {
  /** Subfolder that it is in; null when it is in the drop folder itself. */
  readonly folder: string | null;
  readonly name: string;
  readonly path: Buffer;
  readonly stats: Stats;
}

/** What a file is remembered by: each of its path's bytes. */
function keyOf({ path }: Waiting): string {
  return path.toString("latin1");
}

/** Where a file lies in the drop folder, as it may be shown. */
function pathOf({ folder, name }: Waiting): string {
  return folder === null ? printableName(name) : `${printableName(folder)}/${printableName(name)}`;
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
