// Uses two servers on one database in every way while something happens to them, and checks what must be there afterwards.
import { setTimeout as delay } from "node:timers/promises";

const FORM = "application/x-www-form-urlencoded";
const PDF = Buffer.from(
  "%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Count 1/Kids[3 0 R]>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\ntrailer<</Size 4/Root 1 0 R>>\nstartxref\n0\n%%EOF\n",
).toString("base64");
const KEPT = 50;
/** Within this time every server knows of a grant that another one has ended. */
export const ENDED_WITHIN_MS = 10_000;
const LOOPS = 2;
/** No more than any list answers at a time. */
const ASKED_AT_ONCE = 20;
/** After this time a new access token is requested; a token is valid for an hour. */
const TOKEN_MS = 20 * 60_000;
/** The wait that `Retry-After` states. */
export const BUSY_MS = 1_000;

/**
 * A request that was not carried out. `status` is that of the refusal, null if there was no answer; `began` is when it was sent, in terms of
 * `performance.now()`. Any other error of a kind of use must never happen.
 */
export class NotDone extends Error {
  constructor(message, { status = null, began, cause }) {
    super(message, { cause });
    Object.assign(this, { status, began });
  }
}

/**
 * Creates a letter that waits for files, and returns: `kinds` of use, each a function of two servers that throws if one of them mishandles what the
 * other did, and answers false if there was nothing to do; `check(server)`, which returns what a server lacks of everything acknowledged; and
 * `asked()`, for `doublesIn`.
 */
export async function beginMixedUse(first, { operator, demo }) {
  const callers = { demo: callerOf(demo), operator: callerOf(operator) };
  const known = { letters: new Map(), sessions: [], grants: [], revoked: [] };
  let balance = 0;
  let numbered = 0;
  let isFeeding = false;
  const feed = await letterThatWaits();

  const kinds = {
    async grants(one, other) {
      const next = await refresh(other, await grantOf(one, demo));
      known.grants.push(await refresh(one, next));
      if (known.grants.length > KEPT) known.grants.shift();
    },
    async revocations(one, other) {
      const grant = await grantOf(one, demo);
      await json(ask(other, "/data/v1/list-connections", { token: grant.access_token, body: "{}" }));
      const fields = { token: grant.refresh_token, client_id: demo.client_id, client_secret: demo.client_secret };
      await json(ask(other, "/revoke", { body: String(new URLSearchParams(fields)), type: FORM }));
      if (known.revoked.length < KEPT) known.revoked.push(grant.access_token);
    },
    async letters(one, other) {
      const letter_id = await submit(one);
      const moves = { asked: 0, done: 0 };
      known.letters.set(letter_id, moves);
      const found = await rest(other, "demo", "/letters/v1/search-letters", { query: { id_in: [letter_id] } });
      if (!JSON.stringify(found).includes(letter_id)) throw new Error("a letter is not found by the other server");
      for (const server of [other, one]) {
        moves.asked += 1;
        await rest(server, "operator", "/operator/v1/letters/advance", { letter_id });
        moves.done += 1;
      }
      await rest(one, "operator", "/operator/v1/letters/show", { letter_id });
    },
    async sessions(one, other) {
      const configuration = { connector_id: "esp:banco-penaclarin", labels: { number: nextNumber() } };
      const opened = await rest(one, "demo", "/connect/v2/sessions/create-session", { configuration });
      known.sessions.push(opened.session.session_id);
      await page(other, new URL(opened.widget_url).pathname);
    },
    async feeds(one, other) {
      // One file after another: the last acknowledged one counts.
      if (isFeeding) return false;
      isFeeding = true;
      try {
        const path = `/operator/v1/datafeeds/ingest?letter_id=${feed}&name=${balance + 1}.xml`;
        const body = statement(balance + 1);
        const token = await callers.operator.token(one);
        await json(ask(one, path, { token, body, type: "application/octet-stream" }));
        balance += 1;
        const found = balanceIn(await rest(other, "demo", "/data/v1/list-portfolios", {}));
        if (found !== balance) throw new Error(`the other server has another balance than the one acknowledged`);
        await tool(one, "svc-investments");
        return true;
      } finally {
        isFeeding = false;
      }
    },
    async reads(one, other) {
      await tool(one, "svc-connectors", { page_size: 5 });
      await tool(other, "svc-credentials");
      for (const list of ["audit", "tenants", "mails"]) await rest(one, "operator", `/operator/v1/${list}/list`, {});
    },
    /** A client of the older era, which starts a session, works in it on either server, and ends it. */
    async mcp(one, other) {
      const token = await callers.demo.token(one);
      const post = (server, method, params, session) => {
        const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
        return done(ask(server, "/mcp", { token, body, headers: session && { "mcp-session-id": session } }));
      };
      const clientInfo = { name: "mixed use", version: "1" };
      const begun = await post(one, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
      const session = begun.headers.get("mcp-session-id");
      await post(other, "tools/list", {}, session);
      await post(other, "tools/call", { name: "svc-connectors", arguments: { page_size: 1 } }, session);
      await done(ask(other, "/mcp", { token, method: "DELETE", headers: { "mcp-session-id": session } }));
    },
  };
  return { kinds, check, asked: () => ({ letters: known.letters, feed, files: balance }) };

  async function check(server) {
    const faults = [];
    for (const some of chunksOf([...known.letters.keys()], ASKED_AT_ONCE)) {
      const found = JSON.stringify(
        await rest(server, "demo", "/letters/v1/search-letters", { query: { id_in: some } }),
      );
      faults.push(...some.filter((id) => !found.includes(id)).map(() => "a letter is lost"));
    }
    for (const some of chunksOf(known.sessions, ASKED_AT_ONCE)) {
      const query = { session_id_in: some };
      const found = JSON.stringify(await rest(server, "demo", "/connect/v2/sessions/list-sessions", { query }));
      faults.push(...some.filter((id) => !found.includes(id)).map(() => "a session is lost"));
    }
    for (const token of known.revoked) {
      const { status } = await ask(server, "/data/v1/list-portfolios", { token, body: "{}" });
      if (status !== 401) faults.push(`a token of a grant that was ended is answered ${status}`);
    }
    const grants = known.grants.splice(0);
    for (const grant of grants) {
      const refused = await refresh(server, grant).then((next) => void known.grants.push(next), String);
      if (refused) faults.push(`a grant is lost: ${refused}`);
    }
    const found = balanceIn(await rest(server, "demo", "/data/v1/list-portfolios", {}));
    if (found !== balance) faults.push(`a portfolio stands at ${found}, not at ${balance}`);
    return faults;
  }

  async function letterThatWaits() {
    const letter_id = await submit(first);
    for (;;) {
      const { letter } = await rest(first, "operator", "/operator/v1/letters/advance", { letter_id });
      if (letter.status === "WaitingForData") return letter_id;
    }
  }

  async function submit(server) {
    const letter = { connector_id: "esp:custodia-montelirio", data: PDF, labels: { number: nextNumber() } };
    return idIn(await rest(server, "demo", "/letters/v1/create-signed", letter));
  }

  /** A label by which a repetition of one request can be recognised. */
  function nextNumber() {
    numbered += 1;
    return String(numbered);
  }

  function rest(server, who, path, body) {
    return callers[who].rest(server, path, body);
  }

  function tool(server, name, args) {
    return callers.demo.tool(server, name, args);
  }
}

/** A caller with these credentials: requests access tokens as needed, and throws unless the status is 200. */
export function callerOf(credentials) {
  let held = { at: Number.NEGATIVE_INFINITY };
  return {
    token,
    async rest(server, path, body = {}) {
      return json(ask(server, path, { token: await token(server), body: JSON.stringify(body) }));
    },
    async tool(server, name, args = {}) {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } });
      const { error, result } = await json(ask(server, "/mcp", { token: await token(server), body }));
      if (error || result.isError) throw new Error(`${name}: ${JSON.stringify(error ?? result.content).slice(0, 200)}`);
      return result.structuredContent;
    },
  };

  function token(server) {
    if (performance.now() - held.at > TOKEN_MS) {
      const asked = grantOf(server, credentials).then(({ access_token }) => access_token);
      held = { at: performance.now(), asked };
      asked.catch(() => {
        held = { at: Number.NEGATIVE_INFINITY };
      });
    }
    return held.asked;
  }
}

/**
 * Uses servers in every way until `during()` has ended; each loop alternates between the servers. Returns how often each kind was done. @param
 * onFailure called with the kind and the error of every failure
 */
export async function useDuring({ kinds }, servers, during, onFailure) {
  const done = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, 0]));
  let isOver = false;
  const loops = Object.entries(kinds).flatMap(([kind, use]) =>
    Array.from({ length: LOOPS }, async (_, start) => {
      for (let n = start; !isOver; n += 1) {
        const [one, other] = [servers[n % servers.length], servers[(n + 1) % servers.length]];
        await use(one, other).then(
          (result) => {
            // A call that found nothing to do does not count.
            if (result !== false) done[kind] += 1;
          },
          (error) => onFailure(kind, error),
        );
        await delay(10);
      }
    }),
  );
  try {
    await during();
  } finally {
    isOver = true;
    await Promise.all(loops);
  }
  return done;
}

function grantOf(server, { client_id, client_secret }) {
  const fields = { grant_type: "client_credentials", client_id, client_secret };
  return json(ask(server, "/token", { body: String(new URLSearchParams(fields)), type: FORM }));
}

function refresh(server, { refresh_token }) {
  const fields = { grant_type: "refresh_token", refresh_token };
  return json(ask(server, "/token", { body: String(new URLSearchParams(fields)), type: FORM }));
}

/** @throws unless there is a page */
export async function page(server, path) {
  await done(ask(server, path, {}));
}

/**
 * Sends one request, to `server.port` on this machine, or with `server.fetch` to `server.origin`. If `server.onBusy` is given, a request that
 * admission control refuses is sent again after the stated time, as a client should, and `onBusy` is called.
 */
export async function ask(server, path, request) {
  for (;;) {
    const answer = await askOnce(server, path, request);
    if (!isBusy(answer) || server.onBusy === undefined) return answer;
    server.onBusy();
    await delay(BUSY_MS);
  }
}

/** Whether the request was refused for lack of capacity, and nothing was done. */
export function isBusy({ status, text }) {
  return status === 503 && /at its capacity|Too many people/.test(text);
}

async function askOnce(server, address, { token, body, type = "application/json", method, headers }) {
  const began = performance.now();
  const path = address.split("?")[0];
  try {
    const answer = await (server.fetch ?? fetch)(originOf(server) + address, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: {
        accept: body === undefined ? "text/html" : "application/json, text/event-stream",
        ...(body !== undefined && { "content-type": type }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      body,
    });
    return { path, began, status: answer.status, headers: answer.headers, text: await answer.text() };
  } catch (error) {
    throw new NotDone(`${path}: no answer: ${error.cause?.message ?? error.message}`, { began, cause: error });
  }
}

/** The origin of a server. */
export function originOf({ origin, port }) {
  return origin ?? `http://localhost:${port}`;
}

/** @throws unless the request was carried out */
async function done(asked) {
  const answer = await asked;
  const { path, status, text, began } = answer;
  if (status < 200 || status > 299) throw new NotDone(`${path}: ${status} ${text.slice(0, 200)}`, { status, began });
  return answer;
}

async function json(asked) {
  const { text } = await done(asked);
  return text === "" ? {} : JSON.parse(text);
}

function idIn(answer) {
  return /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(JSON.stringify(answer))[0];
}

function balanceIn(portfolios) {
  return Number(/"balance":"?(\d+)/.exec(JSON.stringify(portfolios))?.[1]);
}

function statement(balance) {
  const day = new Date(Date.UTC(2015, 0, 1 + balance)).toISOString().slice(0, 10);
  return `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><CreDtTm>${day}T20:00:00Z</CreDtTm></GrpHdr><Stmt><Id>${balance}</Id><Acct><Id><IBAN>CH9300762011623852957</IBAN></Id></Acct><Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="CHF">${balance}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal></Stmt></BkToCstmrStmt></Document>`;
}

function chunksOf(items, size) {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}
