import type { Vault } from "@org/core";
import type { FeedLack } from "@org/provider-kit";
import type { FileRecord, HeldContent } from "./ports/source-store.js";
import type { Proposal } from "./routing.js";

/** An open issue of a held file: a part that cannot be read, or an account without a target. */
export interface HeldFileIssue {
  readonly part: string;
  readonly account: string | null;
  readonly reason: string;
  /** What it lacks to be read or stored; null if it is itself at fault. */
  readonly lack?: HeldLack | null;
  readonly proposals: readonly Proposal[];
}

/**
 * What a held file lacks: what a part lacks to be read, a target for an `account`, a `target` that takes files, or a server without an `internal`
 * error.
 */
export type HeldLack = FeedLack | "account" | "target" | "internal";

/** The seal is bound to source, name and hash: they identify the row, whichever id a second server gave it. */
export function contextOf({ source, name, sha256 }: FileRecord, what: "bytes" | "findings") {
  return { purpose: `held-file-${what}`, row: JSON.stringify([source, name, sha256]) };
}

/** Encrypts the findings of a held file. */
export function sealFindings(vault: Vault, file: FileRecord, findings: readonly HeldFileIssue[]): Promise<string> {
  return vault.seal(JSON.stringify(findings), contextOf(file, "findings"));
}

/** Decrypts the bytes of a held file. */
export function openHeld(
  vault: Vault,
  file: FileRecord,
  { sealed_key: key, ciphertext }: Pick<HeldContent, "sealed_key" | "ciphertext">,
): Promise<Uint8Array> {
  return vault.openBytes({ key, ciphertext }, contextOf(file, "bytes"));
}

/** Decrypts the findings of a held file. */
export async function openFindings(vault: Vault, file: FileRecord, sealed: string): Promise<readonly HeldFileIssue[]> {
  return JSON.parse(await vault.open(sealed, contextOf(file, "findings")));
}
