import { CoreError, conflict, type Runtime, toCoreError, withRenewedLease } from "@org/core";
import { isHalfWritten, isPlainName, matchesPattern } from "./file-names.js";
import type { Arrival, Intake, IntakeDeps } from "./intake.js";
import type { FileRecord, SourceLease } from "./ports/source-store.js";
import { pull, type RunReport } from "./pull.js";
import { type OpenRemoteFolder, RemoteError } from "./remote-folder.js";
import { createRetries, RETRY_LEASE_MS, type Retries } from "./retries.js";
import { type Route, routeSchema } from "./routing.js";
import { hashOf, openSettings } from "./source-operations.js";

/** A report of one run, for log and metrics. */
export interface SourceRun {
  readonly source: string;
  readonly outcome: "ok" | "failed";
  readonly report: RunReport | null;
  readonly error: string | null;
  readonly milliseconds: number;
}

/** Processes files of sources: fetches them when they are due, or receives uploads. */
export interface SourceRuns {
  /** Leases at most `limit` sources that are due; pass each to {@link work}. */
  claim(limit: number): Promise<readonly SourceLease[]>;
  /** Polls a leased source once. Never throws. */
  work(lease: SourceLease): Promise<void>;
  /**
   * Polls a source now, even if another server does. @throws CoreError NOT_FOUND, CONFLICT for a source that receives uploads, UNAVAILABLE if its
   * server cannot be used
   */
  run(source: string): Promise<RunReport>;
  /** The upload target of a token; null if the token is unknown. @param network that of the caller */
  uploadTarget(token: string, network: string): Promise<UploadTarget | null>;
  /** Passes an uploaded file to intake. @throws what {@link Intake.receive} throws */
  receive(uploadTarget: UploadTarget, file: { readonly name: string; readonly bytes: Uint8Array }): Promise<Arrival>;
  /**
   * Retries held files that are due ({@link Retries.run}). If letters of a source have changed since the last call, all of its files are due. On the
   * first call all held files are due: a restarted server may be able to read more.
   */
  retryHeld(): Promise<{ readonly retried: number; readonly taken: number }>;
  /** Expires files held for too long; returns them. */
  tidy(): Promise<readonly FileRecord[]>;
  /** Aborts runs in progress and waits for them. */
  close(): Promise<void>;
}

/** Where a custodian may upload files. */
export interface UploadTarget {
  readonly source: string;
  readonly maxBytes: number;
  /** Whether files with this name are accepted. */
  accepts(name: string): boolean;
}

/** How long files are remembered after they were last seen. Even later, the connection that received them recognises their bytes as duplicates. */
const REMEMBERED_MS = 100 * 86_400_000;
const CLEAN_UP_LIMIT = 200;
/** A server whose clock is a little behind may have changed letters. */
const OVERLAP_MS = 60_000;

export function createSourceRuns(
  deps: Pick<IntakeDeps, "stores" | "runtime"> & {
    readonly intake: Intake;
    readonly open: OpenRemoteFolder;
    /** Which rules lead to letters that have changed since a given time. */
    readonly lettersChanged: (since: Date) => Promise<(target: Route["to"]) => boolean>;
    /** A random number between 0 and 1, such as `Math.random`. */
    readonly chance: () => number;
    /** The duration of a lease; renewed while the server works on the source. */
    readonly leaseMs: number;
    /** The time between the two looks that must find a file unchanged. */
    readonly settleMs: number;
    readonly onRun?: (run: SourceRun) => void;
    /** Called when a held file could not be retried because of an error that is not a refusal. */
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
    async uploadTarget(token, network) {
      const found = await stores.tokens.find(hashOf(token), clock(), network);
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
    // One query for rules and one for letters, whatever the number of sources.
    const rules = await stores.routes.whereHeld();
    if (rules.length > 0) {
      const leadsToChanged = await deps.lettersChanged(since);
      const woken = rules.filter(({ rule }) => leadsToChanged(routeSchema.parse(rule).to)).map(({ source }) => source);
      if (woken.length > 0) await stores.files.expediteHeld([...new Set(woken)], began);
    }
    // Except files that a server is retrying now, or was when it died: they are due within the lease anyway.
    if (isFirstLook) await stores.files.expediteHeld(null, began, new Date(began.getTime() + RETRY_LEASE_MS));
    isFirstLook = false;
    lookedAt = began;
    return retries.run(stopping.signal);
  }

  async function runLeased(lease: SourceLease): Promise<void> {
    const lost = new AbortController();
    const renew = async () => {
      const isOurs = await stores.sources.renew(lease, new Date(clock().getTime() + leaseMs));
      if (!isOurs) lost.abort(new Error("another server has the source"));
      return isOurs;
    };
    const work = async () => {
      const { error, everyMinutes } = await look(lease.source, AbortSignal.any([stopping.signal, lost.signal]));
      const now = clock();
      // Spreads sources over time, whenever they were set.
      const pause = everyMinutes * 60_000 * (0.9 + 0.2 * deps.chance());
      const next_at = stopping.signal.aborted ? now : new Date(now.getTime() + pause);
      await stores.sources.settle(lease.source, lease.lease, { at: now, error: error?.message ?? null, next_at });
    };
    // If the database is unavailable, the lease expires.
    await withRenewedLease(leaseMs, renew, work).catch(() => undefined);
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
        throw conflict("source_receives", "files are sent to this source; there is nothing to fetch");
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
