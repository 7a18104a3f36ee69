import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { isIP } from "node:net";
import { addressRule, checkedLookup, resolveHost } from "@org/http";

/** Maximum length of an answer; metadata, keys and tokens are far smaller. */
const MAX_BYTES = 512 * 1_024;
const MAX_HEADER_BYTES = 16 * 1_024;
/** Total time limit, unless the caller sets a shorter one. */
const MAX_MS = 10_000;
const PRIVATE_NETWORKS = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7"];
const THIS_MACHINE = ["127.0.0.0/8", "::1/128"];

/**
 * A `fetch` for URLs from the metadata of identity providers. Each connection resolves its host, checks every address and
 * connects to a checked one. Redirects are not followed; answers are limited in time and size, and never decompressed. Plain
 * http reaches only this machine.
 * @param options.isPrivate whether private networks may be reached
 * @param options.isLocal whether this machine may be reached, because a provider runs here, as in development
 */
export function createProviderFetch(options: { readonly isPrivate: boolean; readonly isLocal: boolean }): typeof fetch {
  const rule = addressRule([...(options.isPrivate ? PRIVATE_NETWORKS : []), ...(options.isLocal ? THIS_MACHINE : [])]);
  const ways = {
    "http:": { request: http.request, mayReach: rule.mayReachInClear },
    "https:": { request: https.request, mayReach: rule.mayReach },
  } as const;

  return async (input, init = {}) => {
    const url = new URL(String(input));
    const way = ways[url.protocol as keyof typeof ways];
    const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
    // An IP address is never looked up, so the look-up does not check it.
    if (way === undefined || (isIP(host) !== 0 && !way.mayReach(host))) throw new Error("address not allowed");
    const times = [AbortSignal.timeout(MAX_MS), ...(init.signal ? [init.signal] : [])];
    const body = init.body ? String(init.body) : undefined;
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      way
        .request(url, {
          method: init.method ?? "GET",
          agent: false,
          lookup: checkedLookup(resolveHost, way.mayReach),
          maxHeaderSize: MAX_HEADER_BYTES,
          signal: AbortSignal.any(times),
          headers: {
            ...Object.fromEntries(new Headers(init.headers)),
            "accept-encoding": "identity",
            ...(body !== undefined && { "content-length": String(Buffer.byteLength(body)) }),
          },
        })
        .on("response", resolve)
        .on("error", reject)
        .end(body);
    });
    const { statusCode = 0, headers } = response;
    return new Response(statusCode === 204 || statusCode === 304 ? null : await readBytes(response), {
      status: statusCode,
      headers: { "content-type": headers["content-type"] ?? "" },
    });
  };
}

async function readBytes(response: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BYTES) {
      response.destroy();
      throw new Error(`the answer has more than ${MAX_BYTES} bytes`);
    }
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
