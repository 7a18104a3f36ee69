import { isDeepStrictEqual } from "node:util";
import { exchange, messageIn, requestBytes } from "../measuring/load.mjs";

/** The protocol version of each kind of client; mcp-lite supports none later than this. */
const eras = { legacy: "2025-11-25", modern: "2026-07-28", "mcp-lite": "2025-06-18" };
const clientInfo = { name: "bench", version: "1" };
let lastId = 100_000_000;

/** Starts a session as clients of the older era do; returns its id, or undefined if the server has no sessions. */
export async function beginSession(port, token) {
  const params = { protocolVersion: eras.legacy, capabilities: {}, clientInfo };
  const answer = await exchange(port, post({ token }, { jsonrpc: "2.0", id: ++lastId, method: "initialize", params }));
  const session = /^mcp-session-id: *(\S+)/im.exec(answer.head)?.[1];
  if (answer.status !== 200 || !messageIn(answer).result?.serverInfo) throw new Error(`initialize: ${answer.body}`);
  const { status } = await exchange(
    port,
    post({ token, session, era: "legacy" }, { jsonrpc: "2.0", method: "notifications/initialized" }),
  );
  if (status !== 202) throw new Error(`initialized: ${status}`);
  return session;
}

const _meta = {
  "io.modelcontextprotocol/protocolVersion": eras.modern,
  "io.modelcontextprotocol/clientInfo": clientInfo,
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** The bytes of one `tools/call` of a client of the newer era. */
export function toolBytes(token, name, args) {
  const params = { name, arguments: args, _meta };
  return post({ token, era: "modern" }, { jsonrpc: "2.0", id: ++lastId, method: "tools/call", params });
}

export function callBytes(client, { page = 100, pageSize = 20, id = 100_000_000 } = {}) {
  const params = { name: "svc-investments", arguments: { page, page_size: pageSize } };
  if (client.era === "modern") params._meta = _meta;
  return post(client, { jsonrpc: "2.0", id, method: "tools/call", params });
}

/**
 * What one connection sends in `load`: calls with different ids and, unless `page` is given, different pages (100 to 499). The digits are written
 * into the same bytes each time.
 */
export function callJob(client, { page, pageSize = 20, rows = pageSize } = {}) {
  const bytes = callBytes(client, { page, pageSize });
  const idAt = bytes.indexOf('"id":') + '"id":'.length;
  const pageAt = bytes.indexOf('"page":') + '"page":'.length;
  let id;
  return {
    next() {
      id = ++lastId;
      writeDigits(bytes, idAt, 9, id);
      if (page === undefined) writeDigits(bytes, pageAt, 3, 100 + (id % 400));
      return bytes;
    },
    check(answer) {
      const message = messageIn(answer);
      const { structuredContent, content, isError } = message.result ?? {};
      const isRight =
        message.id === id &&
        !isError &&
        structuredContent?.items?.length === rows &&
        content[0].text.length > JSON.stringify(structuredContent.items).length;
      if (!isRight) throw new Error(`not the page that was asked for: ${answer.body.slice(0, 300)}`);
    },
  };
}

/** Like {@link compareAnswers}, for versions that answer the same rows and differ otherwise. */
export function compareItems(running) {
  return compareAnswers(running, ({ items }) => items);
}

/** Throws unless all servers answer the same page; otherwise they would not do the same work. */
export async function compareAnswers(running, comparable = (answer) => answer) {
  let expected;
  for (const { target, server, client } of running) {
    const answer = await exchange(server.port, callBytes(client, { page: 321 }));
    const { structuredContent, content } = messageIn(answer).result;
    const page = comparable(structuredContent);
    expected ??= page;
    if (!isDeepStrictEqual(page, expected) || !isDeepStrictEqual(comparable(JSON.parse(content[0].text)), expected))
      throw new Error(`${target} answers another page: ${answer.body.slice(0, 600)}`);
  }
}

function post({ era, token, session }, message) {
  const headers = { accept: "application/json, text/event-stream", "content-type": "application/json" };
  if (token) headers.authorization = `Bearer ${token}`;
  if (session) headers["mcp-session-id"] = session;
  if (era) headers["mcp-protocol-version"] = eras[era];
  if (era === "modern") Object.assign(headers, { "mcp-method": message.method, "mcp-name": message.params.name });
  return requestBytes("POST", "/mcp", headers, JSON.stringify(message));
}

function writeDigits(bytes, at, width, number) {
  for (let place = width - 1, rest = number; place >= 0; place -= 1, rest = Math.floor(rest / 10))
    bytes[at + place] = 48 + (rest % 10);
}
