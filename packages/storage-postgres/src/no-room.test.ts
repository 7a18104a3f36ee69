import { samples } from "@org/core/testing";
import { describe, expect, it } from "vitest";
import { createPostgresStorage } from "./postgres-storage.js";
import { explainDriverError } from "./storage-error.js";
import { testBackends } from "./testing/index.js";
import { createTransactions } from "./transactions.js";

describe("a disk that is full", () => {
  it.each([
    { code: "53100", message: 'could not extend file "base/1/2": No space left on device' },
    { code: "ENOSPC", message: "ENOSPC: no space left on device, write" },
    { code: "EDQUOT", message: "disk quota exceeded" },
    { code: "58030", message: 'could not write to file "pg_wal/xlogtemp.1": No space left on device' },
  ])("$code is 'unavailable', and says what callers may be told", ({ code, message }) => {
    const error = explainDriverError(Object.assign(new Error(message), { code }));
    expect(error).toMatchObject({
      name: "StorageError",
      code: "unavailable",
      retryAfterSeconds: 60,
      shown: "there is no room for changes at the moment; reading works",
    });
  });

  it.each(testBackends)("undoes the whole transaction and leaves the rest as it was, on $name", async ({ create }) => {
    const { pool, close } = await create();
    const storage = createPostgresStorage(createTransactions(pool));
    const tenant = await samples.newTenant(storage);
    await pool.query(`
      create function no_room() returns trigger language plpgsql as
        $$ begin raise 'could not extend file: No space left on device' using errcode = '53100'; end $$;
      create trigger no_room before insert on sessions for each row execute function no_room()`);
    const [connection, session] = [samples.connection(), samples.session()];
    const work = () =>
      tenant.run(async ({ connections, sessions }) => {
        await connections.create(connection);
        await sessions.create(session);
      });
    const { connection_id } = connection;
    const find = () => tenant.run(({ connections }) => connections.find(connection_id));
    await expect(work()).rejects.toMatchObject({ code: "unavailable" });
    expect(await find()).toBeNull();
    await pool.query("drop trigger no_room on sessions");
    await work();
    expect(await find()).toMatchObject({ connection_id });
    await close();
  });
});
