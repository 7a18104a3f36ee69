import { setTimeout as delay } from "node:timers/promises";
import { samples } from "@org/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { migrate } from "../migrate.js";
import { type OpenedStorage, openStorage } from "../open-storage.js";
import {
  createDatabaseRelay,
  createPostgresTestDatabase,
  type DatabaseRelay,
  testDatabaseUrl,
} from "../testing/index.js";
import { databaseUrlFault, hostsOf } from "./hosts.js";

describe("[scale.md §2] DATABASE_URL", () => {
  it.each([
    ["postgres://a:b@one/db", ["postgres://a:b@one/db"], false],
    ["postgres://a:b@one/db?sslmode=verify-full", ["postgres://a:b@one/db?sslmode=verify-full"], false],
    ["postgres://a:b%40@one:1,two:2/db", ["postgres://a:b%40@one:1/db", "postgres://a:b%40@two:2/db"], true],
    ["postgres://one,[::1]:2/", ["postgres://one/", "postgres://[::1]:2/"], true],
    ["postgres://one/db?target_session_attrs=primary", ["postgres://one/db"], true],
    [
      "postgres://one,two/db?ssl=true&target_session_attrs=read-write&options=-c%20x%3D1",
      ["postgres://one/db?ssl=true&options=-c%20x%3D1", "postgres://two/db?ssl=true&options=-c%20x%3D1"],
      true,
    ],
    ["postgres://one,two?target_session_attrs=read-write", ["postgres://one", "postgres://two"], true],
  ])("%s leads to %j", (url, urls, mustWrite) => {
    expect(databaseUrlFault(url)).toBeNull();
    expect(hostsOf(url)).toEqual({ urls, mustWrite });
  });

  it.each([
    ["mysql://one/db", "must be a postgres:// URL"],
    [
      "postgres://a:b/c@one,two/db",
      "is no URL: characters of the password that mean something in one are percent-encoded",
    ],
    [
      "postgres://one:1,two:x/db",
      "is no URL: characters of the password that mean something in one are percent-encoded",
    ],
    ["postgres://one,/db", "has a host without a name"],
    [
      "postgres://one,two/db?target_session_attrs=any",
      "has target_session_attrs=any, and must have read-write or primary: a server writes",
    ],
  ])("%s is refused: it %s", (url, fault) => expect(databaseUrlFault(url)).toBe(fault));
});

/** Two relays to one database. Sessions over one of them are read-only, which is how a standby looks to them. */
describe.skipIf(!testDatabaseUrl)("[scale.md §2] a database of two hosts", { timeout: 120_000 }, () => {
  let database: Awaited<ReturnType<typeof createPostgresTestDatabase>>;
  const hosts: DatabaseRelay[] = [];
  let url: string;
  let opened: OpenedStorage;
  let tenant: Awaited<ReturnType<typeof samples.newTenant>>;
  const news: string[] = [];
  beforeAll(async () => {
    database = await createPostgresTestDatabase();
    for (let host = 0; host < 2; host += 1) hosts.push(await createDatabaseRelay(database.url));
    hosts[0]?.setReadOnly(true);
    const [one, two] = hosts.map((host) => new URL(host.url));
    url = (one as URL).href.replace((one as URL).host, `${one?.host},${two?.host}`);
    const onAvailabilityChange = (said: object) => void news.push("away" in said ? "away" : "back");
    opened = await openStorage({ databaseUrl: url }, () => new Date(), { onAvailabilityChange });
  });
  afterAll(async () => {
    await opened?.close();
    for (const host of hosts) await host.close();
    await database?.close();
  });
  const write = () => tenant.connect();
  const read = () => opened.storage.reader.holdings(tenant.tenant_id, samples.holdingQuery());
  const untilWritten = async () => {
    for (const deadline = Date.now() + 60_000; ; await delay(50))
      try {
        return await write();
      } catch (error) {
        if (Date.now() > deadline) throw error;
      }
  };

  it("is used at the host that takes changes, though another comes first: by work, by migrations and for /readyz", async () => {
    await migrate(opened.pool);
    await opened.ping();
    expect((await opened.pool.query("show transaction_read_only")).rows).toEqual([{ transaction_read_only: "off" }]);
    tenant = await samples.newTenant(opened.storage);
    await Promise.all(Array.from({ length: 40 }, write));
    expect(news).toEqual([]);
  });

  it("is used at the other host once that one takes changes instead, and nobody notices", async () => {
    await hosts[1]?.down();
    hosts[0]?.setReadOnly(false);
    await hosts[1]?.up();
    hosts[1]?.setReadOnly(true);
    await Promise.all(Array.from({ length: 40 }, write));
    expect(opened.load().isUnavailable).toBe(false);
  });

  it("is found when the host that was used is there again at once, and takes no changes any more", async () => {
    hosts[1]?.setReadOnly(false);
    hosts[0]?.setReadOnly(true);
    await hosts[0]?.down();
    await hosts[0]?.up();
    await untilWritten();
    expect((await opened.pool.query("show transaction_read_only")).rows).toEqual([{ transaction_read_only: "off" }]);
  });

  it("is away while no host takes changes, says of each why, and is there again with the first that does", async () => {
    hosts[0]?.setReadOnly(true);
    await hosts[1]?.down();
    await expect(write()).rejects.toMatchObject({ name: "StorageError", code: "unavailable" });
    await expect(opened.ping()).rejects.toMatchObject({
      message: expect.stringMatching(
        /no host takes changes \(127.0.0.1:\d+: it takes no changes.*; 127.0.0.1:\d+: .*ECONNREFUSED/,
      ),
    });
    hosts[0]?.setReadOnly(false);
    await untilWritten();
    expect(await read()).toMatchObject({ kind: "page" });
    expect(opened.load().isUnavailable).toBe(false);
    expect(news.at(-1)).toBe("back");
  });

  it("whose password is wrong says so, and not that no host is there", async () => {
    const unknown = await openStorage({ databaseUrl: url.replace("postgres@", "nobody-knows@") }, () => new Date());
    await expect(unknown.pool.query("select 1")).rejects.toMatchObject({ code: "28000" });
    await unknown.close();
  });
});
