import { OAuthError } from "../oauth-error.js";
import type { FetchDocument, FetchedDocument } from "./fetch-document.js";
import { createLazyLru } from "./lazy-lru.js";
import type { RequestLimit } from "./limits.js";
import type { LookupCaller } from "./oauth-client.js";

/** What was made of documents, by address. */
export interface DocumentCache<Content> {
  /**
   * The content, fetched unless it is fresh. With `readAfter`, fetched as well when it was read earlier; what is fresh still
   * counts when that fails. Rejects with the fault of the document, or `temporarily_unavailable`.
   */
  get(address: string, from: LookupCaller, readAfter?: Date): Promise<Content>;
}

/** How documents are got from outside. */
export interface DocumentSource {
  readonly fetch: FetchDocument;
  /** Counts what is not in the cache. */
  readonly limit: RequestLimit;
  readonly clock: () => Date;
}

/**
 * A bounded cache in front of a fetch. Whoever asks while a document is being fetched waits for that fetch; faults are kept
 * for ten seconds, so that nobody can use this server to hammer another, and apart, so that they take no document's place.
 */
export function createDocumentCache<Content extends object>(
  { fetch, limit, clock }: DocumentSource,
  /** Checks a document. Throws `invalid_client_metadata`, or another code for clients. */
  read: (content: FetchedDocument["content"], address: string) => Content,
): DocumentCache<Content> {
  const kept = createLazyLru<Entry<Content>>({ max: 5_000, maxSize: 16 * 1024 * 1024 });
  const faults = createLazyLru<{ fault: OAuthError; until: number }>({ max: 500 });
  const underway = new Map<string, Promise<Content>>();
  const now = () => clock().getTime();

  const freshOf = (address: string): Entry<Content> | null => {
    const entry = kept.get(address);
    return entry && entry.freshUntil > now() ? entry : null;
  };
  /** Null = it has to be fetched. */
  const known = (address: string, readAfter: Date | undefined): Content | null => {
    const fresh = freshOf(address);
    if (fresh && fresh.readAt >= (readAfter?.getTime() ?? 0)) return fresh.content;
    const failed = faults.get(address);
    if (!failed || failed.until <= now()) return null;
    if (fresh) return fresh.content;
    throw failed.fault;
  };
  const load = async (address: string): Promise<Content> => {
    const readAt = now();
    try {
      const { content: document, bytes, maxAgeSeconds } = await fetch(address);
      const content = read(document, address);
      kept.set(address, { content, readAt, freshUntil: now() + maxAgeSeconds * 1000 }, bytes + ENTRY_BYTES);
      faults.delete(address);
      return content;
    } catch (error) {
      if (!(error instanceof OAuthError) || error.code === "temporarily_unavailable") throw error;
      faults.set(address, { fault: error, until: now() + FAULT_SECONDS * 1000 });
      const fresh = freshOf(address);
      if (fresh) return fresh.content;
      throw error;
    }
  };
  return {
    async get(address, from, readAfter) {
      const content = known(address, readAfter);
      if (content) return content;
      // Before joining a fetch, so that nobody is refused because another network has asked too often.
      if (!underway.has(address)) await limit(from);
      const fetching = underway.get(address);
      if (fetching !== undefined) return fetching;
      const started = load(address).finally(() => underway.delete(address));
      underway.set(address, started);
      return started;
    },
  };
}

interface Entry<Content> {
  readonly content: Content;
  readonly readAt: number;
  readonly freshUntil: number;
}

const FAULT_SECONDS = 10;
/** What an entry costs besides its document: its address, mostly. */
const ENTRY_BYTES = 2048;
