import { type Actor, auditEntry, CoreError, createPageTokens, invalid, invalidValue } from "@org/core";
import { createSigningKeys } from "@org/events";
import type { InstallationKeys, ServerKeyInfo } from "@org/installation";
import { KeyringError } from "@org/keyring";
import type { OAuthServer, SigningKeyInfo } from "@org/oauth-server";
import type { Keys } from "@org/rest-api";
import type { OpenedStorage, SealedPlace, SealedValue } from "@org/storage-postgres";
import type { Feature, Platform } from "../feature.js";
import { logFailure } from "../jobs.js";

/** Values read at once, and readings in one call: a call stays short, also where tenants have hardly any values. */
const PAGE = 200;
const READINGS = 20;

/** What its page tokens are bound to. */
const REWRAP = "rewrap";

/** When the server's keys could not be read: long before a new one is used, and soon after the database is back. */
const AGAIN_MS = 1_000;

type Signing = Pick<OAuthServer, "signingKeys" | "rotateSigningKey" | "revokeSigningKey">;

/** Keys: operators see and change them, and the server's own are read again and again, for another server may have rotated one. */
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
  Pick<OpenedStorage, "storage" | "sealedValues"> & { signing: Signing }) {
  const feature: Feature = { close: rereading({ keys: serverKeys, schedule, log }) };
  return {
    ...feature,
    administration: keyAdministration({ storage, sealedValues, keyring, serverKeys, runtime, signing }),
  };
}

/** Returns what ends it. */
function rereading({ keys, schedule, log }: Pick<Platform, "keys" | "schedule" | "log">): () => Promise<void> {
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
        logFailure(log, error, "the server's own keys could not be read again; it is tried again in a second");
        next(Math.min(AGAIN_MS, schedule.serverKeys));
      },
    );
  next(schedule.serverKeys);
  return async () => {
    isClosed = true;
    clearTimeout(timer);
  };
}

/** Lets operators see and change keys: those that sign, and those that stored values are encrypted under. */
function keyAdministration({
  storage,
  sealedValues,
  keyring,
  serverKeys,
  runtime,
  signing,
}: Pick<Platform, "keyring" | "runtime"> &
  Pick<OpenedStorage, "storage" | "sealedValues"> & { serverKeys: InstallationKeys; signing: Signing }): Keys {
  const tokens = createPageTokens(runtime.mac);
  const webhookKeys = createSigningKeys(serverKeys.webhookSignature, runtime.clock);

  return {
    async list() {
      const [signingKeys, counts] = [await signing.signingKeys.list(), await sealedValues.counts()];
      const used = new Map<string | null, number>(keyring.keyIds.map((id) => [id, 0]));
      // Those that this installation has not come last.
      for (const { key_id, values } of counts.toSorted((a, b) => (String(a.key_id) < String(b.key_id) ? -1 : 1)))
        used.set(key_id, (used.get(key_id) ?? 0) + values);
      return {
        signing_keys: signingKeys.map(viewOf),
        server_keys: serverKeys.list().map(serverKeyView),
        webhook_keys: webhookKeys.published().map(({ jwk: _, ...key }) => key),
        encryption_keys: [...used].map(([key_id, values]) => ({
          key_id,
          active: key_id === keyring.activeKeyId,
          available: key_id !== null && keyring.keyIds.includes(key_id),
          values,
        })),
      };
    },
    async rotate({ application_id, address, trace_id }: Actor) {
      return (await signing.rotateSigningKey({ actor: application_id, address, trace_id })).map(viewOf);
    },
    async rotateServerKey(operator, name) {
      await serverKeys.rotate(name);
      await storage.auditTrail.append([
        { tenant_id: null, ...auditEntry(runtime, operator, "server_key.rotate", "server_key", name) },
      ]);
      return serverKeys.list().map(serverKeyView);
    },
    async revoke({ application_id, address, trace_id }: Actor, kid) {
      const left = await signing.revokeSigningKey(kid, { actor: application_id, address, trace_id });
      if (left === null) throw new CoreError("NOT_FOUND", "there is no signing key with this id");
      return left.map(viewOf);
    },
    async rewrap(operator, pageToken) {
      let place: SealedPlace | null = pageToken === null ? null : placeOf(pageToken);
      if (place === null)
        await storage.auditTrail.append([
          {
            tenant_id: null,
            ...auditEntry(runtime, operator, "encryption_key.rewrap", "encryption_key", keyring.activeKeyId),
          },
        ]);
      let [rewrapped, seen] = [0, 0];
      const unreadable = new Map<string, { place: string; key_id: string | null; values: number }>();
      for (let reading = 0; reading < READINGS && seen < PAGE; reading++) {
        const { values, next } = await sealedValues.page(place, PAGE);
        const changes = await resealed(values, unreadable);
        if (changes.length > 0) rewrapped += await sealedValues.replace(changes);
        seen += values.length;
        place = next;
        if (place === null) break;
      }
      return {
        rewrapped,
        unreadable: [...unreadable.values()],
        next_page_token: place && tokens.issue(REWRAP, JSON.stringify(place)),
      };
    },
  };

  /** The values that another key than the active one encrypts, with what to put in their place. */
  async function resealed(
    values: readonly SealedValue[],
    unreadable: Map<string, { place: string; key_id: string | null; values: number }>,
  ) {
    const changes: { value: SealedValue; sealed: string }[] = [];
    for (const value of values)
      try {
        const sealed = await keyring.reseal(value.sealed);
        if (sealed !== value.sealed) changes.push({ value, sealed });
      } catch (error) {
        if (!(error instanceof KeyringError)) throw error;
        const [place, key_id] = [sealedValues.nameOf(value.place), keyIdOf(value)];
        const known = unreadable.get(`${place} ${key_id}`);
        unreadable.set(`${place} ${key_id}`, { place, key_id, values: (known?.values ?? 0) + 1 });
      }
    return changes;
  }

  function placeOf(token: string): SealedPlace {
    const place = tokens.read(REWRAP, token);
    if (place === null) throw invalid(invalidValue("page_token", "must be the next_page_token of the batch before"));
    return JSON.parse(place);
  }

  function keyIdOf({ sealed }: SealedValue): string | null {
    try {
      return keyring.keyIdOf(sealed);
    } catch {
      return null;
    }
  }
}

function serverKeyView({ active_from, ...key }: ServerKeyInfo) {
  return { ...key, active_from: active_from?.toISOString() ?? null };
}

function viewOf({ kid, algorithm, state, created_at, signs_from }: SigningKeyInfo) {
  return {
    kid,
    algorithm,
    state,
    created_at: created_at.toISOString(),
    signs_from: signs_from?.toISOString() ?? null,
  };
}
