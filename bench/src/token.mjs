import { goal, medianRatio } from "./measuring/figures.mjs";
import { exchange, requestBytes } from "./measuring/load.mjs";
import { startServer } from "./measuring/server-process.mjs";
import { measureSideBySide, tablesOf } from "./measuring/side-by-side.mjs";
import { installOnPostgres } from "./product/installation.mjs";

const FLOOR = "oidc-provider: client_credentials";
const PEER_REFRESH = "oidc-provider on PostgreSQL: refresh";
const OURS = "ours: client_credentials";
const OURS_REFRESH = "ours: refresh";

/**
 * `POST /token`: ours as it is shipped, on PostgreSQL, where client_credentials keeps a durable grant with its refresh token
 * and a refresh is one transaction; against oidc-provider, whose client_credentials stores nothing, and whose refresh is
 * measured in memory and with an adapter on the same PostgreSQL. All sign JWTs under ES256.
 *
 * Options: `rounds`, `turns` in a round, `seconds` of a turn.
 */
export async function run({ databaseUrl, rounds = 3, turns = 7, seconds = 0.7 }) {
  const product = await installOnPostgres(databaseUrl);
  let raw;
  try {
    raw = await measureSideBySide(targetsOn(product), {
      rounds,
      turns,
      seconds,
      jobOf: (client, index) => client.job(index),
    });
  } finally {
    await product.remove();
  }
  const against = (field, target, other) => medianRatio(raw, field, target, other, { connections: 16 });
  return {
    title: "POST /token beside oidc-provider",
    notes:
      `Medians of ${rounds} rounds of ${turns} turns of ${seconds} s; a ratio is the median of the ratios within a turn. ` +
      "oidc-provider's client_credentials stores nothing; ours writes a grant and its refresh token each time.",
    tables: tablesOf(raw, FLOOR),
    goals: [
      goal(`${OURS} of ${FLOOR}, c = 16`, against("perSecond", OURS, FLOOR), { atLeast: 0.55 }),
      goal(`${OURS_REFRESH} of ${PEER_REFRESH}, c = 16`, against("perSecond", OURS_REFRESH, PEER_REFRESH), {
        atLeast: 2,
      }),
    ],
    raw,
  };
}

function targetsOn(product) {
  const { client_id, client_secret } = product.credentials.demo;
  const ours = (job) => async () => {
    const server = await product.start();
    return { server, client: { job: await job(server, { client_id, client_secret }) } };
  };
  const peer = (job, env) => async () => {
    const server = await startServer({
      file: new URL("servers/oidc-provider.mjs", import.meta.url).pathname,
      logFile: product.logFile,
      request: requestBytes("GET", "/.well-known/openid-configuration", {}),
      env: { ...env, DATABASE_URL: product.databaseUrl },
    });
    return { server, client: { job: await job(server, { client_id: "bench", client_secret: PEER_SECRET }) } };
  };
  return {
    [FLOOR]: peer(clientCredentials),
    "oidc-provider: refresh": peer(refreshing(peerRefreshToken)),
    [PEER_REFRESH]: peer(refreshing(peerRefreshToken), { STORE: "postgres" }),
    [OURS]: ours(clientCredentials),
    [OURS_REFRESH]: ours(refreshing(ourRefreshToken)),
  };
}

async function clientCredentials(_server, credentials) {
  const bytes = form({ grant_type: "client_credentials", ...credentials });
  return () => ({ next: () => bytes, check: tokensOf });
}

/** Each connection has a grant of its own and always sends the token that the answer before brought. */
function refreshing(firstToken) {
  return async (server, credentials) => {
    const waiting = await Promise.all(Array.from({ length: MOST_CONNECTIONS }, () => firstToken(server, credentials)));
    return (index = 0) => ({
      readsEvery: true,
      next: () => form({ grant_type: "refresh_token", refresh_token: waiting[index], ...credentials }),
      check(answer) {
        waiting[index] = tokensOf(answer).refresh_token;
      },
    });
  };
}

async function ourRefreshToken(server, credentials) {
  return tokensOf(await exchange(server.port, form({ grant_type: "client_credentials", ...credentials })))
    .refresh_token;
}

async function peerRefreshToken(server) {
  return JSON.parse((await exchange(server.port, requestBytes("GET", "/refresh-token", {}))).body).refresh_token;
}

function form(fields) {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  return requestBytes("POST", "/token", headers, new URLSearchParams(fields).toString());
}

function tokensOf({ status, body }) {
  const tokens = status === 200 ? JSON.parse(body) : {};
  if (tokens.access_token?.split(".").length !== 3) throw new Error(`no tokens: ${status} ${body}`);
  return tokens;
}

const PEER_SECRET = "bench-secret-of-256-bits-or-more-0123456789";
const MOST_CONNECTIONS = 64;
