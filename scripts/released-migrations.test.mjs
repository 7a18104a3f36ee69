import { appendFileSync, cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { releasedMigrationFaults, releaseMigrations, unreleasedMigrations } from "./released-migrations.mjs";
import { root } from "./step.mjs";

let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "migrations-"));
  cpSync(join(root, "packages/storage-postgres/sql"), folder, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("[C-8.234] a released migration", () => {
  it("is as it was released", () => {
    expect(releasedMigrationFaults()).toEqual([]);
  });

  it("is found by its hash when as little as a space was changed, when it is gone, and when one is put before it", () => {
    releaseMigrations(folder);
    expect(unreleasedMigrations(folder)).toEqual([]);
    expect(releasedMigrationFaults(folder)).toEqual([]);
    appendFileSync(join(folder, "0001_installation.sql"), " ");
    renameSync(join(folder, "0014_valuations.sql"), join(folder, "0013_valuations.sql"));
    expect(releasedMigrationFaults(folder)).toEqual([
      "0001_installation.sql is released and was changed: restore it, and add a migration",
      "0014_valuations.sql is released and was removed: restore it, and add a migration",
      "0013_valuations.sql comes before released migrations: databases exist that would never apply it",
    ]);
    expect(() => releaseMigrations(folder)).toThrow(/0001_installation\.sql is released and was changed/);
  });

  it("is joined by those of the next release", () => {
    releaseMigrations(folder);
    const first = JSON.parse(readFileSync(join(folder, "released.json"), "utf8"));
    writeFileSync(join(folder, "9999_next.sql"), "select 1;");
    expect(unreleasedMigrations(folder)).toEqual(["9999_next"]);
    releaseMigrations(folder);
    const next = JSON.parse(readFileSync(join(folder, "released.json"), "utf8"));
    expect(next).toEqual({ ...first, "9999_next": expect.stringMatching(/^[0-9a-f]{64}$/) });
  });
});
