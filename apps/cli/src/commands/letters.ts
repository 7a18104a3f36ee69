import type { Command } from "commander";
import type { Shell } from "../shell.js";
import { addLetterDocuments } from "./letter-documents.js";
import { addLetterGeneration } from "./letter-generation.js";
import { addLetterOperations } from "./letter-operations.js";
import { addLetterRequests } from "./letter-requests.js";

/** `letters search|submit|discontinue` as a tenant, `show|advance|block|resolve|cancel|observe|documents|request|details|sign` as the operator. */
export function addLetterCommands(program: Command, shell: Shell): void {
  const letters = program.command("letters").description("authorization letters: submit, follow and move them along");
  addLetterRequests(letters, shell);
  addLetterOperations(letters, shell);
  addLetterDocuments(letters, shell);
  addLetterGeneration(letters, shell);
}
