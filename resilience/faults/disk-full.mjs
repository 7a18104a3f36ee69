// `node resilience/faults/disk-full.mjs [--server MAIN.JS]`: fills the disk under the embedded database, under PostgreSQL's tables, under DATA_DIR of
// a server on PostgreSQL (where letters are stored while they are uploaded) and under the drop folder, each a small tmpfs of its own (needs root on
// Linux). Checks that the server refuses with 503, stays readable, and works again when there is room. Exits with 1 if it does not.
import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { migrate, openStorage } from "@org/storage-postgres";
import pg from "pg";
import { startPostgres } from "../../scripts/postgres.mjs";

const { values } = parseArgs({ options: { server: { type: "string" } } });
const main = values.server ?? fileURLToPath(new URL("../../apps/server/dist/main.js", import.meta.url));
const faults = [];
const check = (what, holds, seen) => {
  console.log(`${holds ? "ok  " : "FAIL"}  ${what}${seen === undefined ? "" : `: ${seen}`}`);
  if (!holds) faults.push(what);
};

await onEmbedded();
await onPostgres();
await onDataDir();
await onDropFolder();
process.exit(faults.length > 0 ? 1 : 0);

async function onEmbedded() {
  console.log("\nthe embedded database's disk");
  const disk = mount(200);
  const server = await start({ DATA_DIR: disk.path });
  try {
    await fillAndMend(server, disk, credentialsIn(disk.path), () => start({ DATA_DIR: disk.path }, server));
  } finally {
    await server.current.stop();
    disk.remove();
  }
}

async function onPostgres() {
  console.log("\nthe disk of PostgreSQL's tables");
  const disk = mount(120);
  const postgres = await startPostgres();
  const data = mkdtempSync(join(tmpdir(), "disk-full-"));
  let server;
  try {
    chmodSync(disk.path, 0o700);
    const [uid, gid] = ["-u", "-g"].map((flag) => Number(system("id", flag, "postgres").stdout));
    chownSync(disk.path, uid, gid);
    const admin = new pg.Client({ connectionString: postgres.url });
    await admin.connect();
    await admin.query(`create tablespace small location '${disk.path}'`);
    await admin.query("create database small tablespace small");
    await admin.end();
    const url = new URL(postgres.url);
    url.pathname = "/small";
    const opened = await openStorage({ databaseUrl: url.href }, () => new Date());
    await migrate(opened.pool);
    await opened.close();
    const keys = `k1:${randomBytes(32).toString("base64")}`;
    const environment = { DATA_DIR: data, DATABASE_URL: url.href, SEED_DEMO: "true", ENCRYPTION_KEYS: keys };
    server = await start(environment);
    await fillAndMend(server, disk, credentialsIn(data), () => start(environment, server));
  } finally {
    await server?.current.stop();
    await postgres.stop();
    rmSync(data, { recursive: true });
    disk.remove();
  }
}

async function onDataDir() {
  console.log("\nthe disk of DATA_DIR, beside PostgreSQL");
  const disk = mount(8);
  const postgres = await startPostgres();
  let server;
  try {
    const opened = await openStorage({ databaseUrl: postgres.url }, () => new Date());
    await migrate(opened.pool);
    await opened.close();
    const keys = `k1:${randomBytes(32).toString("base64")}`;
    const environment = { DATA_DIR: disk.path, DATABASE_URL: postgres.url, SEED_DEMO: "true", ENCRYPTION_KEYS: keys };
    server = await start(environment);
    await fillAndMend(server, disk, credentialsIn(disk.path), () => start(environment, server));
  } finally {
    await server?.current.stop();
    await postgres.stop();
    disk.remove();
  }
}

/** Sends letters until the disk is full and beyond, then makes room. */
async function fillAndMend(server, disk, credentials, restart) {
  const token = await tokenOf(server, credentials.demo);
  const call = (path, body) => post(server, path, body, token);
  const letter = () =>
    call("/letters/v1/create-signed", { connector_id: "esp:custodia-montelirio", data: pdf(700_000) });
  let taken = (await count(call)).total;
  for (let n = 0; n < 3; n += 1) if ((await letter()).status < 300) taken += 1;
  disk.fill();
  const seen = new Map();
  let refused = 0;
  for (let n = 0; n < 80 && refused < 12; n += 1) {
    const { status, text, retryAfter } = await letter();
    if (status < 300) taken += 1;
    else refused += 1;
    const said = `${status}${retryAfter === null ? "" : ` Retry-After ${retryAfter}`} ${status < 300 ? "" : text.slice(0, 160)}`;
    seen.set(said.replaceAll(/"trace_id":"\w+"/g, ""), (seen.get(said) ?? 0) + 1);
    if (status !== 200 && status !== 201 && status !== 503)
      check("letters on a full disk are refused with 503", false, said);
  }
  for (const [said, times] of seen) console.log(`      ${times} × ${said}`);
  check("letters are refused while the disk is full", refused >= 12, refused);
  const read = await count(call);
  check(
    "what is there can be read",
    read.status === 200 && read.total === taken,
    `${read.status}, ${read.total} of ${taken}`,
  );
  const ready = await fetch(`${server.current.url}/readyz`).then(({ status }) => status);
  check("/readyz", ready === 200, ready);
  disk.empty();
  let mended = { status: 0, text: "" };
  for (let n = 0; n < 60 && (mended.status >= 300) | (mended.status === 0); n += 1) {
    mended = await letter();
    if (mended.status < 300) taken += 1;
    else await delay(500);
  }
  check(
    "letters are taken again once there is room, without a restart",
    mended.status < 300,
    `${mended.status} ${mended.text.slice(0, 120)}`,
  );
  await server.current.stop();
  await restart();
  const again = await count((path, body) => post(server, path, body, token));
  check(
    "after a restart every letter that was acknowledged is there",
    again.total === taken,
    `${again.total} of ${taken}`,
  );
  const errors = server.log().filter(({ level }) => level === "error" || level === "fatal");
  console.log(
    `      ${errors.length} errors in the log${errors.length ? `, such as ${errors[0].msg}: ${errors[0].err?.message}` : ""}`,
  );
}

async function onDropFolder() {
  console.log("\nthe drop folder's disk");
  const disk = mount(8);
  const data = mkdtempSync(join(tmpdir(), "disk-full-"));
  const server = await start({ DATA_DIR: data, DROP_DIR: disk.path });
  try {
    const folder = join(disk.path, "00000000-0000-4000-8000-000000000001");
    mkdirSync(folder);
    const leave = (name) => {
      writeFileSync(join(folder, name), "no file of a custodian\n");
      utimesSync(join(folder, name), new Date(), new Date(Date.now() - 60_000));
    };
    leave("a.txt");
    disk.fill();
    await until(() => !existsSync(join(folder, "a.txt")), "the file is held");
    check(
      "a file that cannot be taken is held, and leaves the full folder",
      server.log().some(({ msg }) => /is held/.test(msg)),
    );
    check("/readyz", (await fetch(`${server.current.url}/readyz`)).status === 200);
    disk.empty();
  } finally {
    await server.current.stop();
    rmSync(data, { recursive: true });
    disk.remove();
  }
}

function system(program, ...given) {
  return spawnSync(program, given, { encoding: "utf8" });
}

function mount(megabytes) {
  const path = mkdtempSync(join(tmpdir(), "disk-"));
  const done = system("mount", "-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", path);
  if (done.status !== 0) throw new Error(`no tmpfs can be mounted here: ${done.stderr}`);
  const filler = join(path, "filler");
  return {
    path,
    fill() {
      const { bavail, bsize } = statfsSync(path);
      system("fallocate", "-l", String(bavail * bsize), filler);
      console.log(`      ${statfsSync(path).bavail} blocks are left`);
    },
    empty: () => rmSync(filler),
    remove() {
      system("umount", "-l", path);
      rmSync(path, { recursive: true, force: true });
    },
  };
}

async function start(environment, server = { output: "" }) {
  const port = server.port ?? (await freePort());
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env.PATH, PORT: String(port), SANDBOX: "true", TRUST_PROXY: "0", ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (part) => {
    text += part;
    server.output += part;
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  await until(() => text.includes('"msg":"ready"'), "the server is ready");
  return Object.assign(server, {
    port,
    current: {
      url: `http://localhost:${port}`,
      stop() {
        child.kill("SIGTERM");
        return ended;
      },
    },
    log: () =>
      server.output
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
  });
}

function credentialsIn(folder) {
  return JSON.parse(readFileSync(join(folder, "credentials.json"), "utf8"));
}

async function tokenOf(server, { client_id, client_secret }) {
  const body = new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret });
  return (await (await fetch(`${server.current.url}/token`, { method: "POST", body })).json()).access_token;
}

async function post(server, path, body, token) {
  const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
  const answer = await fetch(server.current.url + path, { method: "POST", headers, body: JSON.stringify(body) });
  return { status: answer.status, text: await answer.text(), retryAfter: answer.headers.get("retry-after") };
}

async function count(call) {
  const { status, text } = await call("/letters/v1/search-letters", { query: {} });
  return { status, total: status === 200 ? JSON.parse(text).total : null };
}

/** Incompressible data that pass as a PDF. */
function pdf(bytes) {
  const filling = randomBytes(bytes / 2).toString("hex");
  return Buffer.from(
    `%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Count 1/Kids[3 0 R]>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\n%${filling}\ntrailer<</Size 4/Root 1 0 R>>\nstartxref\n0\n%%EOF\n`,
  ).toString("base64");
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

async function until(isSo, what) {
  for (const end = Date.now() + 120_000; !(await isSo()); await delay(200))
    if (Date.now() > end) throw new Error(`this did not happen: ${what}`);
}
