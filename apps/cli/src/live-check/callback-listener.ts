import { timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { failed } from "../cli-error.js";

/** The address on this machine to which an institution sends its customer back. */
export interface CallbackListener {
  readonly url: string;
  /** The query of the next callback with this state, without it. Others are refused. @throws the signal's reason */
  next(state: string, signal: AbortSignal): Promise<Readonly<Record<string, string>>>;
  close(): void;
}

/** The path of the server's callback: whoever registered it for a server on this machine needs no other address. */
const PATH = "/connect/callback";

/** The address of a callback on this machine. */
export function callbackUrl(port: number): string {
  return `http://localhost:${port}${PATH}`;
}

/** Listens on this machine only. @throws CliError if the port is taken */
export async function listenForCallback(port: number): Promise<CallbackListener> {
  let waiting: { readonly state: string; readonly resolve: (params: Record<string, string>) => void } | null = null;
  const server = createServer((request, response) => {
    // Any page in a browser can send a request here, with a path that is no URL's.
    const [path, query] = (request.url ?? "").split("?", 2);
    const { state = "", ...params } = Object.fromEntries(new URLSearchParams(query));
    const isIt = request.method === "GET" && path === PATH && waiting !== null && isSame(waiting.state, state);
    response.writeHead(isIt ? 200 : 404, { "content-type": "text/plain; charset=utf-8", connection: "close" });
    response.end(isIt ? "Go on in the terminal. This page can be closed.\n" : "Nothing is expected here.\n");
    if (isIt) waiting?.resolve(params);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  }).catch((error: NodeJS.ErrnoException) => {
    throw failed(`port ${port} cannot be listened on (${error.code}): choose another one with --callback-port`, error);
  });
  const address = server.address();
  return {
    url: callbackUrl(typeof address === "object" && address !== null ? address.port : port),
    next: (state, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const abort = () => reject(signal.reason);
        signal.addEventListener("abort", abort, { once: true });
        waiting = {
          state,
          resolve(params) {
            waiting = null;
            signal.removeEventListener("abort", abort);
            resolve(params);
          },
        };
      }),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
