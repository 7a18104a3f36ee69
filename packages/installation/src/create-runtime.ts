import { createHmac, randomBytes } from "node:crypto";
import type { DocumentBucket, Runtime, Uuid } from "@org/core";
import type { Keyring } from "@org/keyring";
import { v7 as uuidv7 } from "uuid";
import type { InstallationKeys } from "./keys.js";

/** Time, ids, secrets and keys as every process of an installation has them: what one has hashed, another recognises. */
export function createRuntime(given: {
  readonly keys: Pick<InstallationKeys, "identity">;
  readonly keyring: Keyring;
  readonly clock: () => Date;
  /** Where letters' documents are kept, if not in the database. */
  readonly bucket?: DocumentBucket | undefined;
}): Runtime {
  const { keys, keyring, clock, bucket } = given;
  return {
    clock,
    newId: () => uuidv7() as Uuid,
    newSecret: () => randomBytes(32).toString("base64url"),
    vault: keyring,
    bucket,
    // Apart for each purpose.
    mac: (purpose, text) => createHmac("sha256", keys.identity).update(purpose).update("\0").update(text).digest("hex"),
  };
}
