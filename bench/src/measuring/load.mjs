import { connect } from "node:net";
import { performance } from "node:perf_hooks";
import { connect as connectTls } from "node:tls";

/** One answer in this many is parsed and checked; of the others only the status is checked. */
const CHECK_EVERY = 400;
/** An answer that takes longer means that the server hangs. */
const ANSWER_MS = 30_000;

const HEAD_END = Buffer.from("\r\n\r\n");
const LAST_CHUNK = "\r\n0\r\n\r\n";

/**
 * Keeps one request in flight on each of `connections` keep-alive connections (a closed loop) until `seconds` have passed or `maxCalls` calls were
 * made. Uses plain sockets, so that the client costs far less than the servers under load.
 *
 * `job(index)` creates what a connection sends: `next()` returns the bytes of its next request, `check(answer)` throws if the previous answer is
 * wrong. A job with `readsEvery` gets every answer to check.
 *
 * Latencies are in milliseconds. @throws if any call fails: the figures of a failing server are worthless
 */
export async function load({ port, connections, seconds, maxCalls = 1_000_000, job }) {
  const latencies = [];
  let begun = 0;
  const clients = await Promise.all(Array.from({ length: connections }, () => openConnection(port)));
  const start = performance.now();
  const end = start + seconds * 1000;
  try {
    await Promise.all(clients.map((client, index) => loop(client, job(index))));
  } finally {
    for (const client of clients) client.close();
  }
  const elapsed = (performance.now() - start) / 1000;
  latencies.sort((a, b) => a - b);
  const quantile = (share) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))];
  return { calls: latencies.length, perSecond: latencies.length / elapsed, p50: quantile(0.5), p99: quantile(0.99) };

  function loop(client, { next, check, readsEvery = false }) {
    return new Promise((resolve, reject) => {
      const step = () => {
        const sent = performance.now();
        if (sent >= end || begun >= maxCalls) return resolve();
        const isChecked = readsEvery || begun % CHECK_EVERY === 0;
        begun += 1;
        client.send(next(), isChecked, (error, answer) => {
          if (error) return reject(error);
          latencies.push(performance.now() - sent);
          try {
            if (answer.status !== 200)
              throw new Error(`status ${answer.status}: ${String(answer.body ?? "").slice(0, 500)}`);
            if (isChecked) check(answer);
          } catch (fault) {
            return reject(fault);
          }
          step();
        });
      };
      step();
    });
  }
}

/** Sends one request on its own connection and resolves to `{status, head, body}`. */
export async function exchange(port, bytes) {
  const client = await openConnection(port);
  try {
    return await new Promise((resolve, reject) =>
      client.send(bytes, true, (error, answer) => (error ? reject(error) : resolve(answer))),
    );
  } finally {
    client.close();
  }
}

export function requestBytes(method, path, headers, body = "") {
  const lines = Object.entries({ host: "localhost", ...headers, "content-length": Buffer.byteLength(body) });
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.map(([n, v]) => `${n}: ${v}\r\n`).join("")}\r\n${body}`);
}

/** The JSON-RPC message in an answer: its body, or the last event of an event stream. */
export function messageIn({ head, body }) {
  if (!/content-type: *text\/event-stream/i.test(head)) return JSON.parse(body);
  const events = body.split("\n").filter((line) => line.startsWith("data: {"));
  return JSON.parse(events.at(-1).slice("data: ".length));
}

/**
 * A keep-alive connection; `send(bytes, isKept, done)` writes a request, `close()` ends it. @param localAddress the client's own address @param ca
 * certificate of a server that speaks TLS
 */
export function openConnection(port, { localAddress, ca } = {}) {
  return new Promise((resolve, reject) => {
    const to = { port, host: "127.0.0.1", noDelay: true, localAddress };
    const socket = ca ? connectTls({ ...to, ca, servername: "localhost" }) : connect(to);
    socket.once("error", reject);
    socket.once(ca ? "secureConnect" : "connect", () => {
      socket.off("error", reject);
      resolve(clientOn(socket));
    });
  });
}

/** `send(bytes, isKept, done)` writes a request; `done(error, answer)` gets the body only if `isKept` is true or the status is not 200. */
function clientOn(socket) {
  let waiting = null;
  let answer;
  const fail = (error) => finish(error);
  socket.on("error", fail);
  socket.on("close", () => fail(new Error("the server closed the connection")));
  socket.setTimeout(ANSWER_MS, () => fail(new Error("no answer in time")));
  socket.on("data", (data) => waiting && receive(data));
  return {
    send(bytes, isKept, done) {
      waiting = done;
      answer = { isKept, status: 0, head: null, parts: [], size: 0, length: null, end: "" };
      socket.write(bytes);
    },
    close: () => socket.destroy(),
    /** Reads nothing for this long after each piece. */
    readSlowly(ms) {
      socket.on("data", () => {
        socket.pause();
        setTimeout(() => socket.resume(), ms);
      });
    },
  };

  function finish(error) {
    const done = waiting;
    waiting = null;
    done?.(error, answer);
  }

  function receive(data) {
    const rest = answer.head === null ? afterHead(data) : data;
    if (rest === null) return;
    answer.size += rest.length;
    if (answer.isKept || answer.status !== 200) answer.parts.push(rest);
    if (answer.length === null) answer.end = (answer.end + rest.latin1Slice()).slice(-LAST_CHUNK.length);
    if (answer.length === null ? answer.end === LAST_CHUNK : answer.size >= answer.length) {
      if (answer.isKept || answer.status !== 200) answer.body = bodyOf(answer);
      finish(null);
    }
  }

  function afterHead(data) {
    const all = answer.parts.length > 0 ? Buffer.concat([...answer.parts, data]) : data;
    const end = all.indexOf(HEAD_END);
    if (end < 0) {
      answer.parts = [all];
      return null;
    }
    answer.parts = [];
    answer.head = all.latin1Slice(0, end);
    answer.status = Number(answer.head.slice(9, 12));
    const isChunked = /^transfer-encoding: *chunked/im.test(answer.head);
    answer.length = isChunked ? null : Number(/^content-length: *(\d+)/im.exec(answer.head)?.[1] ?? 0);
    answer.end = "\r\n"; // an empty chunked body starts with its last chunk
    return all.subarray(end + HEAD_END.length);
  }
}

function bodyOf({ parts, length }) {
  const bytes = Buffer.concat(parts);
  if (length !== null) return bytes.toString();
  const chunks = [];
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf("\r\n", at);
    const size = Number.parseInt(bytes.latin1Slice(at, lineEnd), 16);
    if (!(size > 0)) return Buffer.concat(chunks).toString();
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
}
