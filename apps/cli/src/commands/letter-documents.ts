import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { documentKinds } from "@org/core";
import { type Command, Option } from "commander";
import { z } from "zod";
import { failed, wrongUsage } from "../cli-error.js";
import { withServer } from "../command-options.js";
import { fileErrorReason } from "../input.js";
import { connectToServer } from "../server-api.js";
import type { ServerFlags } from "../settings.js";
import type { Shell } from "../shell.js";
import { table } from "../table.js";
import { letterAnswerSchema } from "./letter-answer.js";

const document = z.looseObject({ kind: z.string(), sha256: z.string(), size: z.number(), data: z.string() });

/** `letters documents`: lists a letter's documents, and downloads them. */
export function addLetterDocuments(letters: Command, shell: Shell): void {
  withServer(letters.command("documents"))
    .description(
      "list the documents of a letter, the letter itself first, or download one; downloads are in the audit trail (operator)",
    )
    .argument("<letter-id>")
    .addOption(new Option("--kind <kind>", "which to download").choices(documentKinds).default("letter"))
    .option("--output <file>", "download it into this file, which must not exist")
    .action(
      async (
        letter_id: string,
        options: ServerFlags & { json?: true; kind: string; output?: string },
        command: Command,
      ) => {
        if (options.output === undefined && command.getOptionValueSource("kind") !== "default")
          throw wrongUsage("--kind goes with --output");
        const server = await connectToServer(shell, options, "operator");
        if (options.output === undefined) {
          const { letter } = await server.call("/operator/v1/letters/show", { letter_id }, letterAnswerSchema);
          if (options.json) return shell.print(JSON.stringify({ documents: letter.documents }, null, 2));
          const rows = letter.documents.map(({ kind, size, sha256, signature }) => [kind, size, sha256, signature]);
          return shell.print(
            rows.length > 0 ? table(["document", "size", "sha256", "signature"], rows) : "no documents",
          );
        }
        const body = { letter_id, kind: options.kind };
        const { data, ...facts } = await server.call("/operator/v1/letters/document", body, document);
        const bytes = Buffer.from(data, "base64");
        if (createHash("sha256").update(bytes).digest("hex") !== facts.sha256)
          throw failed("the document did not arrive as it was stored; try again");
        await save(resolve(shell.cwd, options.output), bytes);
        shell.print(
          options.json ? JSON.stringify({ ...facts, file: options.output }) : `${options.output}: ${facts.size} bytes`,
        );
      },
    );
}

/** The file is readable only by its owner, because a client has signed it. */
async function save(path: string, bytes: Uint8Array): Promise<void> {
  try {
    await writeFile(path, bytes, { flag: "wx", mode: 0o600 });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    throw failed(`cannot write ${path}: ${code === "EEXIST" ? "the file exists" : fileErrorReason(error)}`, error);
  }
}
