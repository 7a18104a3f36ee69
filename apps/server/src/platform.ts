import { createHmac, randomBytes } from "node:crypto";
import type { Runtime, Uuid } from "@org/core";
import { type Config, keyringOf, loadInstallationKeys } from "@org/installation";
import type { OpenedStorage } from "@org/storage-postgres";
import { v7 as uuidv7 } from "uuid";
import { collectAfter } from "./collect-garbage.js";
import type { Platform } from "./feature.js";
import type { Logger } from "./log.js";
import type { Schedule } from "./schedule.js";

/** Makes what every feature builds on: time, ids, secrets and the keys of the installation. */
export async function preparePlatform(given: {
  config: Config;
  publicUrl: string;
  database: OpenedStorage;
  clock: () => Date;
  schedule: Schedule;
  log: Logger;
}): Promise<Platform> {
  const { clock } = given;
  const keyring = keyringOf(given.config);
  const keys = await loadInstallationKeys(given.database.serverKeys, keyring, clock);
  const runtime: Runtime = {
    clock,
    newId: () => uuidv7() as Uuid,
    newSecret: () => randomBytes(32).toString("base64url"),
    vault: {
      ...keyring,
      async sealBytes(bytes, context, options) {
        const sealed = await keyring.sealBytes(bytes, context, options);
        collectAfter(bytes.length, "minor");
        return sealed;
      },
    },
    // Apart for each purpose.
    mac: (purpose, text) => createHmac("sha256", keys.identity).update(purpose).update("\0").update(text).digest("hex"),
  };
  return { ...given, keyring, keys, runtime };
}
