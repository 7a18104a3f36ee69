import { randomBytes } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { migrate, openStorage } from "@org/storage-postgres";
import pg from "pg";
import { exchange, requestBytes } from "../measuring/load.mjs";
import { startServer } from "../measuring/server-process.mjs";
import { withClient } from "./letters.mjs";
import { callRest } from "./rest-requests.mjs";
import { tokenRequest } from "./token-requests.mjs";

const root = fileURLToPath(new URL("../../../", import.meta.url));
/** The same at every start, so that access tokens stay valid after a restart. */
const PUBLIC_URL = "http://localhost";

/**
 * Copies apps/server/dist, so that a build in the meantime does not change what is measured. @param checkout the checkout to copy from; this one by
 * default
 */
export function copyServer(checkout = root) {
  const serverFolder = join(checkout, "apps/server");
  const folder = scratchFolder();
  cpSync(join(serverFolder, "dist"), join(folder, "dist"), { recursive: true });
  cpSync(join(serverFolder, "package.json"), join(folder, "package.json"));
  symlinkSync(join(serverFolder, "node_modules"), join(folder, "node_modules"));
  return { folder, file: join(folder, "dist/main.js"), logFile: join(folder, "log") };
}

/**
 * For benchmarks that deliberately ask for more than the server can do: they measure how fast it answers everything, not what it refuses (`overload`
 * does that).
 */
export const refusesNothing = { SHED_DELAY_MS: "0" };

/** A file for the servers' output. */
export function scratchLog() {
  return join(scratchFolder(), "log");
}

/** The environment of a server with the embedded database in `dataDir`. */
export function embeddedEnvironment(dataDir) {
  return { DATA_DIR: dataDir, PUBLIC_URL };
}

/** The request that shows that a server is ready. */
export const readyRequest = requestBytes("GET", "/readyz", {});

/**
 * The product as shipped, on its own migrated database with a demo tenant: returns functions to start servers on it, and `remove`, which drops the
 * database.
 * @param databaseUrl a superuser's URL of any database of the PostgreSQL server
 * @param fill adds data while a server runs
 * @param environment the environment of all its servers
 */
export async function installOnPostgres(databaseUrl, fill = async () => {}, environment = {}) {
  const name = `bench_${randomBytes(6).toString("hex")}`;
  await runStatement(databaseUrl, `create database ${name}`);
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;

  const copy = copyServer();
  const env = {
    DATABASE_URL: url.href,
    DATA_DIR: join(copy.folder, "data"),
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
    PUBLIC_URL,
    ...environment,
  };
  const start = (options = {}) =>
    startServer({
      file: copy.file,
      logFile: copy.logFile,
      request: readyRequest,
      ...options,
      env: { ...env, ...options.env },
    });

  const opened = await openStorage({ databaseUrl: url.href }, () => new Date());
  await migrate(opened.pool);
  const first = await start({ env: { SEED_DEMO: "true" } });
  const credentials = readCredentials(env.DATA_DIR);
  try {
    await fill({
      storage: opened.storage,
      databaseUrl: url.href,
      server: first,
      credentials,
      encryptionKeys: env.ENCRYPTION_KEYS,
    });
  } finally {
    await first.stop();
  }
  await opened.close();
  await withClient(url.href, async (client) => {
    // As in `seedLetters`: it may take longer than a request is allowed to.
    await client.query("set statement_timeout = 0");
    await client.query("vacuum analyze");
  });

  return {
    databaseUrl: url.href,
    credentials,
    logFile: copy.logFile,
    start,
    remove: () => runStatement(databaseUrl, `drop database ${name} with (force)`),
  };
}

export function readCredentials(dataDir) {
  return JSON.parse(readFileSync(join(dataDir, "credentials.json"), "utf8"));
}

/** An access token for `/mcp` and the REST API. */
export async function accessToken({ port }, credentials) {
  const { status, body } = await exchange(port, tokenRequest(credentials, { grant_type: "client_credentials" }));
  if (status !== 200) throw new Error(`no access token: ${status} ${body}`);
  return JSON.parse(body).access_token;
}

/** Creates a tenant with one application, as an operator does; returns its id and the application's credentials. */
export async function addTenant(server, operator, name) {
  const token = await accessToken(server, operator);
  const call = (path, body) => callRest(server, token, path, body);
  const { tenant_id } = (await call("/operator/v1/tenants/create", { name })).tenant;
  const { application, client_secret } = await call("/operator/v1/applications/create", { tenant_id, name });
  return { tenant: tenant_id, client_id: application.client_id, client_secret };
}

function scratchFolder() {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function runStatement(databaseUrl, text) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
