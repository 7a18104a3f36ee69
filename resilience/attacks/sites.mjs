import { randomBytes } from "node:crypto";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startServer } from "@org/bench/measuring/server-process.mjs";
import { publishHoldings } from "@org/bench/product/holdings.mjs";
import {
  embeddedEnvironment,
  installOnPostgres,
  readCredentials,
  readyRequest,
} from "@org/bench/product/installation.mjs";
import { openStorage } from "@org/storage-postgres";
import { startProxy } from "../../scripts/proxies.mjs";
import { fetchOverTls } from "../faults/fetch-over-tls.mjs";

/**
 * Installs the product and starts it: on `postgres`, `embedded`, or `proxied`: two replicas on PostgreSQL behind haproxy with deploy/haproxy.cfg.
 * Returns its `servers`, where clients reach it (`port`, `origin` and, over TLS, `ca`), `credentials`,
 * `databaseUrl` except when embedded, `addHoldings(tenantIds, count)` and `stop()`.
 */
export async function openSite(kind, { databaseUrl, copy, env }) {
  if (kind === "embedded") return openEmbedded(copy, env);
  const isProxied = kind === "proxied";
  const port = isProxied ? await freePort() : undefined;
  const origin = isProxied ? `https://localhost:${port}` : "http://localhost";
  const product = await installOnPostgres(databaseUrl, undefined, {
    PUBLIC_URL: origin,
    ...(isProxied && { TRUST_PROXY: "1" }),
  });
  const start = () => product.start({ file: copy.file, logFile: copy.logFile, request: readyRequest, env });
  const servers = isProxied ? [await start(), await start()] : [await start()];
  const ports = servers.map((server) => server.port);
  const proxy = isProxied ? startProxy("haproxy", port, ports) : null;
  if (proxy) await untilServed(origin, proxy.ca);
  return {
    servers,
    origin,
    port: port ?? servers[0].port,
    ...(proxy && { ca: proxy.ca }),
    credentials: product.credentials,
    databaseUrl: product.databaseUrl,
    addHoldings: (tenantIds, count) => addHoldings({ databaseUrl: product.databaseUrl }, tenantIds, count),
    async stop() {
      await proxy?.stop();
      for (const server of servers) await server.stop();
      await product.remove();
    },
  };
}

async function openEmbedded(copy, env) {
  const dataDir = join(copy.folder, `data-${randomBytes(4).toString("hex")}`);
  const start = () =>
    startServer({
      file: copy.file,
      logFile: copy.logFile,
      request: readyRequest,
      env: { ...embeddedEnvironment(dataDir), ...env },
    });
  const site = { servers: [await start()], origin: "http://localhost", credentials: readCredentials(dataDir) };
  return {
    ...site,
    get port() {
      return site.servers[0].port;
    },
    /** Restarts the server, since the embedded database belongs to one process. */
    async addHoldings(tenantIds, count) {
      await site.servers[0].stop();
      await addHoldings({ dataDir }, tenantIds, count);
      site.servers[0] = await start();
    },
    stop: () => site.servers[0].stop(),
  };
}

/** Gives each tenant a connection with this many holdings, as a fetch does. */
export async function addHoldings(location, tenantIds, count) {
  const opened = await openStorage(location, () => new Date());
  try {
    for (const tenantId of tenantIds) await publishHoldings(opened.storage, tenantId, count);
  } finally {
    await opened.close();
  }
}

async function untilServed(origin, ca) {
  const client = fetchOverTls(origin, ca, 1);
  const isServed = () =>
    client.fetch(`${origin}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isServed())) await delay(100);
  client.close();
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
