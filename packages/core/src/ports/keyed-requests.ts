import type { Uuid } from "../schemas/identifier.js";

/** A request with an `Idempotency-Key`. */
export interface KeyedRequest {
  /** The application that sent it; keys of others are others. */
  readonly owner: string;
  readonly key: string;
  /** SHA-256 (hex) of what was asked for. */
  readonly request_hash: string;
}

/** Who is at work on a keyed request: at most one at a time. */
export interface RequestClaim extends Pick<KeyedRequest, "owner" | "key"> {
  readonly claim_id: Uuid;
}

/** A key that somebody else has. */
export interface HeldKey {
  readonly request_hash: string;
  /** Sealed; null while there is none. */
  readonly answer: string | null;
  /** Whether the one at work has gone: then something was changed, and the answer is lost. */
  readonly isAbandoned: boolean;
}

/** How long one that stopped working keeps a key. */
export interface ClaimTimes {
  readonly now: Date;
  readonly leased_until: Date;
  readonly expires_at: Date;
}

/** What runs of a claimed request: whether it has changed something, as far as is known. */
export interface KeyedRun<T> {
  readonly result: Promise<T>;
  hasChanged(): boolean;
}

/** Keeps of each keyed request that it is under way, whether it has changed something, and its answer. */
export interface KeyedRequests {
  /** Null when the claim was made: of a new key, one that has expired, or one whose lease is over and that has changed nothing. */
  claim(request: KeyedRequest & RequestClaim, times: ClaimTimes): Promise<HeldKey | null>;
  /** Keeps the lease of work that takes long. */
  renew(claim: RequestClaim, leasedUntil: Date): Promise<void>;
  /**
   * Runs a claimed request, whose transactions say in themselves that they are of the claim: what has been done is known even where the
   * answer to a commit is lost. That is looked up as soon as the storage answers, and the work goes on, or its transaction begins again.
   * @param onDoubt called when it may take a while
   */
  run<T>(claim: RequestClaim, work: () => Promise<T>, onDoubt: () => void): KeyedRun<T>;
  /** Keeps the answer, sealed, for whoever asks again with the key. */
  answer(claim: RequestClaim, sealed: string): Promise<void>;
  /** Gives up the key, unless something was changed. */
  release(claim: RequestClaim): Promise<void>;
}
