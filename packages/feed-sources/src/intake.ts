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
import { type FeedLack, FeedRefusal } from "@org/provider-kit";
import type { LetterAccounts } from "./account-index.js";
import { batchesOf, hashOfBatch } from "./batches.js";
import { cutByAccount, type Slice } from "./cut-by-account.js";
import {
  DROP_FOLDER,
  type FileRecord,
  type HeldContent,
  isTakenOrHeld,
  type SourceStores,
} from "./ports/source-store.js";
import {
  createRoutingCosts,
  type LetterScope,
  type Proposal,
  type Route,
  type RouteTarget,
  routeSchema,
  routingOf,
} from "./routing.js";
import { sourceContext } from "./source-settings.js";

/** A file as it came from a source. */
export interface ArrivedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** As the custodian's server says; null for one that was sent. */
  readonly modified_at: Date | null;
}

/** What is open about a held file: a part that cannot be read, or an account that is nobody's. */
export interface HeldFileIssue {
  readonly part: string;
  readonly account: string | null;
  readonly reason: string;
  /** What it lacks to be read; null where it was read, or is itself at fault. Findings of versions before have none. */
  readonly lack?: FeedLack | null;
  readonly proposals: readonly Proposal[];
}

/** What became of a file. `duplicate`: its name and bytes were here before. */
export interface Arrival {
  readonly outcome: "taken" | "held" | "duplicate";
  readonly file: FileRecord;
  /** Parts and slices of parts that letters or connections have now. */
  readonly delivered: number;
  readonly findings: readonly HeldFileIssue[];
}

/** Has what a file holds read, routed and stored for whoever it is for. */
export interface Intake {
  /**
   * Receives a file, once for its name and bytes. Each part goes where the rules say, cut by account; a file of which anything is left over
   * is held whole, and what of it was delivered stays delivered. So is one that meets a defect.
   * @throws CoreError UNAVAILABLE and RATE_LIMITED when it cannot be tried now, or there is no room to hold it: nothing is noted then, and
   * the same file may come again
   */
  receive(source: string, file: ArrivedFile): Promise<Arrival>;
  /**
   * Holds a file that was left in the drop folder and could not be stored. @param path where it lay in the folder
   * @throws CoreError UNAVAILABLE when there is no room to hold it
   */
  hold(path: string, file: Omit<ArrivedFile, "name">, refusal: HeldReason): Promise<void>;
  /**
   * Tries a held file again, with the rules of now; one of the drop folder for the connection or letter in whose folder it lay.
   * @param how.target for this one instead: of a file of the drop folder only
   * @throws CoreError NOT_FOUND, VALIDATION_ERROR, and what {@link Intake.receive} throws
   */
  retry(fileId: Uuid, how?: { readonly operator?: Actor; readonly target?: RouteTarget | null }): Promise<Arrival>;
}

/** Why a file could not be stored, and what it lacks. */
export type HeldReason = Pick<HeldFileIssue, "reason" | "lack">;

/** What a refusal of core says of a file; null where it says that the file cannot be tried now, or is a defect. */
export function refusalFor(error: unknown): HeldReason | null {
  if (!(error instanceof CoreError) || !fileFaults.has(error.code)) return null;
  return { reason: reasonOf(error), lack: missingPartOf(error) };
}

/** What sources need of the rest of the service. */
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
  /** How long a file is held, and how many bytes all held files may have. */
  readonly holding: { readonly days: number; readonly maxBytes: number };
  /** Told of every file. */
  readonly onFile?: (report: FileReport) => void;
  /** Told of what was no refusal: the file is held, and tried again as any other. */
  readonly onDefect?: (error: unknown, file: Pick<FileReport, "source" | "name">) => void;
}

/** What there is to say of a file, for a log and for counting: no account and no person. */
export interface FileReport {
  readonly source: string;
  readonly name: string;
  readonly size: number;
  readonly outcome: Arrival["outcome"];
  /** It was held before. */
  readonly again: boolean;
  readonly delivered: number;
  /** How much of it is open, and the first reason, without accounts. */
  readonly open: number;
}

const DAY_MS = 86_400_000;
/** Files of one source have half of the room at most: the others go on when one sends what nobody routes. */
const SOURCE_SHARE = 2;
/** Findings that are kept of a file; of more only the number is. */
const MAX_FINDINGS = 100;

/**
 * How long a held file is left alone. What might take it (a rule, a letter, a key) makes it due at once; the pauses are for everything
 * else, such as a server of a later version, which reads more.
 */
function pauseMs(tries: number): number {
  return Math.min(10 * 4 ** tries, 720) * 60_000;
}

/** Refusals of core that say something of the file or its target; all others say that it cannot be tried now, or are defects. */
const fileFaults: ReadonlySet<string> = new Set(["VALIDATION_ERROR", "NOT_FOUND", "CONFLICT"]);

export function createIntake(deps: IntakeDeps): Intake {
  const { stores, runtime } = deps;
  const { vault } = runtime;

  return {
    async receive(source, file) {
      const size = file.bytes.byteLength;
      const sha256 = createHash("sha256").update(file.bytes).digest("hex");
      const known = await stores.files.find(source, { name: file.name, size, sha256 });
      if (known && isTakenOrHeld(known)) return told({ outcome: "duplicate", file: known, delivered: 0, findings: [] });
      const now = runtime.clock();
      const moments = { modified_at: file.modified_at, came_at: now, settled_at: now };
      // Somebody dropped it, or nobody came for it: whoever sends it again wants it taken.
      const record: FileRecord = known ?? {
        file_id: runtime.newId(),
        source,
        name: file.name,
        size,
        sha256,
        state: "taken",
        ...moments,
      };
      return settle({ ...record, ...moments }, file.bytes, await store(record.source, file));
    },
    async hold(path, file, refusal) {
      await keepDropFolder();
      const now = runtime.clock();
      const size = file.bytes.byteLength;
      const sha256 = createHash("sha256").update(file.bytes).digest("hex");
      const facts = { file_id: runtime.newId(), source: DROP_FOLDER, name: path, size, sha256 };
      const moments = { modified_at: file.modified_at, came_at: now, settled_at: now };
      const finding = { part: path, account: null, ...refusal, proposals: [] };
      await settle({ ...facts, state: "held", ...moments }, file.bytes, { delivered: 0, findings: [finding] });
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

  /** Reads, routes and stores a file of a source. */
  async function store(source: string, file: ArrivedFile): Promise<Stored> {
    const { slices, findings } = await route(source, file, await read(source, file));
    let delivered = 0;
    for (const batch of batchesOf(slices, runtime.clock())) {
      const refused = await storeBatch(source, batch, file.name);
      if (refused === null) delivered += batch.length;
      else for (const { name } of batch) findings.push({ part: name, account: null, reason: refused, proposals: [] });
    }
    return { delivered, findings };
  }

  /** Stores a file that lay in somebody's folder, whole or not at all. */
  async function storeWhole(operator: Actor, { name, bytes }: ArrivedFile, target: FeedTarget | null): Promise<Stored> {
    const held = (refusal: HeldReason) => ({
      delivered: 0,
      findings: [{ part: name, account: null, ...refusal, proposals: [] }],
    });
    if (target === null) return held({ reason: OUTSIDE });
    try {
      await deps.feeds.ingest(operator, target, {
        name: name.slice(name.indexOf("/") + 1).slice(0, 255),
        bytes,
        isAgain: true,
      });
      return { delivered: 1, findings: [] };
    } catch (error) {
      return held(refusalFor(error) ?? { reason: defect(error, DROP_FOLDER, name) });
    }
  }

  /** The drop folder is a source from the first file on that is held of it. */
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

  /** Notes what became of a file, and holds it where something of it is left over. */
  async function settle(
    record: FileRecord,
    bytes: Uint8Array,
    { delivered, findings }: Stored,
    tries = 0,
  ): Promise<Arrival> {
    const settled: FileRecord = {
      ...record,
      state: findings.length > 0 ? "held" : "taken",
      settled_at: runtime.clock(),
    };
    const held = findings.length > 0 ? await sealed(settled, bytes, findings, tries) : null;
    const room = { bytes: deps.holding.maxBytes, of_source: Math.floor(deps.holding.maxBytes / SOURCE_SHARE) };
    const kept = await stores.files[tries > 0 ? "keepTried" : "keep"](settled, held, room);
    // Somebody dropped it meanwhile, or took it.
    if (kept === "gone") throw notHeld();
    if (kept === "repeated") {
      const file = await stores.files.find(settled.source, settled);
      return told({ outcome: "duplicate", file: file ?? settled, delivered: 0, findings: [] });
    }
    if (kept !== "kept") {
      const [whose, limit] =
        kept === "no_room"
          ? ["", { name: "feed_held_bytes", value: room.bytes }]
          : [" of this source", { name: "feed_held_bytes_of_source", value: room.of_source }];
      const message = `there is no room to hold another file${whose}: route or drop some that are held`;
      throw new CoreError("UNAVAILABLE", message, { limit, retryAfterSeconds: 3_600 });
    }
    return told({ outcome: held ? "held" : "taken", file: settled, delivered, findings }, tries > 0);
  }

  /** Null when all of them were taken, now or before; else why not. @param batch for one target */
  async function storeBatch(source: string, batch: readonly Slice[], file: string): Promise<string | null> {
    const [slice] = batch as [Slice];
    const { name, sha256 } = batch.length === 1 ? slice : { name: file, sha256: hashOfBatch(batch) };
    try {
      await deps.feeds.ingestRead(systemActor, slice.target, { name, sha256, parts: batch });
      return null;
    } catch (error) {
      return refusalFor(error)?.reason ?? defect(error, source, file);
    }
  }

  /** What a defect says of a file. @throws what is none, such as a database that is away */
  function defect(error: unknown, source: string, name: string): string {
    if (toCoreError(error) !== null) throw error;
    deps.onDefect?.(error, { source, name });
    return "internal error; will be retried automatically";
  }

  /** Cuts the parts by account: what of them goes to whom, and what is left over. */
  async function route(
    source: string,
    file: ArrivedFile,
    parts: readonly ReadPart[],
  ): Promise<{ slices: Slice[]; findings: HeldFileIssue[] }> {
    const [slices, findings]: [Slice[], HeldFileIssue[]] = [[], []];
    const costs = createRoutingCosts();
    const routes: Route[] = [];
    for (const { rule } of await stores.routes.list(source)) {
      // Of versions before there may be more than are let in now.
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
      for (const { account, routing } of cut.unrouted) findings.push({ part: part.name, account, ...routing });
    }
    return { slices, findings };
  }

  /** What cannot be opened or read at all is one part that is refused. */
  async function read(source: string, file: ArrivedFile): Promise<readonly ReadPart[]> {
    try {
      return await deps.readParts(file, { tenant_id: `source ${source}`, feed_id: `source ${source}`, source });
    } catch (error) {
      const refusal = error instanceof FeedRefusal ? error : new FeedRefusal("file", defect(error, source, file.name));
      return [{ name: file.name, sha256: "", refusal: refusedPart(refusal) }];
    }
  }

  /** Each connector's letters once for a file. */
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
    };
  }

  function told(arrival: Arrival, again = false): Arrival {
    const { outcome, file, delivered, findings } = arrival;
    const { source, name, size } = file;
    deps.onFile?.({ source, name, size, outcome, again, delivered, open: findings.length });
    return arrival;
  }
}

/** Whom a file of the drop folder is for. */
type FeedTarget = Parameters<DataFeeds["ingest"]>[1];

/** What of a file was stored, and what is left over. */
interface Stored {
  readonly delivered: number;
  readonly findings: readonly HeldFileIssue[];
}

/** Why a file of the drop folder that lay in nobody's folder is held. */
export const OUTSIDE = "lies outside of the folders that are named by a connection's or a letter's id";

/** For whom a file of the drop folder is, by its path; null where it lay in nobody's folder. */
export function targetOf(path: string): FeedTarget | null {
  const end = path.indexOf("/");
  return end < 0 ? null : { connection_or_letter_id: path.slice(0, end) };
}

function notHeld(): CoreError {
  return new CoreError("NOT_FOUND", "no file with this id is held");
}

/** Why core refused something, in words. */
function reasonOf({ details, message }: CoreError): string {
  return details?.map((fault) => fault.message).join("; ") || message;
}

function keyOf({ connector_id, tenant_id }: LetterScope): string {
  return JSON.stringify([connector_id, tenant_id ?? null]);
}

/** A row is found again by source, name and hash, whatever id a second server gave it: so it is sealed. */
function contextOf({ source, name, sha256 }: FileRecord, what: "bytes" | "findings") {
  return { purpose: `held-file-${what}`, row: JSON.stringify([source, name, sha256]) };
}

function sealFindings(vault: Vault, file: FileRecord, findings: readonly HeldFileIssue[]): Promise<string> {
  return vault.seal(JSON.stringify(findings), contextOf(file, "findings"));
}

/** Opens the bytes of a held file. */
export function openHeld(
  vault: Vault,
  file: FileRecord,
  { sealed_key: key, ciphertext }: Pick<HeldContent, "sealed_key" | "ciphertext">,
): Promise<Uint8Array> {
  return vault.openBytes({ key, ciphertext }, contextOf(file, "bytes"));
}

/** Opens what is open about a held file. */
export async function openFindings(vault: Vault, file: FileRecord, sealed: string): Promise<readonly HeldFileIssue[]> {
  return JSON.parse(await vault.open(sealed, contextOf(file, "findings")));
}
