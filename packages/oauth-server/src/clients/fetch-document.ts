import type { LookupAddress } from "node:dns";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import type { TLSSocket } from "node:tls";
import { isProxied, isPublicAddress as isPublic, resolveHost } from "@org/http";
import CachePolicy from "http-cache-semantics";
import { parseMetadataJson } from "../http/read-json.js";
import { OAuthError } from "../oauth-error.js";
import { createFetchLimits, type FetchPlace } from "./fetch-limits.js";
import { type FetchProxy, openTunnel } from "./proxy-tunnel.js";

/** How documents that clients reference by URL are fetched. */
export interface DocumentFetchOptions {
  /** Resolves all addresses of a host; uses the system's name servers by default. */
  readonly lookup?: (host: string, signal: AbortSignal) => Promise<readonly LookupAddress[]>;
  /** Which addresses may be connected to; only public ones by default. */
  readonly isPublicAddress?: (address: string) => boolean;
  /** Whether any port is allowed; by default only 443 and 8443, where web servers are expected. */
  readonly anyPort?: boolean;
  /** Certificates of the trusted authorities (PEM); Node's own by default. */
  readonly ca?: string;
  /** The proxy for hosts that it applies to; without it every host is asked directly. */
  readonly proxy?: FetchProxy;
  /** Total time limit, including name resolution; 5 by default. */
  readonly maxSeconds?: number;
}

/** A fetched document. */
export interface FetchedDocument {
  readonly content: Readonly<Record<string, unknown>>;
  readonly bytes: number;
  /** How long its headers allow caching it, at most a day. */
  readonly maxAgeSeconds: number;
}

/**
 * Fetches the JSON document at an https URL. Throws `invalid_client_metadata` when the document cannot be used, with a message
 * that reveals nothing about this server's network, and `temporarily_unavailable` when too many fetches are running.
 * @param network the caller's, whose part of the fetches it takes
 */
export type FetchDocument = (address: string, network: string) => Promise<FetchedDocument>;

/**
 * Fetches for untrusted callers without giving them access to this server's network (SSRF): names are resolved once, every
 * address must be public, and the connection goes to the checked address. Redirects are not followed. The response is limited
 * in time and size, and never decompressed. Through a proxy, which resolves names itself, a name that does not resolve here is
 * left to it; an address that is not public is refused all the same, and so is a name that only a network of one's own has.
 */
export function createDocumentFetch(clock: () => Date, options: DocumentFetchOptions = {}): FetchDocument {
  const { lookup = resolveHost, isPublicAddress = isPublic, ca, maxSeconds = MAX_SECONDS } = options;
  const limits = createFetchLimits(clock);

  const fetchFrom = async (url: URL, place: FetchPlace): Promise<FetchedDocument> => {
    const signal = AbortSignal.timeout(maxSeconds * 1000);
    let isReached = false;
    try {
      const proxy = options.proxy && isProxied(options.proxy.noProxy, url) ? options.proxy : null;
      const { addresses, cause } = await before(signal, resolve(url.hostname, lookup, signal));
      const isNowhere =
        addresses.length === 0 && (proxy === null || (isOwnName(url.hostname) && !isPublicAddress("10.0.0.1")));
      // One private address among public ones is a sign of DNS rebinding.
      if (isNowhere || !addresses.every((one) => isPublicAddress(one.address)))
        throw place.away(unreachable("its host has no public address", cause));
      const tunnel = proxy && (await openTunnel(proxy, url, { ca, signal }));
      const response = await get(url, { addresses, tunnel, ca, signal, onReached: () => (isReached = true) });
      requireJson(response);
      const bytes = await readBytes(response);
      return { content: parseMetadataJson(bytes), bytes: bytes.length, maxAgeSeconds: maxAgeOf(url, response) };
    } catch (error) {
      if (error instanceof OAuthError) throw error;
      // One slow page of a server must not make its other pages unreachable.
      throw isReached ? fault("it cannot be fetched", error) : place.away(unreachable("it cannot be fetched", error));
    }
  };
  return async (address, network) => {
    const url = new URL(address);
    if (!options.anyPort && !PORTS.includes(url.port)) throw fault("its port is neither 443 nor 8443");
    const place = limits.enter(url, network);
    return fetchFrom(url, place).finally(place.leave);
  };
}

/** Creates the refusal of a document. */
export function fault(what: string, cause?: unknown): OAuthError {
  return new OAuthError("invalid_client_metadata", `the document of this client cannot be used: ${what}`, { cause });
}

/** Creates the refusal of a document whose server could not be reached. */
function unreachable(what: string, cause: unknown): OAuthError {
  const message = `the document of this client cannot be used: ${what}`;
  return new OAuthError("invalid_client_metadata", message, { cause, detail: UNREACHABLE });
}

/** Whether a document was refused because its server could not be reached. */
export function isUnreachable(error: unknown): error is OAuthError {
  return error instanceof OAuthError && error.detail === UNREACHABLE;
}

const UNREACHABLE = "client_unreachable";

/**
 * An unresolvable name yields no addresses, like one that leads to a private network: the caller must not be able to tell them
 * apart.
 */
async function resolve(
  hostname: string,
  lookup: NonNullable<DocumentFetchOptions["lookup"]>,
  signal: AbortSignal,
): Promise<{ readonly addresses: readonly LookupAddress[]; readonly cause?: unknown }> {
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const family = isIP(host);
  if (family !== 0) return { addresses: [{ address: host, family }] };
  return lookup(host, signal).then(
    (addresses) => ({ addresses }),
    (cause: unknown) => ({ addresses: [], cause }),
  );
}

/** Whether no name server of the internet knows such a name: it has no dot, or an ending that is kept for own networks. */
function isOwnName(hostname: string): boolean {
  const name = hostname.endsWith(".") ? hostname.slice(0, -1) : hostname;
  return !name.includes(".") || OWN_ENDINGS.some((ending) => name.endsWith(ending));
}

/** RFC 6761, RFC 6762 (with its appendix G), RFC 8375. */
const OWN_ENDINGS = [
  ".localhost",
  ".local",
  ".internal",
  ".intranet",
  ".private",
  ".corp",
  ".home",
  ".lan",
  ".home.arpa",
];

/** A custom lookup may ignore the signal; its result is then ignored. */
function before<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

interface Connection {
  readonly addresses: readonly LookupAddress[];
  /** The connection through a proxy; null = a direct one to the addresses. */
  readonly tunnel: TLSSocket | null;
  readonly ca: string | undefined;
  readonly signal: AbortSignal;
  /** Called once the server's certificate has been verified. */
  readonly onReached: () => void;
}

function get(url: URL, { addresses, tunnel, ca, signal, onReached }: Connection): Promise<IncomingMessage> {
  const pinned: LookupFunction = (_host, { all }, done) => {
    const [first] = addresses;
    if (all) done(null, [...addresses]);
    else done(null, first?.address ?? "", first?.family);
  };
  return new Promise((resolve, reject) => {
    request(url, {
      ...(tunnel ? { createConnection: () => tunnel } : { agent: false, lookup: pinned }),
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

/** RFC 9111, as a shared cache. Without caching headers the server chooses a few minutes (§4.2.2). */
function maxAgeOf(url: URL, { headers }: IncomingMessage): number {
  if (headers["cache-control"] === undefined && headers.expires === undefined) return DEFAULT_FRESH_SECONDS;
  const policy = new CachePolicy(
    { method: "GET", url: url.pathname, headers: {} },
    { status: 200, headers: headers as Record<string, string> },
    { shared: true, cacheHeuristic: 0 },
  );
  // `timeToLive` would include the time in which a stale document may still be served.
  return Math.min(Math.max(Math.ceil(policy.maxAge() - policy.age()), 0), MAX_FRESH_SECONDS);
}

/** As `URL` writes them; the default port is empty. */
const PORTS: readonly string[] = ["", "8443"];
const MAX_SECONDS = 5;
const MAX_BYTES = 64 * 1024;
const TOO_LARGE = `it is larger than ${MAX_BYTES} bytes`;
const DEFAULT_FRESH_SECONDS = 300;
const MAX_FRESH_SECONDS = 24 * 3600;
