import { networkOf } from "@org/http";
import { OAuthError } from "../oauth-error.js";
import type { FetchDocument, FetchedDocument } from "./fetch-document.js";
import { createLazyLru } from "./lazy-lru.js";
import type { RequestLimit } from "./limits.js";
import type { LookupCaller } from "./oauth-client.js";

/** Parsed documents, by URL. */
export interface DocumentCache<Content> {
  /**
   * Returns the content, fetching the document unless a fresh copy is cached. With `readAfter` a copy read earlier is fetched
   * again; if that fails, a fresh copy still counts. Rejects with the fault of the document, or with `temporarily_unavailable`.
   */
  get(address: string, from: LookupCaller, readAfter?: Date): Promise<Content>;
}

/** How documents are fetched. */
export interface DocumentSource {
  readonly fetch: FetchDocument;
  /** Counts cache misses. */
  readonly limit: RequestLimit;
  readonly clock: () => Date;
}

/**
 * A bounded cache in front of a fetch. Concurrent callers share one fetch. Faults are cached for ten seconds, so that nobody
 * can use this server to hammer another, and separately, so that they displace no document.
 */
export function createDocumentCache<Content extends object>(
  { fetch, limit, clock }: DocumentSource,
  /** Parses a document. Throws `invalid_client_metadata`, or another code for clients. */
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
  /** Null = it must be fetched. */
  const known = (address: string, readAfter: Date | undefined): Content | null => {
    const fresh = freshOf(address);
    if (fresh && fresh.readAt >= (readAfter?.getTime() ?? 0)) return fresh.content;
    const failed = faults.get(address);
    if (!failed || failed.until <= now()) return null;
    if (fresh) return fresh.content;
    throw failed.fault;
  };
  const load = async (address: string, network: string): Promise<Content> => {
    const readAt = now();
    try {
      const { content: document, bytes, maxAgeSeconds } = await fetch(address, network);
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
      // Counted before joining a fetch, so that no caller is refused because of another network's requests.
      if (!underway.has(address)) await limit(from);
      const fetching = underway.get(address);
      if (fetching !== undefined) return fetching;
      const started = load(address, networkOf(from.address)).finally(() => underway.delete(address));
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
/** Memory per entry besides its document, mostly for its URL. */
const ENTRY_BYTES = 2048;
