import { goal, medianRatio } from "./measuring/figures.mjs";
import { exchange, requestBytes } from "./measuring/load.mjs";
import { startServer } from "./measuring/server-process.mjs";
import { measureSideBySide, tablesOf } from "./measuring/side-by-side.mjs";
import { installOnPostgres, refusesNothing } from "./product/installation.mjs";
import { clientCredentials, refreshing, tokenJobs } from "./product/token-requests.mjs";

const FLOOR = "oidc-provider: client_credentials";
const PEER_REFRESH = "oidc-provider on PostgreSQL: refresh";
const OURS = "ours: client_credentials";
const OURS_REFRESH = "ours: refresh";

/**
 * `POST /token`: ours as shipped, on PostgreSQL, where client_credentials stores a grant with its refresh token and a refresh is one transaction;
 * compared with oidc-provider, whose client_credentials stores nothing, and whose refresh is measured in memory and with an adapter on the same
 * PostgreSQL. All sign JWTs with ES256.
 *
 * Options: `rounds`, `turns` in a round, `seconds` of a turn.
 */
export async function run({ databaseUrl, rounds = 3, turns = 7, seconds = 0.7 }) {
  const product = await installOnPostgres(databaseUrl, undefined, refusesNothing);
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
      goal(`${OURS} of ${FLOOR}, c = 16`, against("perSecond", OURS, FLOOR), { atLeast: 0.6 }),
      goal(`${OURS}: CPU of ${FLOOR}, c = 16`, against("cpu", OURS, FLOOR), { atMost: 1.6 }),
      goal(`${OURS_REFRESH} of ${PEER_REFRESH}, c = 16`, against("perSecond", OURS_REFRESH, PEER_REFRESH), {
        atLeast: 2,
      }),
    ],
    raw,
  };
}

function targetsOn(product) {
  const ours = (jobOf) => async () => {
    const server = await product.start();
    return { server, client: { job: await jobOf(server) } };
  };
  const peer = (jobOf, env) => async () => {
    const server = await startServer({
      file: new URL("servers/oidc-provider.mjs", import.meta.url).pathname,
      logFile: product.logFile,
      request: requestBytes("GET", "/.well-known/openid-configuration", {}),
      env: { ...env, DATABASE_URL: product.databaseUrl },
    });
    return { server, client: { job: await jobOf(server) } };
  };
  const jobs = tokenJobs(product.credentials.demo);
  const peerRefresh = refreshing(PEER, peerRefreshToken);
  return {
    [FLOOR]: peer(clientCredentials(PEER)),
    "oidc-provider: refresh": peer(peerRefresh),
    [PEER_REFRESH]: peer(peerRefresh, { STORE: "postgres" }),
    [OURS]: ours(jobs.clientCredentials),
    [OURS_REFRESH]: ours(jobs.refresh),
  };
}

async function peerRefreshToken(server) {
  return JSON.parse((await exchange(server.port, requestBytes("GET", "/refresh-token", {}))).body).refresh_token;
}

const PEER = { client_id: "bench", client_secret: "bench-secret-of-256-bits-or-more-0123456789" };
