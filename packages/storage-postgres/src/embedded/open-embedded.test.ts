import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { embeddedTemplateFile } from "../testing/index.js";
import { lockDirectory } from "./directory-lock.js";
import { openEmbedded } from "./open-embedded.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "embedded-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("the lock of a data folder", () => {
  const file = () => join(folder, "pg.lock");

  it("is refused while its process lives, naming it", () => {
    const release = lockDirectory(file());
    expect(() => lockDirectory(file())).toThrowError(new RegExp(`in use by process ${process.pid}`));
    release();
    lockDirectory(file())();
  });

  it("is taken over from a process that is gone, or whose number is used again", async () => {
    const child = spawn(process.execPath, ["-e", ""]);
    await once(child, "exit");
    writeFileSync(file(), `${child.pid} 1`);
    lockDirectory(file())();
    writeFileSync(file(), `${process.pid} 1`);
    lockDirectory(file())();
  });

  it("survives a damaged lock file", () => {
    writeFileSync(file(), "garbage");
    lockDirectory(file())();
  });
});

describe("the embedded database", () => {
  it("keeps what was committed over a restart, and one statement at a time on one connection", async () => {
    const first = await openEmbedded({ dataDir: folder });
    await first.pool.query("create table kept (n int)");
    await Promise.all(Array.from({ length: 5 }, (_, n) => first.pool.query("insert into kept values ($1)", [n])));
    await expect(openEmbedded({ dataDir: folder })).rejects.toMatchObject({ code: "in_use" });
    await first.close();
    const second = await openEmbedded({ dataDir: folder });
    expect((await second.pool.query("select sum(n)::int as sum from kept")).rows).toEqual([{ sum: 10 }]);
    expect((await second.pool.query("show fsync")).rows).toEqual([{ fsync: "on" }]);
    await second.close();
  });

  it("lets others have their turns of the event loop between the statements of one transaction", async () => {
    const { pool, close } = await openEmbedded({ dataDir: folder });
    const client = await pool.connect();
    let hasTurned = false;
    setImmediate(() => {
      hasTurned = true;
    });
    await client.query("begin");
    for (let statements = 0; !hasTurned && statements < 5_000; statements += 1) await client.query("select 1");
    expect(hasTurned).toBe(true);
    client.release();
    await close();
  });

  it("starts over where an earlier process was ended before the folder was complete, with what is in the template", async () => {
    mkdirSync(join(folder, "pg"));
    writeFileSync(join(folder, "pg", "PG_VERSION"), "18");
    writeFileSync(join(folder, "pg.unfinished"), "");
    const templateFile = await embeddedTemplateFile();
    const database = await openEmbedded({ dataDir: folder, templateFile });
    expect((await database.pool.query("select count(*)::int as tenants from tenants")).rows).toEqual([{ tenants: 0 }]);
    await database.close();
    expect(existsSync(join(folder, "pg.unfinished"))).toBe(false);
  });

  it("in memory begins with what is in the template, apart from others that were made of it", async () => {
    const templateFile = await embeddedTemplateFile();
    const [one, other] = [await openEmbedded({ templateFile }), await openEmbedded({ templateFile })];
    await one.pool.query("drop table tenants cascade");
    expect((await other.pool.query("select count(*)::int as tenants from tenants")).rows).toEqual([{ tenants: 0 }]);
    await one.close();
    await other.close();
  });
});
