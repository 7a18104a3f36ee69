import type { LoopScheduler } from "@org/admission";
import type { Runtime } from "@org/core";
import { type Config, createRuntime, keyringOf, loadInstallationKeys, openBucket } from "@org/installation";
import { collectGarbageAfter } from "@org/letter-documents";
import type { OpenedStorage } from "@org/storage-postgres";
import type { Platform } from "./feature.js";
import type { Logger } from "./log.js";
import type { Schedule } from "./schedule.js";
import { tracedBucket } from "./tracing/traced-calls.js";
import type { Tracing } from "./tracing/tracing.js";

/** Creates what every feature builds on: time, ids, secrets and the installation's keys. */
export async function preparePlatform(given: {
  config: Config;
  publicUrl: string;
  database: OpenedStorage;
  clock: () => Date;
  schedule: Schedule;
  log: Logger;
  tracing: Tracing;
  loop: LoopScheduler;
}): Promise<Platform> {
  const { clock, loop } = given;
  const { documents, staleAfterDays } = given.config;
  const keyring = keyringOf(given.config);
  const keys = await loadInstallationKeys(given.database.serverKeys, keyring, clock);
  const runtime: Runtime = {
    ...createRuntime({
      keys,
      keyring,
      clock,
      staleAfterDays,
      bucket: documents && tracedBucket(openBucket(documents)),
    }),
    loop,
    vault: {
      ...keyring,
      async sealBytes(bytes, context, options) {
        const sealed = await keyring.sealBytes(bytes, context, options);
        collectGarbageAfter(bytes.length, "minor");
        return sealed;
      },
    },
  };
  return { ...given, keyring, keys, runtime };
}
