import { CoreError, type Runtime, toCoreError } from "@org/core";
import { isHalfWritten, isPlainName, matchesPattern } from "./file-names.js";
import type { Arrival, Intake, IntakeDeps } from "./intake.js";
import type { FileRecord, SourceLease } from "./ports/source-store.js";
import { pull, type RunReport } from "./pull.js";
import { type OpenRemoteFolder, RemoteError } from "./remote-folder.js";
import { createRetries, RETRY_LEASE_MS, type Retries } from "./retries.js";
import { type Route, routeSchema } from "./routing.js";
import { hashOf, openSettings } from "./source-operations.js";

/** What there is to say of a run, for a log and for counting. */
export interface SourceRun {
  readonly source: string;
  readonly outcome: "ok" | "failed";
  readonly report: RunReport | null;
  readonly error: string | null;
  readonly milliseconds: number;
}

/** Files of sources: fetched when they are due, or sent. */
export interface SourceRuns {
  /** Leases at most `limit` sources that are due; each has to be {@link work}ed on. */
  claim(limit: number): Promise<readonly SourceLease[]>;
  /** Looks into a leased source once. Never throws. */
  work(lease: SourceLease): Promise<void>;
  /** Looks into a source now, whoever else does. @throws CoreError NOT_FOUND, CONFLICT for one that files are sent to, UNAVAILABLE when its server cannot be used */
  run(source: string): Promise<RunReport>;
  /** Whose token this is, and how many bytes a file may have; null where it is nobody's. */
  uploadTarget(token: string): Promise<UploadTarget | null>;
  /** Hands a file that was sent to intake. @throws what {@link Intake.receive} throws */
  receive(uploadTarget: UploadTarget, file: { readonly name: string; readonly bytes: Uint8Array }): Promise<Arrival>;
  /**
   * Tries held files again that are due ({@link Retries.run}). Of a source whose letters have changed since this was last called all are
   * due, and the first time all that there are: a server that was started anew may read what it could not.
   */
  retryHeld(): Promise<{ readonly retried: number; readonly taken: number }>;
  /** Lets go what was held for too long; returns those files. */
  tidy(): Promise<readonly FileRecord[]>;
  /** Ends runs under way and waits for them. */
  close(): Promise<void>;
}

/** Where a custodian may leave files. */
export interface UploadTarget {
  readonly source: string;
  readonly maxBytes: number;
  /** Whether files of this name may come. */
  accepts(name: string): boolean;
}

/** For how long files are known that nobody sees any more. Their bytes would be duplicates for the connection they went to all the same. */
const REMEMBERED_MS = 100 * 86_400_000;
const CLEAN_UP_LIMIT = 200;
/** Letters may have been changed by a server whose clock is a little behind. */
const OVERLAP_MS = 60_000;

export function createSourceRuns(
  deps: Pick<IntakeDeps, "stores" | "runtime"> & {
    readonly intake: Intake;
    readonly open: OpenRemoteFolder;
    /** Which rules lead to letters that have changed since a moment. */
    readonly lettersChanged: (since: Date) => Promise<(target: Route["to"]) => boolean>;
    /** Between 0 and 1; `Math.random` is one. */
    readonly chance: () => number;
    /** For how long a server has a source; renewed while it works on it. */
    readonly leaseMs: number;
    /** Between the two looks that have to find a file unchanged. */
    readonly settleMs: number;
    readonly onRun?: (run: SourceRun) => void;
    /** Told of a held file that could not be tried again for something that is no refusal. */
    readonly onRetryFailed?: (error: unknown, fileId: string) => void;
  },
): SourceRuns {
  const { stores, runtime, leaseMs } = deps;
  const { clock } = runtime satisfies Pick<Runtime, "clock">;
  const stopping = new AbortController();
  const underWay = new Set<Promise<unknown>>();
  const retries = createRetries({
    files: stores.files,
    intake: deps.intake,
    clock,
    onFailure(error, fileId) {
      if (toCoreError(error) === null) deps.onRetryFailed?.(error, fileId);
    },
  });
  let lookedAt = clock();
  let isFirstLook = true;

  return {
    claim: (limit) => {
      const now = clock();
      return stores.sources.claim({ lease: runtime.newId(), now, until: new Date(now.getTime() + leaseMs), limit });
    },
    work(lease) {
      const work = runLeased(lease).finally(() => underWay.delete(work));
      underWay.add(work);
      return work;
    },
    async run(source) {
      const { error, report } = await look(source, stopping.signal);
      await stores.sources.settle(source, null, { at: clock(), error: error?.message ?? null, next_at: null });
      if (report) return report;
      throw error instanceof RemoteError
        ? new CoreError("UNAVAILABLE", error.message, { retryAfterSeconds: 60 })
        : error;
    },
    async uploadTarget(token) {
      const found = await stores.tokens.find(hashOf(token), clock());
      const record = found && (await stores.sources.find(found.source));
      const settings = record && (await openSettings(runtime.vault, record));
      if (settings?.kind !== "push" || !record) return null;
      return {
        source: record.source,
        maxBytes: settings.max_file_bytes,
        accepts: (name) =>
          isPlainName(name) &&
          !isHalfWritten(name) &&
          settings.patterns.some((pattern) => matchesPattern(name, pattern)),
      };
    },
    async receive({ source }, { name, bytes }) {
      const arrival = await deps.intake.receive(source, { name, bytes, modified_at: null });
      await stores.sources.settle(source, null, { at: clock(), error: null, next_at: null });
      return arrival;
    },
    retryHeld() {
      const work = retryDue().finally(() => underWay.delete(work));
      underWay.add(work);
      return work;
    },
    async tidy() {
      const now = clock();
      const forgetBefore = new Date(now.getTime() - REMEMBERED_MS);
      return (await stores.files.tidy({ now, forgetBefore, limit: CLEAN_UP_LIMIT })).expired;
    },
    async close() {
      stopping.abort();
      await Promise.all(underWay);
      await retries.drain();
    },
  };

  async function retryDue() {
    const since = new Date(lookedAt.getTime() - OVERLAP_MS);
    const began = clock();
    // Whatever the number of sources: one question about rules, one about letters.
    const rules = await stores.routes.whereHeld();
    if (rules.length > 0) {
      const leadsToChanged = await deps.lettersChanged(since);
      const woken = rules.filter(({ rule }) => leadsToChanged(routeSchema.parse(rule).to)).map(({ source }) => source);
      if (woken.length > 0) await stores.files.expediteHeld([...new Set(woken)], began);
    }
    // But for those that a server has just now, or had when it died.
    if (isFirstLook) await stores.files.expediteHeld(null, began, new Date(began.getTime() + RETRY_LEASE_MS));
    isFirstLook = false;
    lookedAt = began;
    return retries.run(stopping.signal);
  }

  async function runLeased(lease: SourceLease): Promise<void> {
    const lost = new AbortController();
    const renew = () =>
      stores.sources.renew(lease, new Date(clock().getTime() + leaseMs)).then(
        (isOurs) => isOurs || lost.abort(new Error("another server has the source")),
        () => undefined,
      );
    const renewing = setInterval(() => void renew(), leaseMs / 3);
    try {
      const { error, everyMinutes } = await look(lease.source, AbortSignal.any([stopping.signal, lost.signal]));
      const now = clock();
      // Sources do not all come due at once, whenever they were set.
      const pause = everyMinutes * 60_000 * (0.9 + 0.2 * deps.chance());
      const next_at = stopping.signal.aborted ? now : new Date(now.getTime() + pause);
      await stores.sources.settle(lease.source, lease.lease, { at: now, error: error?.message ?? null, next_at });
    } catch {
      // The database is away; the lease runs out by itself.
    } finally {
      clearInterval(renewing);
    }
  }

  async function look(
    source: string,
    signal: AbortSignal,
  ): Promise<{ report: RunReport | null; error: Error | null; everyMinutes: number }> {
    const started = clock().getTime();
    let everyMinutes = 15;
    let report: RunReport | null = null;
    let error: Error | null = null;
    try {
      const record = await stores.sources.find(source);
      if (!record) throw new CoreError("NOT_FOUND", "there is no source with this name");
      const settings = await openSettings(runtime.vault, record);
      if (settings.kind !== "sftp")
        throw new CoreError("CONFLICT", "files are sent to this source; there is nothing to fetch");
      everyMinutes = settings.every_minutes;
      const { open, intake, settleMs } = deps;
      report = await pull(source, settings, {
        open,
        stores,
        intake,
        clock,
        signal,
        settleMs,
      });
      if (report.failed > 0) error = new Error(`${report.failed} files could not be taken: ${report.reason}`);
    } catch (thrown) {
      error = thrown instanceof Error ? thrown : new Error(String(thrown));
    }
    deps.onRun?.({
      source,
      report,
      outcome: error === null ? "ok" : "failed",
      error: error?.message ?? null,
      milliseconds: clock().getTime() - started,
    });
    return { report, error, everyMinutes };
  }
}
