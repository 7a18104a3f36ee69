import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { failed } from "./cli-error.js";
import type { Shell } from "./shell.js";

/** Reads a file, or standard input for `-`. @throws CliError when it cannot be read */
export async function readInput(shell: Shell, path: string): Promise<Buffer> {
  if (path === "-") return readStdin(shell);
  try {
    return await readFile(resolve(shell.cwd, path));
  } catch (error) {
    throw failed(`cannot read ${path}: ${fileErrorReason(error)}`, error);
  }
}

/** Reads a file, or standard input for `-`, as UTF-8 JSON. @throws CliError with the place of the fault */
export async function readJsonFile(shell: Shell, path: string): Promise<unknown> {
  const text = (await readInput(shell, path)).toString("utf8");
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw failed(`${path} is not JSON: ${fileErrorReason(error)}`, error);
  }
}

/** A secret or token: as given, or the first line of standard input for `-`, so that it need not appear on the command line. */
export async function readSecret(shell: Shell, value: string): Promise<string> {
  if (value !== "-") return value;
  const [line = ""] = (await readStdin(shell)).toString("utf8").split(/\r?\n/);
  if (line.trim() === "") throw failed("standard input holds no secret");
  return line.trim();
}

/** Explains why a file operation failed. */
export function fileErrorReason(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const words: Record<string, string> = {
    ENOENT: "no such file",
    EACCES: "permission denied",
    EISDIR: "it is a directory",
    EEXIST: "it is no directory",
    ENOTDIR: "it, or what it lies in, is no directory",
    EROFS: "it is on a file system that can only be read",
    ENOSPC: "there is no room on the disk",
  };
  return words[String(code)] ?? (error instanceof Error ? error.message : String(error));
}

/** What to do where a file or folder of the installation cannot be used. */
export const OWN_FOLDER = "give this user the right to it, or set DATA_DIR to a folder of your own";

/** Which file or folder an error of the file system is about, and why it cannot be used; null for any other error. */
export function fileFault(error: unknown): string | null {
  if (!(error instanceof Error) || !("syscall" in error) || !("path" in error)) return null;
  return `${String(error.path)} cannot be used: ${fileErrorReason(error)}`;
}

async function readStdin(shell: Shell): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of shell.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
