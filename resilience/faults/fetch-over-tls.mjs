import { connect, constants } from "node:http2";
import { Agent, request } from "node:https";

/** Statuses without a body. */
const EMPTY = [204, 205, 304];
const NO_ERROR = constants.NGHTTP2_NO_ERROR;
/** After this long without data a request counts as unanswered. */
const SILENT_MS = 30_000;
const SILENT = `nothing came for ${SILENT_MS / 1_000} s`;
/** Connection headers of HTTP/1.1, which HTTP/2 does not allow. */
const OF_CONNECTIONS = ["connection", "host", "transfer-encoding"];

/**
 * A `fetch` for a site with a self-signed certificate, over kept connections, with the given version of HTTP. Node's own `fetch` takes certificates
 * only from the process environment, and speaks only HTTP/1.1. Redirects are not followed.
 * @param ca the site's certificate
 * @param version 1 or 2
 * @returns `fetch`, `requests()` and `close()`
 */
export function fetchOverTls(origin, ca, version) {
  const client = version === 2 ? overHttp2(origin, ca) : overHttp1(ca);
  let requests = 0;
  return {
    async fetch(url, { method = "GET", headers = {}, body, signal } = {}) {
      requests += 1;
      signal?.throwIfAborted();
      const sent = new Request(url, { method, headers, ...(body !== undefined && { body }) });
      const bytes = body === undefined ? undefined : Buffer.from(await sent.arrayBuffer());
      const { status, headers: given, content } = await client.exchange(new URL(url), sent, bytes, signal);
      const answer = new Headers();
      for (const [name, value] of Object.entries(given))
        if (!name.startsWith(":")) for (const one of [value].flat()) answer.append(name, one);
      return new Response(EMPTY.includes(status) ? null : content, { status, headers: answer });
    },
    requests: () => requests,
    close: () => client.close(),
  };
}

/**
 * The content of a stream. It must be requested as soon as the answer starts: an empty HTTP/2 stream is closed before any awaited code runs, and
 * `Readable.toWeb` treats such a stream as broken.
 */
function contentOf(stream) {
  return new ReadableStream({
    start(controller) {
      let isOver = false;
      const over = (error) => {
        if (isOver) return;
        isOver = true;
        if (error) controller.error(error);
        else controller.close();
      };
      stream.on("data", (chunk) => !isOver && controller.enqueue(new Uint8Array(chunk)));
      stream.once("end", () => over());
      stream.once("error", over);
      stream.once("close", () => {
        const isWhole = stream.complete ?? stream.rstCode === NO_ERROR;
        over(isWhole ? undefined : new Error("the answer was cut off"));
      });
    },
    cancel: () => stream.destroy(),
  });
}

/** As in Node's own agent: idle connections are closed before a proxy closes them; otherwise a request may go into one that is being closed. */
const IDLE_MS = 5_000;

function overHttp1(ca) {
  const agent = new Agent({ keepAlive: true, timeout: IDLE_MS, ca });
  return {
    exchange: (url, { method, headers }, body, signal) =>
      new Promise((resolve, reject) => {
        const length = body === undefined ? {} : { "content-length": body.length };
        const outgoing = request(url, {
          agent,
          method,
          headers: { ...Object.fromEntries(headers), ...length },
          signal,
        });
        outgoing.setTimeout(SILENT_MS, () => outgoing.destroy(new Error(SILENT)));
        outgoing.once("response", (stream) =>
          resolve({ status: stream.statusCode, headers: stream.headers, content: contentOf(stream) }),
        );
        outgoing.once("error", reject).end(body);
      }),
    close: () => agent.destroy(),
  };
}

/** One connection for all requests, as in browsers, and another one when the site accepts no more requests on it. */
function overHttp2(origin, ca) {
  let session = null;
  const open = () => {
    if (session === null || session.closed || session.destroyed) {
      const opened = connect(origin, { ca });
      // The affected streams report the error themselves.
      opened.on("error", () => undefined);
      opened.once("goaway", () => {
        if (session === opened) session = null;
      });
      session = opened;
    }
    return session;
  };
  return {
    async exchange(url, { method, headers }, body, signal) {
      for (;;)
        try {
          return await exchangeOver(open(), url, { method, headers }, body, signal);
        } catch (error) {
          // RFC 9113 §8.7: requests that the site has not processed are sent again on another connection.
          if (error.code !== "ERR_HTTP2_GOAWAY_SESSION" && !/NGHTTP2_REFUSED_STREAM/.test(error.message)) throw error;
        }
    },
    close: () => session?.destroy(),
  };
}

function exchangeOver(session, url, { method, headers }, body, signal) {
  return new Promise((resolve, reject) => {
    const fields = [...headers].filter(([name]) => !OF_CONNECTIONS.includes(name));
    const head = { ...Object.fromEntries(fields), ":method": method, ":path": url.pathname + url.search };
    const stream = session.request(head, { endStream: body === undefined, ...(signal && { signal }) });
    stream.setTimeout(SILENT_MS, () => stream.destroy(new Error(SILENT)));
    stream.once("response", (answer) =>
      resolve({ status: answer[":status"], headers: answer, content: contentOf(stream) }),
    );
    stream.once("error", reject);
    stream.once("close", () => reject(new Error(`the stream was closed without an answer (${stream.rstCode})`)));
    if (body !== undefined) stream.end(body);
  });
}
