import { request } from "node:http";
import { request as secureRequest } from "node:https";
import { isIP, type Socket } from "node:net";
import { connect, type TLSSocket } from "node:tls";

/** The proxy for fetches, as in `HTTPS_PROXY` and `NO_PROXY`. */
export interface FetchProxy {
  /** `http://[user:password@]host[:port]`, or https. */
  readonly url: string;
  /** Hosts that are asked without it. */
  readonly noProxy: string;
}

/** Opens a TLS connection to the URL's host through the proxy (RFC 9110 §9.3.6, CONNECT). Rejects when the proxy refuses. */
export async function openTunnel(
  proxy: FetchProxy,
  { hostname, port }: URL,
  { ca, signal }: { readonly ca: string | undefined; readonly signal: AbortSignal },
): Promise<TLSSocket> {
  const { protocol, username, password, hostname: host, port: proxyPort } = new URL(proxy.url);
  const target = `${hostname}:${port || 443}`;
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString("base64");
  const socket = await new Promise<Socket>((resolve, reject) => {
    (protocol === "https:" ? secureRequest : request)({
      host: unbracketed(host),
      port: proxyPort || (protocol === "https:" ? 443 : 80),
      method: "CONNECT",
      path: target,
      agent: false,
      signal,
      headers: { Host: target, ...(username !== "" && { "Proxy-Authorization": `Basic ${credentials}` }) },
    })
      .on("connect", ({ statusCode }, tunnel: Socket) => {
        if (statusCode === 200) return resolve(tunnel);
        tunnel.destroy();
        reject(new Error(`the proxy answered CONNECT with ${statusCode}`));
      })
      .on("response", ({ statusCode }) => reject(new Error(`the proxy answered CONNECT with ${statusCode}`)))
      .on("error", reject)
      .end();
  });
  const name = unbracketed(hostname);
  return connect({
    socket,
    host: name,
    ...(isIP(name) === 0 && { servername: name }),
    ...(ca !== undefined && { ca }),
  });
}

function unbracketed(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}
