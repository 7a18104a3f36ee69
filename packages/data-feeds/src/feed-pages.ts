import type { PageHere, Runtime, Storage, TenantStores, Uuid, WaitingStatement } from "@org/core";
import { type Actor, auditEntry, CoreError, invalid, invalidValue, systemActor } from "@org/core";
import { type FeedWarning, MAX_FEED_BYTES, type ReadFeed, type StatementPage, withoutPlaces } from "@org/provider-kit";
import { sha256Of, withPart } from "./feed-parts.js";
import { groupBy } from "./group-by.js";

/** What happened to a file's pages of statements that the file does not complete. */
export interface KeptPages {
  /** Pages of statements that are complete now, in order; empty if all of them wait. */
  readonly whole: readonly StatementPage[];
  /** One warning for each page of the file that waits for others. */
  readonly waiting: readonly FeedWarning[];
}

/** Keeps the pages in a file's parts until the other pages of their statements have come, in whatever order and files. */
export async function storePages(
  stores: TenantStores,
  connectionId: Uuid,
  parts: readonly { readonly name: string | null; readonly read: ReadFeed }[],
  { now, arrival }: { readonly now: Date; readonly arrival: number },
): Promise<KeptPages> {
  // Hashed because a file decides how long a statement's name is.
  const pages = parts.flatMap(({ name, read }) =>
    (read.pages ?? []).map((page) => ({
      ...page,
      statement: sha256Of(page.statement),
      title: page.statement.slice(0, MAX_TITLE),
      place: withPart(name, { place: page.place, message: "" }).place,
    })),
  );
  if (pages.length === 0) return { whole: [], waiting: [] };
  const came = { now, arrival, finish_at: new Date(now.getTime() + FINISHED_WITHIN_MS) };
  const { here, kept } = await stores.feedPages.keep(connectionId, pages, came);
  const statements = [...groupBy(here, ({ statement }) => statement).values()];
  const ready = statements.filter(isWhole);
  requireRoom(statements, ready.flat(), kept);
  const whole: StatementPage[] = [];
  // Page texts are read only once all have come: each page is a file of its own, and there may be very many.
  for (const [page] of ready)
    if (page) for (const read of (await stores.feedPages.of(connectionId, page.statement)).pages) whole.push(read);
  const done = new Set(whole.map(({ statement }) => statement));
  return {
    whole,
    waiting: pages
      .filter(({ statement }) => !done.has(statement))
      .slice(0, MAX_REPORTED)
      .map(({ place, number }) => ({
        place,
        message: `is page ${number} of a statement whose other pages are still to come; it waits for them for a week`,
      })),
  };
}

/** What was read of joined pages. It has no places, since no file has these lines. */
export function ofPages<Part extends { readonly read: ReadFeed }>(part: Part): Part {
  return { ...part, read: { ...part.read, snapshot: withoutPlaces(part.read.snapshot) } };
}

/** Joins the pages of a statement into one file. */
export function joinedText(pages: readonly StatementPage[]): Uint8Array {
  return Buffer.from(pages.map(({ text }) => text).join("\n"));
}

/** After this time, the server that took a statement's last page has either completed the statement or died. */
export const FINISHED_WITHIN_MS = 5 * 60_000;
const MAX_REPORTED = 20;
const MAX_TITLE = 200;

/** Maximum of what may wait for further pages, per connection. */
const MAX_WAITING = { pages: 10_000, bytes: 4 * MAX_FEED_BYTES };

/**
 * @param ready pages of complete statements, which no longer wait
 * @throws CoreError VALIDATION_ERROR on `file`
 */
function requireRoom(
  statements: readonly (readonly PageHere[])[],
  ready: readonly PageHere[],
  kept: { readonly pages: number; readonly bytes: number },
): void {
  const mebibytes = (bytes: number) => `${bytes / 1024 / 1024} MiB`;
  const refuse = (what: string) => invalid(invalidValue("file", what));
  if (statements.some((pages) => bytesOf(pages) > MAX_FEED_BYTES))
    throw refuse(`has a page of a statement whose pages come to more than ${mebibytes(MAX_FEED_BYTES)}`);
  const { pages, bytes } = MAX_WAITING;
  if (kept.pages - ready.length > pages || kept.bytes - bytesOf(ready) > bytes)
    throw refuse(
      `has pages of statements that are not whole, and more than ${pages} pages or ${mebibytes(bytes)} of such wait already`,
    );
}

function bytesOf(pages: readonly PageHere[]): number {
  return pages.reduce((sum, page) => sum + page.bytes, 0);
}

/** @param pages of one statement, in order of their number */
function isWhole(pages: readonly PageHere[]): boolean {
  const end = pages.findIndex(({ is_last }) => is_last);
  return end >= 0 && pages.slice(0, end + 1).every(({ number }, index) => number === index + 1);
}

/** Days without a further page after which a statement is overdue. */
const WAITING_DAYS = 7;
const DAY_MS = 86_400_000;
/** Maximum number of statements that one transaction marks or deletes. */
const BATCH = 200;
const MAX_BATCHES = 50;
/** Maximum number of missing pages listed per statement. */
const MAX_MISSING = 100;

/** A statement with missing pages, as operators see it. Times are RFC 3339. */
export interface WaitingStatementView {
  readonly tenant_id: string;
  readonly connection_id: Uuid;
  readonly letter_id: string | null;
  /** Identifies the statement within its connection. */
  readonly statement: string;
  /** What the format identifies the statement by, such as account, day and number; null if that was not kept. */
  readonly title: string | null;
  readonly pages: readonly number[];
  /**
   * Numbers known to be missing, the first {@link MAX_MISSING}. If empty, the last page or everything after the known ones is missing, or
   * nothing.
   */
  readonly missing: readonly number[];
  /** Null while the last page is missing. */
  readonly last_page: number | null;
  /** `overdue`: no page has come for a week. */
  readonly state: "incomplete" | "overdue";
  readonly first_at: string;
  readonly latest_at: string;
  /** When an incomplete statement becomes overdue, or an overdue one is deleted. */
  readonly until: string;
}

/** Statements of all tenants that wait for pages. Nobody sees what they hold until the last page has come. */
export interface FeedWaiting {
  /** The longest waiting first. */
  list(limit: number): Promise<{ items: readonly WaitingStatementView[]; waiting: number; overdue: number }>;
  /**
   * Deletes the pages of a statement that will not be completed.
   * @throws CoreError NOT_FOUND
   */
  drop(operator: Actor, of: { readonly connection_id: Uuid; readonly statement: string }): Promise<void>;
  /** Marks and reports statements that have become overdue, and deletes those that were overdue for too long. */
  expireWaiting(): Promise<void>;
}

/** What is reported about an incomplete statement: no account number and none of its contents. */
export interface WaitingReport {
  readonly outcome: "overdue" | "deleted";
  readonly connection_id: string;
  readonly letter_id: string | null;
  readonly pages: number;
  readonly missing: readonly number[];
}

/** @param deps.keptDays how long an overdue statement is kept, so that a late page can still complete it */
export function createFeedWaiting(deps: {
  storage: Storage;
  runtime: Runtime;
  keptDays: number;
  onReport?: (report: WaitingReport) => void;
}): FeedWaiting {
  const { storage, runtime, keptDays } = deps;
  const { waitingStatements } = storage;
  const daysAgo = (days: number) => new Date(runtime.clock().getTime() - days * DAY_MS);

  return {
    async list(limit) {
      const { items, waiting, overdue } = await waitingStatements.list(limit);
      return { items: items.map((one) => waitingView(one, keptDays)), waiting, overdue };
    },
    async drop(operator, { connection_id, statement }) {
      const tenantId = await storage.directory.tenantOfConnection(connection_id);
      const dropped =
        tenantId !== null &&
        (await storage.inTenant(tenantId, async (stores) => {
          const pages = await stores.feedPages.forget(connection_id, [statement]);
          if (pages === 0) return false;
          const facts = { pages };
          const entry = auditEntry(runtime, operator, "datafeed.drop-pages", "connection", connection_id, facts);
          await stores.audit.append(entry);
          return true;
        }));
      if (!dropped) throw new CoreError("NOT_FOUND", "no pages of such a statement wait");
    },
    async expireWaiting() {
      await inBatches(() => waitingStatements.expire(daysAgo(WAITING_DAYS), runtime.clock(), BATCH), "overdue");
      await inBatches(() => waitingStatements.reap(daysAgo(keptDays), BATCH), "deleted");
    },
  };

  async function inBatches(next: () => Promise<readonly WaitingStatement[]>, outcome: WaitingReport["outcome"]) {
    for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
      const found = await next();
      for (const statement of found) await report(statement, outcome);
      if (found.length < BATCH) return;
    }
  }

  async function report(statement: WaitingStatement, outcome: WaitingReport["outcome"]): Promise<void> {
    const { tenant_id, connection_id, letter_id, pages } = statement;
    const missing = missingPages(statement);
    deps.onReport?.({ outcome, connection_id, letter_id, pages: pages.length, missing });
    const facts = { pages: pages.length, missing: missing.join(", ") };
    const action = outcome === "overdue" ? "datafeed.pages-overdue" : "datafeed.pages-deleted";
    const entry = auditEntry(runtime, systemActor, action, "connection", connection_id, facts);
    await storage.auditTrail.append([{ tenant_id, ...entry }]);
  }
}

function waitingView(statement: WaitingStatement, keptDays: number): WaitingStatementView {
  const { expired_at, first_at, latest_at, ...rest } = statement;
  const until = expired_at ? expired_at.getTime() + keptDays * DAY_MS : latest_at.getTime() + WAITING_DAYS * DAY_MS;
  return {
    ...rest,
    missing: missingPages(statement),
    state: expired_at ? "overdue" : "incomplete",
    first_at: first_at.toISOString(),
    latest_at: latest_at.toISOString(),
    until: new Date(until).toISOString(),
  };
}

/** Missing pages before the last known one. */
function missingPages({ pages, last_page }: Pick<WaitingStatement, "pages" | "last_page">): readonly number[] {
  const known = new Set(pages);
  const end = last_page ?? Math.max(0, ...pages);
  const missing: number[] = [];
  for (let number = 1; number < end && missing.length < MAX_MISSING; number += 1)
    if (!known.has(number)) missing.push(number);
  return missing;
}
