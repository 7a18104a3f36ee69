import { createHash } from "node:crypto";
import {
  type Actor,
  auditEntry,
  CoreError,
  invalid,
  invalidValue,
  type Runtime,
  systemActor,
  toCoreError,
  type Uuid,
  type Vault,
} from "@org/core";
import { type DataFeeds, type FeedOrigin, missingPartOf, type ReadPart, refusedPart } from "@org/data-feeds";
import { FeedRefusal } from "@org/provider-kit";
import type { LetterAccounts } from "./account-index.js";
import { batchesOf, hashOfBatch } from "./batches.js";
import { cutByAccount, type Slice } from "./cut-by-account.js";
import { contextOf, type HeldFileIssue, openHeld, sealFindings } from "./held-findings.js";
import { DROP_FOLDER, type FileRecord, isTakenOrHeld, type SourceStores } from "./ports/source-store.js";
import {
  createRoutingCosts,
  type LetterScope,
  type Route,
  type RouteTarget,
  routeSchema,
  routingOf,
} from "./routing.js";
import { sourceContext } from "./source-settings.js";

/** A file as it arrived from a source. */
export interface ArrivedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** As stated by the custodian's server; null for an upload. */
  readonly modified_at: Date | null;
}

/** The outcome of a file. `duplicate`: a file with the same name and bytes arrived before. */
export interface Arrival {
  readonly outcome: "taken" | "held" | "duplicate";
  readonly file: FileRecord;
  /** The number of parts and slices that letters or connections have now. */
  readonly delivered: number;
  readonly findings: readonly HeldFileIssue[];
  /** The connections that got something of it now. */
  readonly connections: readonly string[];
}

/** Reads, routes and stores the content of files. */
export interface Intake {
  /**
   * Receives a file, once per name and bytes. Each part is cut by account and routed by the rules. If anything is left over, the whole file is held,
   * and what was delivered stays delivered. A file that causes an internal error is held too.
   * @throws CoreError UNAVAILABLE or RATE_LIMITED if the file cannot be processed now, or there is no room to hold it; nothing is recorded then, and
   * the same file may be sent again
   */
  receive(source: string, file: ArrivedFile): Promise<Arrival>;
  /**
   * Holds a file of the drop folder that could not be stored. @param path its path in the folder @throws CoreError UNAVAILABLE if there is no room to
   * hold it
   */
  hold(path: string, file: Omit<ArrivedFile, "name">, refusal: HeldReason): Promise<void>;
  /** Whether this very file of the drop folder is held: a server that was killed then could not remove it. */
  isHeld(path: string, file: Omit<ArrivedFile, "name">): Promise<boolean>;
  /**
   * Retries a held file with the current rules; a file of the drop folder is retried for the connection or letter in whose folder it was.
   * @param how.target another target instead; for files of the drop folder only
   * @throws CoreError NOT_FOUND, VALIDATION_ERROR, and what {@link Intake.receive} throws
   */
  retry(fileId: Uuid, how?: { readonly operator?: Actor; readonly target?: RouteTarget | null }): Promise<Arrival>;
}

/** Why a file could not be stored, and what it lacks. */
export type HeldReason = Pick<HeldFileIssue, "reason" | "lack">;

/** The reason in core's refusal of a file; null if the file cannot be tried now, or the error is internal. */
export function refusalFor(error: unknown): HeldReason | null {
  if (!(error instanceof CoreError) || !fileFaults.has(error.code)) return null;
  return { reason: reasonOf(error), lack: error.code === "VALIDATION_ERROR" ? missingPartOf(error) : "target" };
}

/** What intake needs of the other services. */
export interface IntakeDeps {
  readonly stores: SourceStores;
  readonly runtime: Pick<Runtime, "clock" | "newId"> & { readonly vault: Vault };
  readonly feeds: Pick<DataFeeds, "ingest" | "ingestRead">;
  /** @throws FeedRefusal; CoreError UNAVAILABLE, RATE_LIMITED */
  readonly readParts: (
    file: ArrivedFile,
    origin: FeedOrigin & { readonly source: string },
  ) => Promise<readonly ReadPart[]>;
  readonly lettersOf: (scope: LetterScope) => Promise<readonly LetterAccounts[]>;
  /** How long a file is held, and the most bytes of all held files. */
  readonly holding: { readonly days: number; readonly maxBytes: number };
  readonly onFile?: (report: FileReport) => void;
  /** Called for an error that is not a refusal; the file is held and retried like any other. */
  readonly onDefect?: (error: unknown, file: Pick<FileReport, "source" | "name">) => void;
}

/** A report of one file for log and metrics, without accounts and persons. */
export interface FileReport {
  readonly source: string;
  readonly name: string;
  readonly size: number;
  readonly outcome: Arrival["outcome"];
  /** It had been held before. */
  readonly again: boolean;
  readonly delivered: number;
  /** The number of open issues, and the first reason, without accounts. */
  readonly open: number;
}

const DAY_MS = 86_400_000;
/** Files of one source may use at most half of the room, so that a source with unroutable files does not block the others. */
const SOURCE_SHARE = 2;
/** The most findings stored per file; beyond that only their number is kept. */
const MAX_FINDINGS = 100;

/**
 * The pause before a held file is retried. A change that could help (a rule, a letter, a key) makes it due immediately; the pauses cover everything
 * else, such as a newer server that can read more.
 */
function pauseMs(tries: number): number {
  return Math.min(10 * 4 ** tries, 720) * 60_000;
}

/** Error codes of core that concern the file or its target. All others mean that it cannot be tried now, or are internal errors. */
const fileFaults: ReadonlySet<string> = new Set(["VALIDATION_ERROR", "NOT_FOUND", "CONFLICT"]);

export function createIntake(deps: IntakeDeps): Intake {
  const { stores, runtime } = deps;
  const { vault } = runtime;

  return {
    async receive(source, file) {
      const identity = identityOf(file.name, file);
      const known = await stores.files.find(source, identity);
      if (known && isTakenOrHeld(known)) return told({ outcome: "duplicate", file: known, ...nothing });
      const now = runtime.clock();
      const moments = { modified_at: file.modified_at, came_at: now, settled_at: now };
      // It was dropped or expired before; whoever sends it again wants it processed.
      const record: FileRecord = known ?? {
        file_id: runtime.newId(),
        source,
        ...identity,
        state: "taken",
        ...moments,
      };
      return settle({ ...record, ...moments }, file.bytes, await store(record.source, file));
    },
    async hold(path, file, refusal) {
      await keepDropFolder();
      const now = runtime.clock();
      const facts = { file_id: runtime.newId(), source: DROP_FOLDER, ...identityOf(path, file) };
      const moments = { modified_at: file.modified_at, came_at: now, settled_at: now };
      const finding = { part: path, account: null, ...refusal, proposals: [] };
      await settle({ ...facts, state: "held", ...moments }, file.bytes, { ...nothing, findings: [finding] });
    },
    async isHeld(path, file) {
      const known = await stores.files.find(DROP_FOLDER, identityOf(path, file));
      return known?.state === "held" && known.modified_at?.getTime() === file.modified_at?.getTime();
    },
    async retry(fileId, { operator = systemActor, target = null } = {}) {
      const held = await stores.files.heldContent(fileId);
      if (!held) throw notHeld();
      if (target !== null && held.file.source !== DROP_FOLDER)
        throw invalid(
          invalidValue("letter_id", "is for files of the drop folder; those of sources are routed by rules"),
        );
      const bytes = await openHeld(vault, held.file, held.content);
      const file = { name: held.file.name, bytes, modified_at: held.file.modified_at };
      const outcome =
        held.file.source === DROP_FOLDER
          ? await storeWhole(operator, file, target ?? targetOf(file.name))
          : await store(held.file.source, file);
      return settle(held.file, bytes, outcome, held.content.tries + 1);
    },
  };

  async function store(source: string, file: ArrivedFile): Promise<Stored> {
    const { slices, findings } = await route(source, file, await read(source, file));
    let delivered = 0;
    const connections = new Set<string>();
    for (const batch of batchesOf(slices, runtime.clock())) {
      const stored = await storeBatch(source, batch, file.name);
      if ("reason" in stored) {
        for (const { name } of batch) findings.push({ part: name, account: null, ...stored, proposals: [] });
        continue;
      }
      delivered += batch.length;
      connections.add(stored.connection_id);
    }
    return { delivered, findings, connections: [...connections] };
  }

  /** Stores a file of the drop folder, completely or not at all. */
  async function storeWhole(operator: Actor, { name, bytes }: ArrivedFile, target: FeedTarget | null): Promise<Stored> {
    const held = (refusal: HeldReason) => ({
      ...nothing,
      findings: [{ part: name, account: null, ...refusal, proposals: [] }],
    });
    if (target === null) return held(outside);
    try {
      const { connection_id } = await deps.feeds.ingest(operator, target, {
        name: name.slice(name.indexOf("/") + 1).slice(0, 255),
        bytes,
        isAgain: true,
      });
      return { delivered: 1, findings: [], connections: [connection_id] };
    } catch (error) {
      return held(refusalFor(error) ?? { reason: defect(error, DROP_FOLDER, name), lack: "internal" });
    }
  }

  /** Creates the source of the drop folder when its first file is held. */
  async function keepDropFolder(): Promise<void> {
    if ((await stores.sources.find(DROP_FOLDER)) !== null) return;
    const sealed_settings = await vault.seal(JSON.stringify({ kind: "folder" }), sourceContext(DROP_FOLDER));
    const entry = auditEntry(runtime, systemActor, "source.set", "source", DROP_FOLDER, {
      kind: "folder",
      enabled: true,
    });
    const record = { source: DROP_FOLDER, kind: "folder", sealed_settings, is_enabled: true, due_at: null } as const;
    await stores.sources.keep({ ...record, changed_at: runtime.clock() }, entry, (before) => before === null);
  }

  /** Records the outcome of a file, and holds it if anything is left over. */
  async function settle(
    record: FileRecord,
    bytes: Uint8Array,
    { delivered, findings, connections }: Stored,
    tries = 0,
  ): Promise<Arrival> {
    const settled: FileRecord = {
      ...record,
      state: findings.length > 0 ? "held" : "taken",
      settled_at: runtime.clock(),
    };
    const held = findings.length > 0 ? await sealed(settled, bytes, findings, tries) : null;
    const room = { bytes: deps.holding.maxBytes, of_source: Math.floor(deps.holding.maxBytes / SOURCE_SHARE) };
    const kept = await stores.files[tries > 0 ? "storeRetried" : "keep"](settled, held, room);
    // Another caller dropped or completed it meanwhile.
    if (kept === "gone") throw notHeld();
    if (kept === "repeated") {
      const file = await stores.files.find(settled.source, settled);
      return told({ outcome: "duplicate", file: file ?? settled, ...nothing });
    }
    if (kept !== "kept") {
      const [whose, limit] =
        kept === "no_room"
          ? ["", { name: "feed_held_bytes", value: room.bytes }]
          : [" of this source", { name: "feed_held_bytes_of_source", value: room.of_source }];
      const message = `there is no room to hold another file${whose}: route or drop some that are held`;
      throw new CoreError("UNAVAILABLE", message, { limit, retryAfterSeconds: 3_600 });
    }
    return told({ outcome: held ? "held" : "taken", file: settled, delivered, findings, connections }, tries > 0);
  }

  /** Stores a batch for one target. Returns its connection if all of it was stored, now or before; otherwise the reason. */
  async function storeBatch(
    source: string,
    batch: readonly Slice[],
    file: string,
  ): Promise<HeldReason | { readonly connection_id: string }> {
    const [slice] = batch as [Slice];
    const { name, sha256 } = batch.length === 1 ? slice : { name: file, sha256: hashOfBatch(batch) };
    try {
      return await deps.feeds.ingestRead(systemActor, slice.target, { name, sha256, parts: batch });
    } catch (error) {
      return refusalFor(error) ?? { reason: defect(error, source, file), lack: "internal" };
    }
  }

  /** The finding for a file that caused an internal error. @throws the error if it is not internal, such as an unavailable database */
  function defect(error: unknown, source: string, name: string): string {
    if (toCoreError(error) !== null) throw error;
    deps.onDefect?.(error, { source, name });
    return "internal error; will be retried automatically";
  }

  /** Cuts the parts by account, and returns what goes to which target and what is left over. */
  async function route(
    source: string,
    file: ArrivedFile,
    parts: readonly ReadPart[],
  ): Promise<{ slices: Slice[]; findings: HeldFileIssue[] }> {
    const [slices, findings]: [Slice[], HeldFileIssue[]] = [[], []];
    const costs = createRoutingCosts();
    const routes: Route[] = [];
    for (const { rule } of await stores.routes.list(source)) {
      // Earlier versions accepted more rules than are accepted now.
      if (costs.pace.isDue()) await costs.pace.turn();
      routes.push(routeSchema.parse(rule));
    }
    const letters = await lettersFor(routes);
    for (const part of parts) {
      if ("refusal" in part) {
        const { place, reason, lack } = part.refusal;
        findings.push({ part: part.name, account: null, reason: `${place}: ${reason}`, lack, proposals: [] });
        continue;
      }
      const cut = await cutByAccount(part, file.name, (each) => routingOf(each, routes, letters, costs));
      slices.push(...cut.slices);
      for (const { account, routing } of cut.unrouted)
        findings.push({ part: part.name, account, ...routing, lack: "account" });
    }
    return { slices, findings };
  }

  /** A file that cannot be opened or read at all counts as one refused part. */
  async function read(source: string, file: ArrivedFile): Promise<readonly ReadPart[]> {
    try {
      return await deps.readParts(file, { tenant_id: `source ${source}`, feed_id: `source ${source}`, source });
    } catch (error) {
      const refusal = error instanceof FeedRefusal ? error : new FeedRefusal("file", defect(error, source, file.name));
      return [{ name: file.name, sha256: "", refusal: refusedPart(refusal) }];
    }
  }

  /** Loads the letters of each connector once per file. */
  async function lettersFor(routes: readonly Route[]) {
    const scopes = routes.flatMap(({ to }) => ("connector_id" in to ? [to] : []));
    const found = new Map<string, readonly LetterAccounts[]>();
    for (const scope of scopes) if (!found.has(keyOf(scope))) found.set(keyOf(scope), await deps.lettersOf(scope));
    return (scope: LetterScope) => found.get(keyOf(scope)) ?? [];
  }

  async function sealed(file: FileRecord, bytes: Uint8Array, findings: readonly HeldFileIssue[], tries: number) {
    const { key, ciphertext } = await vault.sealBytes(bytes, contextOf(file, "bytes"));
    return {
      sealed_key: key,
      ciphertext,
      sealed_findings: await sealFindings(vault, file, findings.slice(0, MAX_FINDINGS)),
      held_until: new Date(file.came_at.getTime() + deps.holding.days * DAY_MS),
      tries,
      retry_at: new Date(runtime.clock().getTime() + pauseMs(tries)),
      cause: findings[0]?.lack ?? ("content" as const),
      is_part: findings[0] !== undefined && findings[0].part !== file.name,
    };
  }

  function told(arrival: Arrival, again = false): Arrival {
    const { outcome, file, delivered, findings } = arrival;
    const { source, name, size } = file;
    deps.onFile?.({ source, name, size, outcome, again, delivered, open: findings.length });
    return arrival;
  }
}

/** The target of a file of the drop folder. */
type FeedTarget = Parameters<DataFeeds["ingest"]>[1];

/** How much of a file was stored, and what is left over. */
interface Stored {
  readonly delivered: number;
  readonly findings: readonly HeldFileIssue[];
  readonly connections: readonly string[];
}

const nothing = { delivered: 0, findings: [], connections: [] } as const;

/** Why a file outside of the target folders is held. */
export const outside: HeldReason = {
  reason: "lies outside of the folders that are named by a connection's or a letter's id",
  lack: "target",
};

/** The target of a file of the drop folder, by its path; null if it was not in a target's folder. */
export function targetOf(path: string): FeedTarget | null {
  const end = path.indexOf("/");
  return end < 0 ? null : { connection_or_letter_id: path.slice(0, end) };
}

/** What a source's file is known by. */
function identityOf(name: string, { bytes }: Pick<ArrivedFile, "bytes">): Pick<FileRecord, "name" | "size" | "sha256"> {
  return { name, size: bytes.byteLength, sha256: createHash("sha256").update(bytes).digest("hex") };
}

function notHeld(): CoreError {
  return new CoreError("NOT_FOUND", "no file with this id is held");
}

/** Core's reason for a refusal, in words. */
function reasonOf({ details, message }: CoreError): string {
  return details?.map((fault) => fault.message).join("; ") || message;
}

function keyOf({ connector_id, tenant_id }: LetterScope): string {
  return JSON.stringify([connector_id, tenant_id ?? null]);
}
