import { samples } from "@org/core/testing";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createPostgresStorage } from "./postgres-storage.js";
import { createPostgresTestDatabase, type TestDatabase, testDatabaseUrl } from "./testing/index.js";
import { createTransactions } from "./transactions.js";

const MEGABYTE = 1_000_000;

describe.skipIf(!testDatabaseUrl)("a large document on PostgreSQL", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createPostgresTestDatabase();
  });
  afterAll(() => database?.close());

  it("[C-9.603] is read in rows of less than a megabyte", async () => {
    const tenant = await samples.newTenant(createPostgresStorage(createTransactions(database.pool)));
    const record = samples.letter();
    const ciphertext = Buffer.alloc(3 * MEGABYTE, "sealed");
    const facts = { kind: "letter", sha256: "ab", size: 1, signature: "none" } as const;
    const document = { ...facts, sealed_key: "k", ciphertext, object_key: null };
    await tenant.run(({ letters }) => letters.create(record, [document], samples.move(record)));
    const sizes: number[] = [];
    const query = pg.Query.prototype as unknown as { handleDataRow(message: { length: number }): void };
    const handle = query.handleDataRow;
    vi.spyOn(query, "handleDataRow").mockImplementation(function (this: typeof query, message) {
      sizes.push(message.length);
      handle.call(this, message);
    });
    const read = await tenant.run(({ letterDocuments }) => letterDocuments.document(record.letter_id, "letter"));
    vi.restoreAllMocks();
    expect(ciphertext.equals(read?.ciphertext ?? Buffer.alloc(0))).toBe(true);
    expect(Math.max(...sizes)).toBeLessThan(MEGABYTE);
    // What PostgreSQL writes as hex has two characters for each byte.
    expect(sizes.reduce((one, other) => one + other)).toBeGreaterThan(2 * ciphertext.length);
  });
});
