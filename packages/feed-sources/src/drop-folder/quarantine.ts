import { createReadStream } from "node:fs";
import { lstat, mkdir, opendir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import {
  type Actor,
  CoreError,
  type DataFeeds,
  excerptOf,
  invalid,
  invalidValue,
  lackOf,
  placeIn,
  type TriedAgain,
} from "@org/core";
import { type FeedLack, feedLacks, MAX_FEED_BYTES } from "@org/provider-kit";
import { z } from "zod";
import { readUnchanged, unlessGone } from "./dropped-files.js";

/** Ends the name of the file that says why the one beside it was refused. */
export const REASON_SUFFIX = ".reason.json";

const reasonSchema = z.object({
  name: z.string(),
  folder: z.string().nullable(),
  refused_at: z.string(),
  code: z.string(),
  reason: z.string(),
  size: z.number(),
  sha256: z.string().nullable(),
  /** What it lacks to be taken. Left out by versions before; such a file is tried once more, which tells. */
  lack: z.enum(feedLacks).nullish(),
  /** Of one that lacks a format: those that were known. */
  formats: z.array(z.string()).optional(),
});
type Reason = z.output<typeof reasonSchema>;

/** A file as operators see it: the words of its reason say what it lacks. `moved_to` is where it lies, from the drop folder on. */
type QuarantinedFile = Omit<Reason, "lack" | "formats"> & { moved_to: string };

/** Why a file was refused: what is kept of a refusal. */
export type Refusal = Pick<Reason, "code" | "reason" | "lack" | "formats">;

/** Errors that say something of a file or its place. All others say something of the server, and pass. */
export const refusals: ReadonlySet<string> = new Set(["VALIDATION_ERROR", "NOT_FOUND", "CONFLICT"]);

/** Why a file was refused. @param formats names of those that can be read */
export function refusalFor(error: CoreError, formats: readonly string[]): Refusal {
  const { code, details, message } = error;
  const reason = details?.map((fault) => fault.message).join("; ") || message;
  const lack = lackOf(error);
  return { code, reason, lack, ...(lack === "format" && { formats: [...formats] }) };
}

/** Files that were left in the drop folder and refused. */
export interface Quarantine {
  /** The newest `limit` of them. */
  list(limit: number): Promise<{ watched: boolean; items: QuarantinedFile[]; total: number }>;
  /** A file with a piece of its text around the fault; that it was looked at is in the audit trail. @throws CoreError NOT_FOUND */
  show(
    operator: Actor,
    file: string,
  ): Promise<{ file: QuarantinedFile; excerpt: Awaited<ReturnType<typeof excerptOf>> }>;
  /**
   * Stores a file after all, for the connection or letter whose folder it lay in, or for `target`. A refused one stays, with the new
   * reason. @param file its `moved_to` @throws CoreError NOT_FOUND, and what {@link DataFeeds.ingest} throws
   */
  retry(
    operator: Actor,
    file: string,
    target: { connection_id: string } | { letter_id: string } | null,
  ): ReturnType<DataFeeds["ingest"]>;
  /** Deletes a file with its reason; that it was deleted is in the audit trail. @throws CoreError NOT_FOUND */
  drop(operator: Actor, file: string): Promise<void>;
  /** Tries those again that lack one of these; one that is refused again stays, with its new reason. @param isFor which folders are meant; left out: all */
  retryLacking(
    operator: Actor,
    lacks: readonly FeedLack[],
    isFor?: (folder: string) => Promise<boolean>,
  ): Promise<TriedAgain>;
  /** Tries those again that were refused by a server that read fewer formats, or by a version that did not say what they lack. */
  retryForFormats(operator: Actor): Promise<TriedAgain>;
  /** How many lack one of these. */
  countLacking(lacks: readonly FeedLack[]): Promise<number>;
}

/** Files that are looked through for those that may be taken by now. */
const MOST_RETRIED = 1_000;

/**
 * What is in the quarantine folder of the drop folder, newest first: names there begin with the moment.
 * @param deps `dir` null = there is no drop folder; `formats` are the names of those that can be read; `record` writes a line of the audit trail about a file that was left for `folder`
 */
export function createQuarantine(deps: {
  dir: string | null;
  feeds: Pick<DataFeeds, "ingest">;
  clock: () => Date;
  formats: readonly string[];
  record: (operator: Actor, action: string, file: Pick<Reason, "folder" | "sha256">) => Promise<void>;
}): Quarantine {
  const { dir, feeds, clock, record } = deps;

  return {
    async list(limit) {
      const { items, total } = await newestOf(limit);
      return { watched: dir !== null, items: items.map(shownOf), total };
    },

    async show(operator, file) {
      const { path, reason } = await find(file);
      const stats = await unlessGone(lstat(path));
      const place = placeIn(reason.reason);
      const shown = shownOf({ ...reason, moved_to: file });
      // A folder, a link or what has gone meanwhile has no text.
      if (!stats?.isFile()) return { file: shown, excerpt: { place, is_text: false, lines: [] } };
      await record(operator, "datafeed.show", reason);
      return { file: shown, excerpt: await excerptOf(createReadStream(path, { end: MAX_FEED_BYTES }), place) };
    },

    retry,
    async drop(operator, file) {
      const { path, reason } = await find(file);
      await record(operator, "datafeed.drop", reason);
      await rm(path, { recursive: true, force: true });
      await rm(`${path}${REASON_SUFFIX}`, { force: true });
    },
    retryLacking: (operator, lacks, isFor) => retryWhere(operator, isLacking(lacks), isFor),
    retryForFormats: (operator) =>
      retryWhere(operator, ({ code, lack, formats: known = [] }) =>
        lack === "format"
          ? deps.formats.some((name) => !known.includes(name))
          : lack === undefined && code === "VALIDATION_ERROR",
      ),
    countLacking: async (lacks) => (await newestOf(MOST_RETRIED)).items.filter(isLacking(lacks)).length,
  };

  async function retry(
    operator: Actor,
    file: string,
    target: { connection_id: string } | { letter_id: string } | null,
  ): ReturnType<DataFeeds["ingest"]> {
    const { path, reason } = await find(file);
    const feed = target ?? (reason.folder === null ? null : { connection_or_letter_id: reason.folder });
    if (feed === null)
      throw invalid(invalidValue("letter_id", "is needed, or connection_id: the file lay outside of their folders"));
    const stats = await unlessGone(lstat(path));
    if (!stats?.isFile() || stats.size > MAX_FEED_BYTES)
      throw new CoreError("CONFLICT", "what lies there is no file that can be taken; it can only be dropped");
    const bytes = await readUnchanged({ path, stats });
    if (bytes === null) throw new CoreError("CONFLICT", "the file is being changed; try again");
    const ingestion = await feeds
      .ingest(operator, feed, { name: reason.name.slice(0, 255), bytes })
      .catch(async (error) => {
        await noteRefusal(error, path, reason);
        throw error;
      });
    // What is left where this fails is a duplicate, and is one the next time.
    const done = join(dir as string, "done", Object.values(feed)[0] as string);
    await mkdir(done, { recursive: true, mode: 0o700 });
    await unlessGone(rename(path, join(done, basename(path))));
    await rm(`${path}${REASON_SUFFIX}`, { force: true });
    return ingestion;
  }

  async function retryWhere(
    operator: Actor,
    isMeant: (reason: Reason) => boolean,
    isFor: (folder: string) => Promise<boolean> = async () => true,
  ): Promise<TriedAgain> {
    const count = { retried: 0, taken: 0 };
    for (const { moved_to, folder } of (await newestOf(MOST_RETRIED)).items.filter(isMeant)) {
      if (folder === null || !(await isFor(folder))) continue;
      count.retried += 1;
      await retry(operator, moved_to, null).then(
        () => {
          count.taken += 1;
        },
        () => undefined,
      );
    }
    return count;
  }

  async function newestOf(
    limit: number,
  ): Promise<{ items: readonly (Reason & { moved_to: string })[]; total: number }> {
    if (dir === null) return { items: [], total: 0 };
    const place = join(dir, "quarantine");
    const newest: { folder: string; name: string }[] = [];
    let total = 0;
    const placeOf = ({ folder, name }: (typeof newest)[number]) => `${name} ${folder}`;
    const keepNewest = () => newest.sort((a, b) => (placeOf(a) < placeOf(b) ? 1 : -1)).splice(limit);
    const note = (folder: string, name: string) => {
      if (!name.endsWith(REASON_SUFFIX)) return;
      total += 1;
      newest.push({ folder, name });
      if (newest.length >= 2 * limit + 1_000) keepNewest();
    };
    // As they come: of a million only those that are shown are in memory.
    for await (const entry of await opendir(place))
      if (!entry.isDirectory()) note("", entry.name);
      else for await (const { name } of await opendir(join(place, entry.name))) note(entry.name, name);
    keepNewest();
    const items = await Promise.all(
      newest.map(async ({ folder, name }) => {
        const moved_to = join("quarantine", folder, name.slice(0, -REASON_SUFFIX.length));
        const reason = await readReason(join(dir, moved_to));
        return reason && { ...reason, moved_to };
      }),
    );
    return { items: items.filter((item) => item !== null), total };
  }

  /** A file by the path that the list shows. Nothing outside of the quarantine has one. @throws CoreError NOT_FOUND */
  async function find(file: string): Promise<{ path: string; reason: Reason }> {
    const parts = file.split("/");
    const isPlain = parts.every((part) => part !== "" && part !== "." && part !== ".." && !/[\\\0]/.test(part));
    if (dir === null || parts[0] !== "quarantine" || parts.length < 2 || parts.length > 3 || !isPlain)
      throw unknownFile();
    const path = join(dir, ...parts);
    const folder = await unlessGone(lstat(join(dir, ...parts.slice(0, -1))));
    const reason = folder?.isDirectory() ? await readReason(path) : null;
    if (reason === null) throw unknownFile();
    return { path, reason };
  }

  /** The list shows why the file was refused last. */
  async function noteRefusal(error: unknown, path: string, reason: Reason): Promise<void> {
    if (!(error instanceof CoreError) || !refusals.has(error.code)) return;
    const { formats: _, ...file } = reason;
    const again = { ...file, refused_at: clock().toISOString(), ...refusalFor(error, deps.formats) };
    await writeFile(`${path}${REASON_SUFFIX}`, `${JSON.stringify(again, null, 2)}\n`, { mode: 0o600 });
  }
}

function isLacking(lacks: readonly FeedLack[]): (reason: Reason) => boolean {
  return ({ lack }) => lack != null && lacks.includes(lack);
}

function shownOf({ lack: _, formats: __, ...shown }: Reason & { moved_to: string }): QuarantinedFile {
  return shown;
}

/** Null for one that somebody has removed meanwhile, or has changed beyond recognition. */
async function readReason(path: string): Promise<Reason | null> {
  const text = await readFile(`${path}${REASON_SUFFIX}`, "utf8").catch(() => "null");
  try {
    return reasonSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

function unknownFile(): CoreError {
  return new CoreError("NOT_FOUND", "FileNotFound");
}
