import type { LookupAddress } from "node:dns";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { isPublicAddress as isPublic, resolveHost } from "@org/http";
import CachePolicy from "http-cache-semantics";
import { parseMetadataJson } from "../http/read-json.js";
import { OAuthError } from "../oauth-error.js";
import { createFetchLimits, type FetchPlace } from "./fetch-limits.js";

/** How documents that clients name by their address are fetched. */
export interface DocumentFetchOptions {
  /** All addresses of a host; the system's name servers know them by default. */
  readonly lookup?: (host: string, signal: AbortSignal) => Promise<readonly LookupAddress[]>;
  /** Which addresses may be connected to; those on the public internet by default. */
  readonly isPublicAddress?: (address: string) => boolean;
  /** Whether servers may listen anywhere; on 443 and 8443 alone by default, where web servers are expected. */
  readonly anyPort?: boolean;
  /** Certificates of the authorities to trust (PEM); Node's own by default. */
  readonly ca?: string;
  /** Time for everything, name resolution included; 5 by default. */
  readonly maxSeconds?: number;
}

/** A document as it was fetched. */
export interface FetchedDocument {
  readonly content: Readonly<Record<string, unknown>>;
  readonly bytes: number;
  /** For how long its headers allow to keep it, at most a day. */
  readonly maxAgeSeconds: number;
}

/**
 * Fetches the JSON document at an https address. Throws `invalid_client_metadata` when there is none that can be used, with a
 * message that tells nothing about this server's network, and `temporarily_unavailable` when too many are being fetched.
 */
export type FetchDocument = (address: string) => Promise<FetchedDocument>;

/**
 * Fetches for people who cannot be trusted, so that nobody reaches what only this server can reach: names are resolved once,
 * every address must be public, and the connection is made to what was checked. Redirects are not followed; what comes is
 * bounded in time and size, and never unpacked.
 */
export function createDocumentFetch(clock: () => Date, options: DocumentFetchOptions = {}): FetchDocument {
  const { lookup = resolveHost, isPublicAddress = isPublic, ca, maxSeconds = MAX_SECONDS } = options;
  const limits = createFetchLimits(clock);

  const fetchFrom = async (url: URL, place: FetchPlace): Promise<FetchedDocument> => {
    const signal = AbortSignal.timeout(maxSeconds * 1000);
    let isReached = false;
    try {
      const addresses = await before(signal, resolve(url.hostname, lookup, signal));
      // One private address among public ones is no slip: it is how a name is bound to another network between two look-ups.
      if (addresses.length === 0 || !addresses.every((one) => isPublicAddress(one.address)))
        throw place.away(fault("its host has no public address"));
      const response = await get(url, { addresses, ca, signal, onReached: () => (isReached = true) });
      requireJson(response);
      const bytes = await readBytes(response);
      return { content: parseMetadataJson(bytes), bytes: bytes.length, maxAgeSeconds: maxAgeOf(url, response) };
    } catch (error) {
      if (error instanceof OAuthError) throw error;
      const refusal = fault("it cannot be fetched", error);
      // Whoever finds one slow page of a server must not make its other pages unreachable.
      throw isReached ? refusal : place.away(refusal);
    }
  };
  return async (address) => {
    const url = new URL(address);
    if (!options.anyPort && !PORTS.includes(url.port)) throw fault("its port is neither 443 nor 8443");
    const place = limits.enter(url);
    return fetchFrom(url, place).finally(place.leave);
  };
}

/** The refusal of a document. */
export function fault(what: string, cause?: unknown): OAuthError {
  return new OAuthError("invalid_client_metadata", `the document of this client cannot be used: ${what}`, { cause });
}

/** A name that is not resolved has no address, like one that leads to a private network: who asks shall not tell them apart. */
async function resolve(
  hostname: string,
  lookup: NonNullable<DocumentFetchOptions["lookup"]>,
  signal: AbortSignal,
): Promise<readonly LookupAddress[]> {
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const family = isIP(host);
  return family === 0 ? lookup(host, signal).catch(() => []) : [{ address: host, family }];
}

/** What is looked up in another way than ours may not heed the signal; it is left behind. */
function before<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

interface Connection {
  readonly addresses: readonly LookupAddress[];
  readonly ca: string | undefined;
  readonly signal: AbortSignal;
  /** Called once the server has proven its name. */
  readonly onReached: () => void;
}

function get(url: URL, { addresses, ca, signal, onReached }: Connection): Promise<IncomingMessage> {
  const pinned: LookupFunction = (_host, { all }, done) => {
    const [first] = addresses;
    if (all) done(null, [...addresses]);
    else done(null, first?.address ?? "", first?.family);
  };
  return new Promise((resolve, reject) => {
    request(url, {
      agent: false,
      lookup: pinned,
      signal,
      rejectUnauthorized: true,
      headers: { Accept: "application/json", "Accept-Encoding": "identity" },
      ...(ca === undefined ? {} : { ca }),
    })
      .on("socket", (socket) => socket.once("secureConnect", onReached))
      .on("response", resolve)
      .on("error", reject)
      .end();
  });
}

function requireJson(response: IncomingMessage): void {
  const { statusCode = 0, headers } = response;
  const refuse = (what: string) => {
    response.destroy();
    return fault(what);
  };
  if (statusCode >= 300 && statusCode < 400) throw refuse("redirects are not followed");
  if (statusCode !== 200) throw refuse("its status is not 200");
  if ((headers["content-encoding"] ?? "identity").toLowerCase() !== "identity") throw refuse("it is compressed");
  const [type = ""] = (headers["content-type"] ?? "").split(";");
  if (!/^application\/(?:[a-z0-9.-]+\+)?json$/i.test(type.trim())) throw refuse("it is not served as JSON");
  if (Number(headers["content-length"] ?? 0) > MAX_BYTES) throw refuse(TOO_LARGE);
}

async function readBytes(response: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    size += chunk.length;
    if (size > MAX_BYTES) throw fault(TOO_LARGE);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** RFC 9111, as a shared cache. Where the headers say nothing, a few minutes are ours to choose (§4.2.2). */
function maxAgeOf(url: URL, { headers }: IncomingMessage): number {
  if (headers["cache-control"] === undefined && headers.expires === undefined) return DEFAULT_FRESH_SECONDS;
  const policy = new CachePolicy(
    { method: "GET", url: url.pathname, headers: {} },
    { status: 200, headers: headers as Record<string, string> },
    { shared: true, cacheHeuristic: 0 },
  );
  // Its `timeToLive` would count the time in which a stale document may still be served.
  return Math.min(Math.max(Math.ceil(policy.maxAge() - policy.age()), 0), MAX_FRESH_SECONDS);
}

/** As `URL` writes them; the default one is empty. */
const PORTS: readonly string[] = ["", "8443"];
const MAX_SECONDS = 5;
const MAX_BYTES = 64 * 1024;
const TOO_LARGE = `it is larger than ${MAX_BYTES} bytes`;
const DEFAULT_FRESH_SECONDS = 300;
const MAX_FRESH_SECONDS = 24 * 3600;
