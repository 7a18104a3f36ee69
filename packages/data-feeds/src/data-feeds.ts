import type { FeedAccount, Runtime, Storage, TenantStores, WholeStatement } from "@org/core";
import {
  type Actor,
  auditEntry,
  CoreError,
  emitConnectionChanges,
  type Published,
  parseUuid,
  saveConnection,
  statusAfter,
  systemActor,
  type Uuid,
} from "@org/core";
import { hasEnded } from "@org/letter-lifecycle";
import { FeedRefusal, type FeedWarning, type StatementPage } from "@org/provider-kit";
import { accountRulesOf } from "./account-links.js";
import { publishParts } from "./account-view.js";
import { refuseFarAhead } from "./feed-dates.js";
import {
  connectionOf,
  type Delivery,
  type FeedOrigin,
  type IngestTarget,
  noteParts,
  type ReadablePart,
} from "./feed-delivery.js";
import { type Reconciled, reconcileAccounts } from "./feed-differences.js";
import { emitIngested, emitRefused, isPassing, refusalReason } from "./feed-events.js";
import { feedStaleAfter } from "./feed-interval.js";
import { FINISHED_WITHIN_MS, joinedText, ofPages, storePages } from "./feed-pages.js";
import {
  addCounts,
  countsOf,
  type FileCounts,
  hasAccounts,
  layersOf,
  limitWarnings,
  noHistory,
  type ReadPart,
  refusalIn,
  refusedFile,
  sha256Of,
  sha256OfFile,
  type TakenPart,
  totalOf,
  withPart,
} from "./feed-parts.js";
import { resolveSilence } from "./feed-silence.js";
import { accountsOfLetter, connectorOf, type FeedTarget, locateFeed, lockLetter } from "./feed-target.js";
import { createFileStoring, type FileStoring } from "./file-storing.js";
import type { HistoryCounts } from "./movements.js";

/** The result of ingesting one custodian file. */
export interface Ingestion extends Reconciled, FileCounts {
  readonly status: "ingested" | "duplicate";
  readonly connection_id: string;
  readonly format: string;
  readonly sha256: string;
  /** Numbers of accounts that could not be read; `warnings` say why. */
  readonly refused_accounts: readonly string[];
  /** Oddities of the file, a limited number. */
  readonly warnings: readonly FeedWarning[];
  /** Results for the files in a container, in its order; the numbers above are their sums. Absent if the file is not a container. */
  readonly parts?: readonly TakenPart[];
}

/** Facts about a file for logs and metrics. */
export interface FeedReport {
  readonly outcome: "ingested" | "duplicate" | "refused";
  readonly name: string;
  readonly format: string | null;
  readonly connection_id: string | null;
  readonly warnings: number;
  readonly differences: number;
  readonly gap_days: number;
  /** Why it was refused. */
  readonly reason: string | null;
  /** Of the request that delivered the file; null for a file from the drop folder. */
  readonly trace_id: string | null;
}

/** Ingests custodian files as the source of a connection's data (contract §9 "Data feeds"). */
export interface DataFeeds {
  /**
   * Ingests one file as a whole or not at all, and once (by hash). `target` names a connection, or a letter in WaitingForData or later. The first
   * file of a letter in WaitingForData creates its connection and moves it to Connected in the same transaction. A file for a letter that was
   * blocked because its feed was silent resolves it.
   *
   * Portfolios that are not in the file stay as they are, and so do those with newer known data: as of a later moment, or as of the
   * same moment by a file that came later. Pages of a statement may come in separate files: they wait, with a warning, and the last one to come
   * publishes them all. Of a container all parts are ingested or, if one of them cannot be read, none.
   * @throws CoreError VALIDATION_ERROR on `file` with the place of the fault; NOT_FOUND; CONFLICT (the letter takes no files); RATE_LIMITED and
   * UNAVAILABLE when too many files wait to be read; UNAVAILABLE when the storage was too slow for the file to keep its place in the order of
   * files
   */
  ingest(operator: Actor, target: FeedTarget, file: SentFile): Promise<Ingestion>;
  /**
   * {@link DataFeeds.ingest} for parts that were read before, such as those parts of a file that are routed to one of several letters.
   * @param file `sha256` of the file that was read, in hex; each of its parts is ingested once per connection
   */
  ingestRead(
    operator: Actor,
    target: FeedTarget,
    file: { name: string; sha256: string; parts: readonly ReadPart[] },
  ): Promise<Ingestion>;
  /**
   * Completes statements whose pages have all come, where the server that received the last page died before it could. Each call claims a limited
   * number, each statement on one server only, and none that a server may still be working on. Returns how many it claimed.
   */
  finishStatements(): Promise<number>;
  /** Whether files may still come for a connection or letter with this id: `ended` = the letter is over, `unknown` = no such id. */
  delivers(connectionOrLetterId: string): Promise<"yes" | "ended" | "unknown">;
}

/** A file as it was received. */
export interface SentFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The file was refused before: if it is refused again, only the caller learns of it. */
  readonly isAgain?: true;
}

/**
 * @param deps.readParts recognises and reads a file. A plain file is one part with the file's name; a container has one part per file in it.
 * Throws {@link FeedRefusal} for a container that cannot be opened as a whole.
 */
export function createDataFeeds(deps: {
  storage: Storage;
  runtime: Runtime;
  /** The name of a connector's bank. */
  bankOf: (connectorId: string) => Promise<string | null>;
  /** The `account_rules` of a connector's row; left out: no connector has any. */
  accountRules?: (connectorId: string) => Promise<unknown>;
  readParts: (file: SentFile, origin: FeedOrigin) => readonly ReadPart[] | Promise<readonly ReadPart[]>;
  /** Called for every file that is taken or refused; not for one that has to come again because the server is busy. */
  onFile?: (report: FeedReport) => void;
}): DataFeeds & {
  /** Large files that are being stored, and that wait for it. */
  readonly storing: FileStoring["large"];
} {
  const { storage, runtime } = deps;
  const storing = createFileStoring();

  return {
    storing: storing.large,
    ingest: (operator, target, file) =>
      reported(
        operator,
        file.name,
        async () => {
          const sha256 = await sha256OfFile(file.bytes);
          const delivery = await begin(operator, target, file.name, sha256);
          const work = async () => store(delivery, await readOrRefuse(file, sha256, delivery.origin));
          return storing.read(delivery, file.bytes.byteLength, () =>
            file.isAgain ? work() : reportRefusal(delivery, work),
          );
        },
        file.isAgain,
      ),
    ingestRead: (operator, target, { name, sha256, parts }) =>
      reported(operator, name, async () => {
        const delivery = await begin(operator, target, name, sha256);
        return reportRefusal(delivery, () => store(delivery, readable(parts, sha256)));
      }),
    async finishStatements() {
      const now = runtime.clock();
      const until = new Date(now.getTime() + FINISHED_WITHIN_MS);
      const found = await storage.waitingStatements.claimWhole({ now, until, limit: FINISHING_BATCH });
      for (const statement of found)
        await finish(statement).catch((error: unknown) => {
          // `reported` has reported it; the claim expires.
          if (!(error instanceof CoreError)) throw error;
        });
      return found.length;
    },
    async delivers(connectionOrLetterId) {
      const id = parseUuid(connectionOrLetterId.toLowerCase());
      if (id === null) return "unknown";
      if ((await storage.directory.tenantOfConnection(id)) !== null) return "yes";
      const tenantId = await storage.directory.tenantOfLetter(id);
      const letter = tenantId && (await storage.inTenant(tenantId, ({ letters }) => letters.find(id)));
      if (!letter) return "unknown";
      return hasEnded(letter.status) ? "ended" : "yes";
    },
  };

  async function reported(
    operator: Actor,
    name: string,
    work: () => Promise<Ingestion>,
    isAgain = false,
  ): Promise<Ingestion> {
    const report = (facts: Omit<FeedReport, "name" | "trace_id">) =>
      deps.onFile?.({ name, ...facts, trace_id: operator.trace_id });
    try {
      const taken = await work();
      const { status, format, connection_id, warnings, differences, gap_days } = taken;
      const found = { warnings: warnings.length, differences, gap_days };
      report({ outcome: status, format, connection_id, ...found, reason: null });
      return taken;
    } catch (error) {
      if (error instanceof CoreError && !isPassing(error) && !isAgain)
        report({ outcome: "refused", format: null, connection_id: null, ...nothingFound, reason: error.message });
      throw error;
    }
  }

  /** Emits an event to the tenant when a file is refused, unless the same file may be accepted later. */
  async function reportRefusal(
    { origin: { tenant_id }, place }: Delivery,
    work: () => Promise<Ingestion>,
  ): Promise<Ingestion> {
    try {
      return await work();
    } catch (error) {
      const reason = refusalReason(error);
      if (reason !== undefined) await storage.inTenant(tenant_id, (stores) => emitRefused(stores, place, reason));
      throw error;
    }
  }

  /** Locates the file's target and notes its place in the order of files, before it is read. */
  async function begin(operator: Actor, target: FeedTarget, name: string, sha256: string): Promise<Delivery> {
    const cameAt = runtime.clock();
    const { tenant_id, bank, ...place } = await locateFeed(deps, target);
    const arrived = await noteArrival(tenant_id, place, sha256, cameAt);
    const origin = { tenant_id, feed_id: place.connection_id ?? place.letter_id ?? tenant_id };
    return { operator, place, bank, name, sha256, origin, ...arrived };
  }

  async function store(delivery: Delivery, parts: readonly ReadablePart[]): Promise<Ingestion> {
    const { taken, whole } = await storeInTurn(delivery, parts, []);
    if (whole.length === 0) return taken;
    const statement = await ingestStatement(delivery, taken.connection_id as Uuid, whole);
    return {
      ...taken,
      ...totalOf([taken, statement]),
      status: taken.status === "ingested" ? taken.status : statement.status,
      differences: taken.differences + statement.differences,
      gap_days: Math.max(taken.gap_days, statement.gap_days),
      refused_accounts: [...new Set([...taken.refused_accounts, ...statement.refused_accounts])],
      warnings: [...taken.warnings, ...statement.warnings],
    };
  }

  function storeInTurn(delivery: Delivery, parts: readonly ReadablePart[], pages: readonly StatementPage[]) {
    const { tenant_id } = delivery.origin;
    return storing.store(delivery, parts, () =>
      storage.inTenant(tenant_id, (stores) => storeParts(stores, delivery, parts, pages)),
    );
  }

  /** Reads statements whose pages are all here. A refused statement is left alone until another of its pages comes. */
  async function ingestStatement(
    delivery: Delivery,
    connectionId: Uuid,
    whole: readonly StatementPage[],
  ): Promise<Ingestion> {
    const { name, origin } = delivery;
    try {
      const bytes = joinedText(whole);
      const joined = await readOrRefuse({ name, bytes }, sha256Of(bytes), { ...origin, isOfPages: true });
      return (await storeInTurn(delivery, joined.map(ofPages), whole)).taken;
    } catch (error) {
      if (refusalReason(error) !== undefined)
        await storage.inTenant(origin.tenant_id, ({ feedPages }) =>
          feedPages.leave(connectionId, [...new Set(whole.map(({ statement }) => statement))]),
        );
      throw error;
    }
  }

  /** Does nothing if the pages are gone. */
  async function finish({ tenant_id, connection_id, statement }: WholeStatement): Promise<void> {
    const { pages, arrival } = await storage.inTenant(tenant_id, ({ feedPages }) =>
      feedPages.of(connection_id, statement),
    );
    if (pages.length === 0) return;
    const name = "pages of a statement";
    await reported(systemActor, name, async () => {
      const begun = await begin(systemActor, { connection_id }, name, sha256Of(joinedText(pages)));
      // The statement is as old as the page that came last: a file that came after that page is newer.
      const delivery = { ...begun, arrival: arrival ?? begun.arrival };
      return reportRefusal(delivery, () => ingestStatement(delivery, connection_id, pages));
    });
  }

  /**
   * Stores all parts or nothing, each part once per hash, and keeps pages of statements that are not complete.
   * @param pages the pages from which `parts` were joined; they are deleted
   */
  async function storeParts(
    stores: TenantStores,
    { operator, place, bank, name, sha256, arrival, account_rules }: Delivery,
    parts: readonly ReadablePart[],
    pages: readonly StatementPage[],
  ): Promise<{ taken: Ingestion; whole: readonly StatementPage[] }> {
    const letter = await lockLetter(stores, place);
    const connection = await connectionOf(stores, runtime, { operator, place, letter, bank });
    const { connection_id } = connection;
    const now = runtime.clock();
    const taken: TakenPart[] = [];
    const warnings: FeedWarning[] = [];
    const stated: FeedAccount[] = [];
    let current = connection.status;
    const publications: Published[] = [];
    const { rules, fault } = accountRulesOf(account_rules);
    const sources = { letter: await accountsOfLetter(stores, runtime, letter), rules };
    const news = await noteParts(stores, parts, { connection_id, name, taken_at: now });
    const told = parts.filter((part) => news.has(part) && (hasAccounts(part) || !part.read.pages));
    const staleAfter = told.length === 0 ? 0 : await feedStaleAfter(stores, connection_id, runtime.staleAfterDays);
    const histories = new Map<ReadablePart, HistoryCounts>();
    const count = (part: ReadablePart, counts: HistoryCounts) =>
      histories.set(part, addCounts(histories.get(part) ?? noHistory, counts));
    for (const layer of layersOf(told)) {
      const publication = { connection_id, file: name, parts: layer, arrival, now, staleAfter, sources, count };
      const published = await publishParts(stores, publication);
      for (const account of published.stated) stated.push(account);
      warnings.push(...published.late);
      publications.push(published);
    }
    for (const part of parts) {
      const { format, snapshot } = part.read;
      const isNew = news.has(part);
      warnings.push(...part.read.warnings.map((warning) => withPart(part.name, warning)));
      // What a format does not carry is not missing.
      if (isNew) current = statusAfter(current, { snapshot, consent_expires_at: null }, now, true);
      const status = isNew ? "ingested" : "duplicate";
      const counts = countsOf(part.read, isNew ? (histories.get(part) ?? noHistory) : undefined);
      taken.push({ name: part.name ?? name, sha256: part.sha256, status, format, ...counts });
    }
    if (fault !== null) warnings.push({ place: "connector", message: `${fault}; none of its rules holds` });
    // Runs for duplicates too: the replica that took the file before may have died before it published the statement.
    const { whole, waiting } = await storePages(stores, connection_id, parts, { now, arrival });
    if (pages.length > 0)
      await stores.feedPages.forget(connection_id, [...new Set(pages.map(({ statement }) => statement))]);
    const isContainer = parts.some((part) => part.name !== null);
    const formats = [...new Set(taken.map(({ format }) => format))];
    const facts = { format: formats.length === 1 ? (formats[0] as string) : "several", sha256, ...totalOf(taken) };
    const isNew = taken.some(({ status }) => status === "ingested");
    // All parts together: the movements of one part explain the positions of another.
    const reconciled = await reconcileAccounts(stores, connection_id, { stated, publications, now });
    const refused_accounts = [...new Set(parts.flatMap(({ read }) => read.refused_accounts ?? []))];
    const answer = { connection_id, ...facts, ...reconciled, refused_accounts, ...(isContainer && { parts: taken }) };
    if (!isNew) return { taken: { status: "duplicate", ...answer, warnings: limitWarnings(warnings) }, whole };
    await emitConnectionChanges(stores, connection, publications);
    const resolved = letter && (await resolveSilence(stores, runtime, letter));
    // Without a letter, only the bank or an operator knows why a connection is blocked, so a file does not unblock it.
    const blocked = resolved ? resolved.status === "Blocked" : connection.status.blocked;
    const letter_id = letter?.letter_id ?? null;
    // Resolving the letter has unblocked the connection already.
    const wasBlocked = connection.status.blocked && resolved === letter;
    const before = { ...connection, status: { ...connection.status, blocked: wasBlocked } };
    const occasion = { source: "feed", letter_id, isFresh: true } as const;
    await saveConnection(stores, before, { status: { ...current, blocked } }, occasion);
    const { format } = facts;
    await emitIngested(stores, connection, letter_id, { format, stated, isFile: pages.length === 0, ...reconciled });
    const noted = { ...facts, ...reconciled, ...(isContainer && { parts: taken.length }) };
    await stores.audit.append(auditEntry(runtime, operator, "datafeed.ingest", "connection", connection_id, noted));
    return { taken: { status: "ingested", ...answer, warnings: limitWarnings([...warnings, ...waiting]) }, whole };
  }

  /**
   * Notes the file's place among those that state the same day, before it is read: a slow replica or a file sent twice does not make it newer.
   * Fails if noting took too long, because the sender may have given up by then and sent a newer file.
   */
  async function noteArrival(
    tenantId: string,
    place: IngestTarget,
    sha256: string,
    cameAt: Date,
  ): Promise<Pick<Delivery, "arrival" | "account_rules">> {
    const { arrival, connector } = await storage.inTenant(tenantId, async (stores) => ({
      arrival: await stores.snapshots.noteArrival((place.connection_id ?? place.letter_id) as Uuid, sha256),
      connector: deps.accountRules ? await connectorOf(stores, place) : null,
    }));
    if (runtime.clock().getTime() - cameAt.getTime() > MAX_NOTING_MS)
      throw new CoreError("UNAVAILABLE", "the storage is slow; send the file again", { retryAfterSeconds: 1 });
    return { arrival, account_rules: connector === null ? null : await deps.accountRules?.(connector) };
  }

  async function readOrRefuse(file: SentFile, sha256: string, origin: FeedOrigin): Promise<readonly ReadablePart[]> {
    try {
      return readable(await deps.readParts(file, origin), sha256);
    } catch (error) {
      if (!(error instanceof FeedRefusal)) throw error;
      throw refusedFile(error);
    }
  }

  /**
   * Requires that all parts could be read.
   * @throws CoreError VALIDATION_ERROR on `file`
   */
  function readable(parts: readonly ReadPart[], sha256: string): ReadablePart[] {
    return parts.map((part) => {
      // A part with the file's own hash is the file itself: a container never has the same bytes as a file in it.
      const name = part.sha256 === sha256 ? null : part.name;
      try {
        if ("refusal" in part) {
          const { place, reason, lack } = part.refusal;
          throw new FeedRefusal(place, reason, lack);
        }
        refuseFarAhead(part.read.snapshot, runtime.clock());
        return { name, sha256: part.sha256, read: part.read };
      } catch (error) {
        if (!(error instanceof FeedRefusal)) throw error;
        throw refusedFile(refusalIn(name, error));
      }
    });
  }
}

const nothingFound = { warnings: 0, differences: 0, gap_days: 0 };

/** Maximum number of statements that one call of {@link DataFeeds.finishStatements} completes. */
const FINISHING_BATCH = 20;

/** Shorter than senders and proxies wait for an answer. */
const MAX_NOTING_MS = 5_000;
