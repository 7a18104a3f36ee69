import type { ErrorLog } from "../http/endpoint.js";
import type { OAuthError } from "../oauth-error.js";
import { type FetchDocument, isUnreachable } from "./fetch-document.js";

/** A document that this server could not reach, although nothing is known to be wrong with it. */
export interface UnreachableDocument {
  readonly address: string;
  readonly at: Date;
  /** What went wrong, in the words of Node or the proxy. */
  readonly cause: string;
}

/** What the latest fetches say about whether this server reaches clients' documents at all. */
export interface DocumentReach {
  readonly fetch: FetchDocument;
  /** The last failure, while no document has been reached within a day; otherwise null. */
  lost(): UnreachableDocument | null;
}

/** Watches a fetch, and logs each document that could not be reached. */
export function watchReach(fetch: FetchDocument, { clock, log }: { clock: () => Date; log: ErrorLog }): DocumentReach {
  let reachedAt = Number.NEGATIVE_INFINITY;
  let last: UnreachableDocument | null = null;
  let logged: OAuthError | null = null;
  return {
    async fetch(address, network) {
      try {
        const document = await fetch(address, network);
        reachedAt = clock().getTime();
        return document;
      } catch (error) {
        // The same fault comes again while it is remembered.
        if (isUnreachable(error) && error !== logged) {
          logged = error;
          const { cause } = error;
          last = { address, at: clock(), cause: cause instanceof Error ? cause.message : error.message };
          log.error(
            { err: cause ?? error, trace_id: null, client_document: address },
            "a client's document could not be reached",
          );
        }
        throw error;
      }
    },
    lost() {
      const now = clock().getTime();
      const isRecent = last !== null && now - last.at.getTime() < DAY_MS;
      return isRecent && now - reachedAt >= DAY_MS ? last : null;
    },
  };
}

const DAY_MS = 86_400_000;
