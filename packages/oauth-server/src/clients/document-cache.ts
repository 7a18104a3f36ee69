import { LRUCache } from "lru-cache";
import { OAuthError } from "../oauth-error.js";
import { type FetchDocument, type FetchedDocument, fault } from "./fetch-document.js";

/** What was made of documents, by address. */
export interface DocumentCache<Content> {
  /**
   * The content, fetched unless it is fresh. With `readAfter`, not one that was read earlier. Rejects with the fault of the
   * document.
   */
  get(address: string, readAfter?: Date): Promise<Content>;
}

/**
 * A bounded cache in front of a fetch. Whoever asks while a document is being fetched waits for that fetch; faults are kept
 * for ten seconds, so that nobody can use this server to hammer another.
 */
export function createDocumentCache<Content extends object>(deps: {
  fetch: FetchDocument;
  clock: () => Date;
  /** Checks a document. Throws `invalid_client_metadata`, or another code for clients. */
  read: (content: FetchedDocument["content"], address: string) => Content;
}): DocumentCache<Content> {
  const { fetch, clock, read } = deps;
  const kept = new LRUCache<string, Entry<Content>>({ max: 5_000, maxSize: 16 * 1024 * 1024 });
  const underway = new Map<string, Promise<Content>>();

  const load = async (address: string): Promise<Content> => {
    const readAt = clock().getTime();
    const keep = (outcome: Entry<Content>["outcome"], maxAgeSeconds: number, bytes: number) => {
      const entry = { outcome, readAt, freshUntil: clock().getTime() + maxAgeSeconds * 1000 };
      kept.set(address, entry, { size: bytes + ENTRY_BYTES });
    };
    try {
      const { content, bytes, maxAgeSeconds } = await fetch(address);
      const outcome = read(content, address);
      keep(outcome, maxAgeSeconds, bytes);
      return outcome;
    } catch (error) {
      if (error instanceof OAuthError) keep(error, FAULT_SECONDS, 0);
      throw error;
    }
  };
  return {
    async get(address, readAfter) {
      const entry = kept.get(address);
      if (entry && entry.freshUntil > clock().getTime() && entry.readAt >= (readAfter?.getTime() ?? 0)) {
        if (entry.outcome instanceof OAuthError) throw entry.outcome;
        return entry.outcome;
      }
      const fetching = underway.get(address);
      if (fetching !== undefined) return fetching;
      if (underway.size >= MOST_AT_ONCE) throw fault("too many are being fetched, try again in a moment");
      const started = load(address).finally(() => underway.delete(address));
      underway.set(address, started);
      return started;
    },
  };
}

interface Entry<Content> {
  readonly outcome: Content | OAuthError;
  readonly readAt: number;
  readonly freshUntil: number;
}

const FAULT_SECONDS = 10;
const MOST_AT_ONCE = 100;
/** What an entry costs besides its document: its address, mostly. */
const ENTRY_BYTES = 2048;
