import { connect, constants } from "node:http2";
import { Agent, request } from "node:https";

/** Answers that have no body. */
const EMPTY = [204, 205, 304];
const NO_ERROR = constants.NGHTTP2_NO_ERROR;
/** Whoever hears nothing for so long has no answer. */
const SILENT_MS = 30_000;
const SILENT = `nothing came for ${SILENT_MS / 1_000} s`;
/** Headers of HTTP/1.1 about its connection, which HTTP/2 has no place for. */
const OF_CONNECTIONS = ["connection", "host", "transfer-encoding"];

/**
 * `fetch` for a site whose certificate nobody has signed, over connections that are kept, by the version of HTTP that is asked for: the one
 * that Node brings takes its certificates from the environment of the process, and speaks HTTP/1.1 alone. Redirects are not followed.
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
 * What a stream brings. It has to be asked for when the answer begins: an empty one of HTTP/2 is over, and its stream closed, before anything
 * that was awaited goes on. `Readable.toWeb` takes such a stream for broken.
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

/** As Node's own agent: an idle connection is given up before a proxy does, or a request may go into one that is just being closed. */
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

/** One connection for all requests, as browsers have it, and another one when the site lets no more begin on it. */
function overHttp2(origin, ca) {
  let session = null;
  const open = () => {
    if (session === null || session.closed || session.destroyed) {
      const opened = connect(origin, { ca });
      // What it breaks are its streams, which say so themselves.
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
          // RFC 9113 §8.7: what the site has not begun with is sent again, on another connection.
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
