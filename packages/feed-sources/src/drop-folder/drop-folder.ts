import { createHash } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { access, copyFile, lstat, mkdir, rename, rm, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { CoreError, type DataFeeds, type GiveUp, refusalOf as refusalBehind, systemActor } from "@org/core";
import { MAX_FEED_BYTES } from "@org/provider-kit";
import {
  codeOf,
  entriesOf,
  fairShare,
  lastBytes,
  lookOf,
  printable,
  readUnchanged,
  unlessGone,
} from "./dropped-files.js";
import { REASON_SUFFIX, type Refusal, refusalFor, refusals } from "./quarantine.js";

/** Where taken files go, and refused ones; inside the drop folder, so that a move is a rename. */
const DONE = "done";
const QUARANTINE = "quarantine";

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
const MAX_LOOKED_AT = 10_000;
/** Names that one poll keeps of all folders, and folders; of those that come later it lists few files. */
const MAX_LISTED = 100_000;

/** When a file with which the file system did not do as it was told is tried again: the cause may have gone. */
const STUCK_MS = 600_000;
/** When one is tried again that was met by a defect, which may have been a passing one; after the last of these pauses it is given up. */
const PAUSES_MS = [60_000, 300_000, 1_500_000];

/** What is kept of a file's name where it is moved to, in bytes. With the moment and the number before it, and `.reason.json` after it, a name may have 255. */
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
  for (const name of [DONE, QUARANTINE]) await mkdir(join(dir, name), { recursive: true, mode: 0o700 });
}

/**
 * A file is taken whole, once: what makes sure of it is the hash that the database keeps with the data, not the folder. So any
 * number of replicas may watch one folder, and whoever is killed between taking a file and moving it away leaves a duplicate, which
 * is moved and changes nothing. Files of a folder are taken one after the other; a large one holds up its own folder only. A file
 * that cannot be taken goes to quarantine with its reason, and so does one that fails again and again for a defect; one that could not be
 * tried, because the database is away, stays. Links are never followed.
 */
export function createDropFolder(deps: {
  dir: string;
  feeds: DataFeeds;
  /** Told of a file that failed too often. */
  giveUp: GiveUp;
  /** Names of those that can be read. */
  formats: readonly string[];
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
        const look = lookOf(file.stats);
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
    const entries = (await entriesOf(dir, MAX_LISTED)).filter(({ name }) => name !== DONE && name !== QUARANTINE);
    const lists: Pick<Waiting, "folder" | "name" | "path">[][] = [
      entries.flatMap(({ name, path, isDirectory }) => (isDirectory ? [] : [{ folder: null, name, path }])),
    ];
    let listed = lists[0]?.length ?? 0;
    for (const { name: folder, path: place } of entries.filter(({ isDirectory }) => isDirectory)) {
      const most = listed < MAX_LISTED ? MAX_LOOKED_AT : MAX_FILES;
      const files = (await entriesOf(place, most)).map(({ name, path }) => ({ folder, name, path }));
      listed += files.length;
      lists.push(files);
    }
    const files: Waiting[] = [];
    for (const file of fairShare(lists, MAX_LOOKED_AT)) {
      const stats = await unlessGone(lstat(file.path));
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
    return found?.look === lookOf(file.stats) ? found.defects : 0;
  }

  function pause(file: Waiting, ms: number, defects: number): void {
    paused.set(keyOf(file), { look: lookOf(file.stats), until: clock().getTime() + ms, defects });
  }

  /** Has one file stored, or quarantines it. False when it stays, for another replica has it or the database is away. */
  async function deliver(file: Waiting): Promise<boolean> {
    try {
      const fault = placeFault(file);
      if (fault !== null) return await quarantine(file, fault, null);
      const bytes = await readUnchanged(file);
      if (bytes === null) return false;
      const refusal = await refusalOf(file, bytes);
      if (refusal === "untried") return false;
      if (refusal !== null) return await quarantine(file, refusal, bytes);
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
  async function refusalOf(file: Waiting, bytes: Uint8Array): Promise<Refusal | "untried" | null> {
    const name = printable(file.name).slice(0, 255);
    const target = { connection_or_letter_id: file.folder ?? "" };
    try {
      await feeds.ingest(systemActor, target, { name, bytes });
      return null;
    } catch (error) {
      if (error instanceof CoreError && refusals.has(error.code)) return refusalFor(error, deps.formats);
      const defects = defectsOf(file) + (refusalBehind(error) === null ? 1 : 0);
      const told = { err: error, folder: file.folder, name: file.name };
      if (defects > PAUSES_MS.length) {
        log.error(told, "a custodian file met a defect each time it was tried; it is given up");
        const refusal = { code: "INTERNAL_ERROR", reason: `met a defect of the server ${defects} times`, lack: null };
        await giveUp(target, { name, reason: refusal.reason });
        return refusal;
      }
      if (defects > defectsOf(file)) pause(file, PAUSES_MS[defects - 1] as number, defects);
      log.error(told, "a custodian file stays; it is tried again");
      return "untried";
    }
  }

  /** The reason first: nobody finds a file in quarantine without one. */
  async function quarantine(file: Waiting, refusal: Refusal, bytes: Uint8Array | null): Promise<boolean> {
    const place = join(QUARANTINE, file.folder === null ? "" : printable(file.folder));
    const name = movedName(file);
    const reasonFile = join(dir, place, `${name}${REASON_SUFFIX}`);
    const reason = {
      name: printable(file.name),
      folder: file.folder === null ? null : printable(file.folder),
      refused_at: clock().toISOString(),
      ...refusal,
      size: file.stats.size,
      sha256: bytes && createHash("sha256").update(bytes).digest("hex"),
    };
    await mkdir(join(dir, place), { recursive: true, mode: 0o700 });
    try {
      await writeFile(reasonFile, `${JSON.stringify(reason, null, 2)}\n`, { mode: 0o600, flag: "wx" });
    } catch (error) {
      // Another replica refuses the same file in the same millisecond.
      if (codeOf(error) === "EEXIST") return false;
      // What was begun on a full disk would be a reason without a file.
      await rm(reasonFile, { force: true });
      throw error;
    }
    let moved = false;
    try {
      moved = await moveTo(file, place, name);
    } finally {
      if (!moved) await rm(reasonFile, { force: true });
    }
    if (moved) log.warn({ ...reason, moved_to: join(place, name) }, "a custodian file is in quarantine");
    return moved;
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
    return `${at}-${stats.ino}-${lastBytes(printable(name), MAX_NAME_BYTES)}`;
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

function placeFault({ folder, stats }: Waiting): Refusal | null {
  const refuse = (reason: string) => ({ code: "VALIDATION_ERROR", reason, lack: null });
  if (stats.isSymbolicLink()) return refuse("is a symbolic link, which is not followed");
  if (stats.isDirectory())
    return refuse("is a folder inside a folder; files lie right in the folder of their connection or letter");
  if (!stats.isFile()) return refuse("is no regular file");
  if (folder === null) return refuse("lies outside of the folders that are named by a connection's or a letter's id");
  if (stats.size > MAX_FEED_BYTES) return refuse(`is larger than ${MAX_FEED_BYTES / 1024 / 1024} MiB`);
  return null;
}
