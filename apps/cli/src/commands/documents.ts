import type { DocumentsMoved, Runtime, Storage } from "@org/core";
import type { BucketAddress } from "@org/installation";
import type { Command } from "commander";
import { failed, temporaryFailure } from "../cli-error.js";
import { withJson } from "../command-options.js";
import { startProgress } from "../progress.js";
import type { Shell } from "../shell.js";

/** `documents move`. */
export function addDocumentCommands(program: Command, shell: Shell): void {
  const documents = program.command("documents").description("where the documents of letters are kept");
  withJson(documents.command("move"))
    .description("move letters' documents from the database to the bucket that DOCUMENTS_URL names, while servers work")
    .option("--dry-run", "say how many there are, and move none")
    .addHelpText(
      "after",
      "\nOpens the database itself, with the settings of the servers, which have to know DOCUMENTS_URL already: one that does not\ncannot read what has moved. Can be broken off at any time: the next run does what is left.",
    )
    .action(async (options: { json?: true; dryRun?: true }) => {
      const { countDatabaseDocuments } = await import("@org/core");
      const done = await withBucket(shell, async (deps, to) => {
        const found = await countDatabaseDocuments(deps);
        const none = { moved: 0, unreadable: [] };
        const { moved, unreadable } = options.dryRun ? none : await moveAll(shell, deps, found.documents);
        const left = options.dryRun ? found : await countDatabaseDocuments(deps);
        return { bucket: to, dry_run: options.dryRun === true, found, moved, unreadable, left };
      });
      if (options.json) shell.print(JSON.stringify(done, null, 2));
      else if (options.dryRun)
        shell.print(`${done.found.documents} documents in the database, ${done.found.bytes} bytes; to ${done.bucket}`);
      else shell.print(`${done.moved} documents moved to ${done.bucket}, ${done.left.documents} left in the database`);
      if (done.unreadable.length > 0)
        throw failed(
          `these stay in the database, for they cannot be opened, or not as they were stored: ${done.unreadable.map(({ letter_id, kind }) => `${letter_id} ${kind}`).join("; ")}`,
        );
    });
}

interface Deps {
  readonly storage: Storage;
  readonly runtime: Runtime;
}

async function withBucket<T>(shell: Shell, work: (deps: Deps, to: string) => Promise<T>): Promise<T> {
  const { runtimeOf, withInstallation } = await import("../installation.js");
  return withInstallation(shell, async (config, opened) => {
    if (config.documents === undefined)
      throw failed(
        "DOCUMENTS_URL is not set: it names the bucket that documents move to (docs/explanation/letters.md)",
      );
    return work({ storage: opened.storage, runtime: await runtimeOf(config, opened, shell) }, nameOf(config.documents));
  });
}

async function moveAll(shell: Shell, deps: Deps, total: number): Promise<DocumentsMoved> {
  const { CoreError, moveDocuments } = await import("@org/core");
  const progress = startProgress(shell, "moving", total, "documents");
  try {
    return await moveDocuments(deps, (moved) => progress.update(moved));
  } catch (error) {
    if (error instanceof CoreError && error.code === "UNAVAILABLE")
      throw temporaryFailure(
        "the bucket is away; every document is in one place or the other. Run it again later",
        error,
      );
    throw error;
  } finally {
    progress.stop();
  }
}

function nameOf({ bucket, prefix }: BucketAddress): string {
  return `s3://${bucket}/${prefix}`.replace(/\/$/, "");
}
