import { createWebhookSigningKeys } from "@org/events";
import { createKeyAdministration } from "@org/installation";
import type { OpenedStorage } from "@org/storage-postgres";
import type { Feature, Platform } from "../feature.js";
import { logFailure } from "../jobs.js";

/** The retry interval when the server's keys could not be read: well before a new key is used, and soon after the database is back. */
const RETRY_DELAY_MS = 1_000;

/** Keys: operators list and change them, and the server reads its own periodically, because another server may have rotated one. */
export function keys({
  storage,
  sealedValues,
  keyring,
  keys: serverKeys,
  runtime,
  schedule,
  log,
  signing,
}: Pick<Platform, "keyring" | "keys" | "runtime" | "schedule" | "log"> &
  Pick<OpenedStorage, "storage" | "sealedValues"> &
  Pick<Parameters<typeof createKeyAdministration>[0], "signing">) {
  const feature: Feature = { close: reloadKeys({ keys: serverKeys, schedule, log }) };
  const { published } = createWebhookSigningKeys(serverKeys.webhookSignature, runtime.clock);
  const webhookKeys = () => published().map(({ jwk: _, ...key }) => key);
  return {
    ...feature,
    administration: createKeyAdministration({
      storage,
      sealedValues,
      keyring,
      serverKeys,
      runtime,
      signing,
      webhookKeys,
    }),
  };
}

/** Returns the function that stops reloading. */
function reloadKeys({ keys, schedule, log }: Pick<Platform, "keys" | "schedule" | "log">): () => Promise<void> {
  let timer: NodeJS.Timeout;
  let isClosed = false;
  const next = (milliseconds: number) => {
    if (isClosed) return;
    timer = setTimeout(read, milliseconds);
    timer.unref();
  };
  const read = () =>
    keys.reload().then(
      () => next(schedule.serverKeys),
      (error: unknown) => {
        logFailure(log, error, "the server's own keys could not be read again; will be retried in a second");
        next(Math.min(RETRY_DELAY_MS, schedule.serverKeys));
      },
    );
  next(schedule.serverKeys);
  return async () => {
    isClosed = true;
    clearTimeout(timer);
  };
}
