// Which migrations are released, with the SHA-256 of their files: packages/storage-postgres/sql/released.json. Databases exist that were made with
// them, so they are never changed; the next one repairs what is wrong. `version.mjs` adds those of a release.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./step.mjs";

const FOLDER = join(root, "packages/storage-postgres/sql");

/** What is wrong with the released migrations of a folder, a line each. */
export function releasedMigrationFaults(folder = FOLDER) {
  const found = hashesIn(folder);
  const released = readReleased(folder);
  const names = Object.keys(released);
  return [
    ...names
      .filter((name) => found[name] !== released[name])
      .map(
        (name) =>
          `${name}.sql is released and was ${name in found ? "changed" : "removed"}: restore it, and add a migration`,
      ),
    ...Object.keys(found)
      .filter((name) => !(name in released) && name < (names.at(-1) ?? ""))
      .map((name) => `${name}.sql comes before released migrations: databases exist that would never apply it`),
  ];
}

/** Migrations that no release has yet. */
export function unreleasedMigrations(folder = FOLDER) {
  const released = readReleased(folder);
  return Object.keys(hashesIn(folder)).filter((name) => !(name in released));
}

/** Adds the migrations that are not in the list yet. @throws Error if a released one was changed */
export function releaseMigrations(folder = FOLDER) {
  const faults = releasedMigrationFaults(folder);
  if (faults.length > 0) throw new Error(faults.join("\n"));
  writeFileSync(join(folder, "released.json"), `${JSON.stringify(hashesIn(folder), null, 2)}\n`);
}

function readReleased(folder) {
  return JSON.parse(readFileSync(join(folder, "released.json"), "utf8"));
}

function hashesIn(folder) {
  const files = readdirSync(folder).filter((file) => /^\d{4}_\w+\.sql$/.test(file));
  const hashOf = (file) =>
    createHash("sha256")
      .update(readFileSync(join(folder, file)))
      .digest("hex");
  return Object.fromEntries(files.sort().map((file) => [file.slice(0, -".sql".length), hashOf(file)]));
}
