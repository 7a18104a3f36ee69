import { createHmac, randomBytes } from "node:crypto";
import type { DocumentBucket, Runtime, Uuid } from "@org/core";
import type { Keyring } from "@org/keyring";
import { v7 as uuidv7 } from "uuid";
import type { InstallationKeys } from "./keys.js";

/** The same time, ids, secrets and keys for every process of an installation, so that each recognizes the others' hashes. */
export function createRuntime(given: {
  readonly keys: Pick<InstallationKeys, "identity">;
  readonly keyring: Keyring;
  readonly clock: () => Date;
  readonly staleAfterDays: number;
  /** The bucket for letters' documents, if they are not in the database. */
  readonly bucket?: DocumentBucket | undefined;
}): Runtime {
  const { keys, keyring, clock, staleAfterDays, bucket } = given;
  return {
    clock,
    staleAfterDays,
    newId: () => uuidv7() as Uuid,
    newSecret: () => randomBytes(32).toString("base64url"),
    vault: keyring,
    bucket,
    // Different purposes give different MACs.
    mac: (purpose, text) => createHmac("sha256", keys.identity).update(purpose).update("\0").update(text).digest("hex"),
  };
}
