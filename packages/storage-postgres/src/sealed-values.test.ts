import { samples } from "@org/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPostgresStorage } from "./postgres-storage.js";
import { type SealedPlace, type SealedValue, sealedColumns, sealedValues } from "./sealed-values.js";
import { type TestDatabase, testBackends } from "./testing/index.js";
import { createTransactions } from "./transactions.js";

/** A stand-in for a sealed value: a header that names the key, and the value's purpose and row in place of the ciphertext. */
const seal = (kid: string, purpose: string, row: string) =>
  `${Buffer.from(JSON.stringify({ alg: "A256KW", kid, purpose, row })).toString("base64url")}.${purpose}.${row}`;
const reseal = (sealed: string) =>
  seal("newer", sealed.split(".").slice(1, -1).join("."), String(sealed.split(".").at(-1)));

describe.each(testBackends)("sealed values on $name", ({ create }) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await create();
    await fill(database);
  });
  afterAll(() => database?.close());
  const values = () => sealedValues(createTransactions(database.pool));
  const places = sealedColumns.map(({ table, column }) => `${table}.${column}`);

  it("are all those of the schema: every column whose name begins with sealed", async () => {
    const { rows } = await database.pool.query<{ place: string }>(
      "select table_name || '.' || column_name as place from information_schema.columns where table_schema = 'public' and column_name ~ '^sealed' and data_type = 'text'",
    );
    expect(rows.map(({ place }) => place).sort()).toEqual([...places].sort());
  });

  it("are found by the keys of their tables", async () => {
    for (const { table, ofTenants, key } of sealedColumns) {
      const { rows } = await database.pool.query<{ name: string }>(
        "select a.attname as name from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey) where i.indrelid = $1::regclass and i.indisprimary",
        [table],
      );
      const expected = [...(ofTenants ? ["tenant_id"] : []), ...Object.keys(key)];
      expect([table, rows.map(({ name }) => name).sort()]).toEqual([table, expected.sort()]);
    }
  });

  it("are counted by key and column, over all tenants", async () => {
    const counts = await values().counts();
    expect(counts.map(({ place }) => place).sort()).toEqual([...places].sort());
    for (const { place, key_id, values: count } of counts)
      expect([place, key_id, count]).toEqual([place, "older", place.startsWith("signing_keys") ? 1 : 3]);
  });

  it.each([1, 2, 100])("are each read once, whatever the size of a page (%i)", async (limit) => {
    const read = await readAll(limit);
    expect(read).toHaveLength(places.length * 3 - 2);
    expect(new Set(read.map(({ sealed }) => sealed)).size).toBe(read.length);
  });

  it("are replaced only while they are what was read", async () => {
    const [stale, ...others] = (await readAll(1)).filter(
      ({ place }) => sealedColumns[place.column]?.column === "sealed",
    );
    if (!stale) throw new Error("nothing was read");
    await database.pool.query("update server_keys set sealed = 'meanwhile' where name = $1", [stale.place.key[0]]);
    const changes = [stale, ...others].map((value) => ({ value, sealed: reseal(value.sealed) }));
    expect(await values().replace(changes)).toBe(others.length);
    const { rows } = await database.pool.query("select sealed from server_keys where name = $1", [stale.place.key[0]]);
    expect(rows).toEqual([{ sealed: "meanwhile" }]);
    await database.pool.query("update server_keys set sealed = $1 where name = $2", [stale.sealed, stale.place.key[0]]);
  });

  it("are all under the new key once each was sealed again, each in its own row", async () => {
    for (const value of await readAll(2)) await values().replace([{ value, sealed: reseal(value.sealed) }]);
    expect(new Set((await values().counts()).map(({ key_id }) => key_id))).toEqual(new Set(["newer"]));
    const { rows } = await database.pool.query("select remembered_id, cookie_hash from remembered_credentials");
    const cookies = new Map(rows.map(({ remembered_id, cookie_hash }) => [remembered_id, cookie_hash]));
    for (const { place, sealed } of await readAll(3)) {
      // Remembered credentials are sealed for their cookie too; resealing leaves the purpose unchanged.
      const row = [...place.key, ...[cookies.get(place.key[0])].filter((cookie) => cookie !== undefined)].join(" ");
      expect(sealed).toBe(seal("newer", places[place.column] ?? "", row));
    }
  });

  it("that are damaged are counted as such", async () => {
    await database.pool.query("update server_keys set sealed = 'eyJub25zZW5zZQ.x' where name = 'b'");
    expect(await values().counts()).toContainEqual({ place: "server_keys.sealed", key_id: null, values: 1 });
  });

  async function readAll(limit: number): Promise<SealedValue[]> {
    const read: SealedValue[] = [];
    let place: SealedPlace | null = null;
    do {
      const page: Awaited<ReturnType<ReturnType<typeof values>["page"]>> = await values().page(place, limit);
      read.push(...page.values);
      place = page.next;
    } while (place !== null);
    return read;
  }
});

/** Three values in every column, over two tenants, with a tenant without values in between; one signing key. */
async function fill({ pool }: TestDatabase): Promise<void> {
  const old = (place: string, ...key: string[]) => seal("older", place, key.join(" "));
  const { now } = samples;
  const storage = createPostgresStorage(createTransactions(pool));
  const [one, , two] = [
    await samples.newTenant(storage),
    await samples.newTenant(storage),
    await samples.newTenant(storage),
  ];
  for (const tenant of [one, two, two]) {
    const [connection_id, session_id, letter_id] = [samples.newId(), samples.newId(), samples.newId()];
    const sealed_access = old("connections.sealed_access", connection_id);
    await tenant?.connect({ connection_id, sealed_access });
    const sealed_link = old("sessions.sealed_link", session_id);
    const session = samples.session({
      session_id,
      sealed_link,
      sealed_state: old("sessions.sealed_state", session_id),
      sealed_challenge: old("sessions.sealed_challenge", session_id),
      sealed_accesses: old("sessions.sealed_accesses", session_id),
    });
    const letter = samples.letter({ letter_id });
    const sealed_key = old("letter_documents.sealed_key", letter_id, "letter");
    const document = {
      kind: "letter",
      sha256: "a",
      size: 1,
      signature: "none",
      sealed_key,
      ciphertext: new Uint8Array([1]),
      object_key: null,
    } as const;
    const pending = { sealed_state: old("connection_refreshes.sealed_pending", connection_id), since: now };
    await tenant?.run(async ({ refreshes, sessions, letters, letterDocuments }) => {
      await refreshes.plan(connection_id, samples.plan(now, { pending }));
      await sessions.create(session);
      await letters.create(letter, [document], samples.move(letter));
      await letterDocuments.storeDetails(letter_id, old("letter_details.sealed_details", letter_id));
    });
    const endpoint_id = samples.newId();
    await pool.query(
      `insert into webhook_endpoints (tenant_id, endpoint_id, url, types, labels, is_enabled, created_at, changed_at, sealed_secret,
        sealed_previous_secret, sealed_earlier_secret) values ($1, $2, '', '{}', '{}', true, $3, $3, $4, $5, $6)`,
      [
        ...[tenant?.tenant_id, endpoint_id, now, old("webhook_endpoints.sealed_secret", endpoint_id)],
        old("webhook_endpoints.sealed_previous_secret", endpoint_id),
        old("webhook_endpoints.sealed_earlier_secret", endpoint_id),
      ],
    );
  }
  for (const name of ["a", "b", "c"]) {
    const sealed = old("installation_provider_settings.sealed_settings", name);
    await pool.query("insert into installation_provider_settings values ($1, $2, now())", [name, sealed]);
    const row = [
      name === "a" ? one?.tenant_id : two?.tenant_id,
      name,
      old("tenant_provider_settings.sealed_settings", name),
    ];
    await pool.query("insert into tenant_provider_settings values ($1, $2, $3, now())", row);
  }
  for (const name of ["a", "b", "c"]) {
    const settings = old("feed_sources.sealed_settings", name);
    await pool.query("insert into feed_sources values ($1, 'sftp', $2, true, $3, $3)", [name, settings, now]);
    const id = samples.newId();
    await pool.query("insert into feed_source_files values ($1, $2, 'f', 1, 'h', $3, 'held', $3, $3, $3)", [
      id,
      name,
      now,
    ]);
    const sealed = [old("feed_held.sealed_key", id), old("feed_held.sealed_findings", id)];
    await pool.query("insert into feed_held values ($1, $2, '', 0, $3, $4)", [id, ...sealed, now]);
  }
  for (const name of ["a", "b", "c"])
    await pool.query("insert into feed_keys values ('own', '', $1, '{}', '{}', '', $2, null, null, '', $3, $2)", [
      name,
      now,
      old("feed_keys.sealed_private_key", "own", "", name),
    ]);
  for (const name of ["a", "b", "c"])
    await pool.query("insert into server_keys values ($1, $2)", [name, old("server_keys.sealed", name)]);
  await pool.query("insert into signing_keys values ('k', 'ES256', '{}', $1, $2)", [
    old("signing_keys.sealed_private_key", "k"),
    now,
  ]);
  const [application_id, secret_id] = [samples.newId(), samples.newId()];
  await pool.query("insert into applications values ($1, null, 'wca_x', 'x', '{}', true, '{}', $2)", [
    application_id,
    now,
  ]);
  await pool.query("insert into application_secrets values ($1, $2, 'h', $3)", [application_id, secret_id, now]);
  for (const cookie of ["a", "b", "c"]) {
    const id = samples.newId();
    const sealed = old("remembered_credentials.sealed_credentials", id, cookie);
    const row = [id, cookie, application_id, secret_id, sealed, now];
    await pool.query("insert into remembered_credentials values ($1, $2, $3, $4, $5, $6, $6)", row);
  }
}
