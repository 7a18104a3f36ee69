import { setTimeout as delay } from "node:timers/promises";
import { type Runtime, toCoreError } from "@org/core";
import { isHalfWritten, isPlainName, matchesPattern } from "./file-names.js";
import type { Arrival, Intake } from "./intake.js";
import type { FileRecord, SourceStores } from "./ports/source-store.js";
import { beginFetch, type OpenRemoteFolder, RemoteError, type RemoteFile, type RemoteFolder } from "./remote-folder.js";
import type { SftpSettings } from "./source-settings.js";

/** The result of one run over a custodian's folder. */
export interface RunReport {
  /** Regular files that match a pattern, when the folder was listed. */
  readonly found: number;
  readonly taken: number;
  readonly held: number;
  /** Files that arrived before; they are only removed or moved, if that is still to be done. */
  readonly duplicates: number;
  /** Left for a later run: still being written, too young, or over the limit of files or time. */
  readonly waiting: number;
  /** Never fetched: links, folders, invalid names, files that are too large. */
  readonly unfit: number;
  /** Files that could not be fetched, ingested or moved away, and the first reason. */
  readonly failed: number;
  readonly reason: string | null;
  /** False if the folder has more entries than a run examines. */
  readonly isWhole: boolean;
}

/** How often a run reconnects after a connection broke during a file. */
const MAX_RECONNECTS = 10;
/** The most folder entries that one run examines. */
const MAX_ENTRIES = 20_000;

/**
 * Polls a custodian's folder once. A file is fetched once two looks find it unchanged and it is old enough, oldest first. Its arrival is recorded
 * before it is removed or moved: a process killed in between leaves a file that is known by its bytes, and the next run only clears it away. A file
 * that stays in place and looks unchanged is not fetched again. @throws RemoteError if the server cannot be used; what was done until then stays done
 */
export async function pull(
  source: string,
  settings: SftpSettings,
  deps: {
    readonly open: OpenRemoteFolder;
    readonly stores: SourceStores;
    readonly intake: Intake;
    readonly clock: Runtime["clock"];
    readonly signal: AbortSignal;
    /** The time between the two looks that must find a file unchanged, in milliseconds. */
    readonly settleMs: number;
  },
): Promise<RunReport> {
  const { stores, intake, clock } = deps;
  const over = AbortSignal.timeout(settings.max_seconds * 1_000);
  const signal = AbortSignal.any([deps.signal, over]);
  const count = { found: 0, taken: 0, held: 0, duplicates: 0, waiting: 0, unfit: 0, failed: 0 };
  let reason: string | null = null;
  let folder = await deps.open(settings, signal);
  let reconnects = 0;
  try {
    const { files, isWhole } = await folder.list(MAX_ENTRIES);
    const candidates = chosenOf(files);
    const known = new Map<string, FileRecord>();
    for (const some of chunksOf(candidates, 1_000))
      for (const file of await stores.files.known(
        source,
        some.map(({ name }) => name),
        clock(),
      ))
        known.set(file.name, file);
    const open = candidates.filter((file) => !(settings.after === "leave" && isAsBefore(file, known.get(file.name))));
    count.duplicates = candidates.length - open.length;
    if (open.length > 0) await delay(deps.settleMs, undefined, { signal });
    for (const [index, file] of open.entries()) {
      if (index >= settings.max_files || signal.aborted) {
        count.waiting += open.length - index;
        break;
      }
      await deal(file).catch((error: unknown) => {
        // The server failed, this run was stopped, or the database is unavailable: another file would fare no better.
        if (error instanceof RemoteError && error.code !== "refused") throw error;
        const refusal = toCoreError(error);
        if (refusal?.code === "UNAVAILABLE" && refusal.limit === undefined) throw error;
        if (signal.aborted) throw error;
        count.failed += 1;
        reason ??= wordsOf(error);
      });
    }
    return { ...count, reason, isWhole };
  } finally {
    folder.close();
  }

  function chosenOf(files: readonly RemoteFile[]): readonly RemoteFile[] {
    const chosen: RemoteFile[] = [];
    for (const file of files) {
      if (file.name === "." || file.name === ".." || isHalfWritten(file.name)) continue;
      if (!isPlainName(file.name)) {
        count.unfit += 1;
        continue;
      }
      if (!settings.patterns.some((pattern) => matchesPattern(file.name, pattern))) continue;
      if (!file.isRegular || !(file.size <= settings.max_file_bytes)) count.unfit += 1;
      else chosen.push(file);
    }
    count.found = chosen.length;
    return chosen.sort((a, b) => Number(a.modified_at ?? 0) - Number(b.modified_at ?? 0) || (a.name < b.name ? -1 : 1));
  }

  /** An interrupted file continues over a new connection, as long as each connection brings a part of it. */
  async function fetchWhole(file: RemoteFile): Promise<Uint8Array | null> {
    const begun = beginFetch(file);
    for (;;) {
      const before = begun.pieces.size;
      try {
        return await folder.fetch(file, begun);
      } catch (error) {
        const isBroken = error instanceof RemoteError && error.code === "lost" && !signal.aborted;
        if (!isBroken || begun.pieces.size === before || reconnects === MAX_RECONNECTS) throw error;
        reconnects += 1;
        folder.close();
        folder = await deps.open(settings, signal);
      }
    }
  }

  async function deal(listed: RemoteFile): Promise<void> {
    const file = await folder.look(listed.name);
    if (file === null) return;
    const age = file.modified_at === null ? Number.POSITIVE_INFINITY : clock().getTime() - file.modified_at.getTime();
    // A modification time in the future must not block a file for ever: its distance from now says how long it was left alone.
    if (!isSame(file, listed) || Math.abs(age) < settings.min_age_seconds * 1_000) {
      count.waiting += 1;
      return;
    }
    const bytes = await fetchWhole(file);
    if (bytes === null) {
      count.waiting += 1;
      return;
    }
    const arrival = await intake.receive(source, { name: file.name, bytes, modified_at: file.modified_at });
    count[arrival.outcome === "duplicate" ? "duplicates" : arrival.outcome] += 1;
    await removeFetched(folder, settings, file, arrival);
  }
}

/** Removes or moves a file that was ingested or is held, unless other bytes have its name by now. */
async function removeFetched(
  folder: RemoteFolder,
  { after, move_to = "" }: SftpSettings,
  file: RemoteFile,
  { file: { sha256 } }: Arrival,
): Promise<void> {
  if (after === "leave") return;
  const now = await folder.look(file.name);
  if (now === null || !isSame(now, file)) return;
  if (after === "delete") return folder.remove(file.name);
  try {
    await folder.move(file.name, move_to, file.name);
  } catch (error) {
    if (!(error instanceof RemoteError) || error.code !== "refused") throw error;
    // Something already has that name, most likely an earlier file.
    await folder.move(file.name, move_to, `${sha256.slice(0, 12)}-${file.name}`);
  }
}

function isSame(one: RemoteFile, other: RemoteFile): boolean {
  return (
    one.isRegular && other.isRegular && one.size === other.size && isSameMoment(one.modified_at, other.modified_at)
  );
}

function isSameMoment(one: Date | null, other: Date | null): boolean {
  return (one?.getTime() ?? null) === (other?.getTime() ?? null);
}

function isAsBefore(file: RemoteFile, known: FileRecord | undefined): boolean {
  return known !== undefined && known.size === file.size && isSameMoment(known.modified_at, file.modified_at);
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 300) : "failed";
}

function chunksOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
