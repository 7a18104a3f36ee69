import { createHash } from "node:crypto";
import { type CoreError, conflict, invalidValue } from "./errors.js";

/**
 * Whether the stored object is the one that the caller saw before changing it; null = there is none. A store asks while nobody else can
 * change the object, and stores nothing if the answer is no.
 */
export type VersionPrecondition<There> = (there: There | null) => boolean;

/** The version of an object that does not exist; a caller sends it to create one. */
const NOTHING = 0;

/**
 * A version computed from what the caller is shown. It changes whenever that changes, as a strong ETag does (RFC 9110 §8.8.1), so that no
 * writer has to count. Someone who can guess the facts can check them against it, so none of them may be a secret.
 */
export function contentVersion(...facts: readonly unknown[]): number {
  return createHash("sha256").update(JSON.stringify(facts)).digest().readUIntBE(0, 6) || 1;
}

/** The precondition of a change that is based on `version`; undefined without a version, so that nothing is checked. */
export function ifVersion<There>(
  version: number | undefined,
  versionIn: (there: There) => number,
): VersionPrecondition<There> | undefined {
  if (version === undefined) return undefined;
  return (there) => (there === null ? NOTHING : versionIn(there)) === version;
}

/**
 * The error for a change that is based on an outdated version.
 * @param what such as `letter`
 * @param version the version that was sent; if it stands for no object, the message says that there is one
 */
export function versionConflict(what: string, version?: number): CoreError {
  const message =
    version === NOTHING
      ? `there is such a ${what} already; look at it first`
      : `the ${what} was changed by someone else meanwhile; look at it again`;
  return conflict(version === NOTHING ? "exists_already" : "changed_meanwhile", message, {
    details: [invalidValue("version", `must be the ${what}'s version as it is now`)],
  });
}
