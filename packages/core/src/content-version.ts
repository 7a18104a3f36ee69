import { createHash } from "node:crypto";
import { CoreError, invalidValue } from "./errors.js";

/**
 * Whether what is there is what somebody saw before they changed it; null = there is nothing. A store asks while nobody else can change
 * it, and keeps nothing where the answer is no.
 */
export type VersionPrecondition<There> = (there: There | null) => boolean;

/** The version of what is not there: whoever names it makes something new. */
const NOTHING = 0;

/**
 * A version made of what somebody is shown: another number whenever that is another, as a strong ETag is (RFC 9110 §8.8.1), so that no
 * writer has to count. It tells of its facts to those who can guess them: none may be a secret.
 */
export function contentVersion(...facts: readonly unknown[]): number {
  return createHash("sha256").update(JSON.stringify(facts)).digest().readUIntBE(0, 6) || 1;
}

/** The check of a change that names the version it was made upon; without one nothing is checked. */
export function ifVersion<There>(
  version: number | undefined,
  versionIn: (there: There) => number,
): VersionPrecondition<There> | undefined {
  if (version === undefined) return undefined;
  return (there) => (there === null ? NOTHING : versionIn(there)) === version;
}

/**
 * That something is not as it was seen any more.
 * @param what such as `letter`
 * @param version the one that was named: whoever saw nothing is told that there is something
 */
export function versionConflict(what: string, version?: number): CoreError {
  const message =
    version === NOTHING
      ? `there is such a ${what} already; look at it first`
      : `the ${what} was changed by someone else meanwhile; look at it again`;
  return new CoreError("CONFLICT", message, {
    details: [invalidValue("version", `must be the ${what}'s version as it is now`)],
  });
}
