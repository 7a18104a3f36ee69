import { type Actor, auditEntry, CoreError, createPageTokens, invalid, invalidValue, type Runtime } from "@org/core";
import { type Keyring, KeyringError } from "@org/keyring";
import type { OAuthServer, SigningKeyInfo } from "@org/oauth-server";
import type { OpenedStorage, SealedPlace, SealedValue } from "@org/storage-postgres";
import type { InstallationKeys, ServerKeyInfo } from "./keys.js";

/** Values per page, and pages per call: a call stays short even when tenants have hardly any values. */
const PAGE = 200;
const READINGS = 20;

/** The query that its page tokens are bound to. */
const REWRAP = "rewrap";

/** A public key that signs deliveries of events. */
interface WebhookKey {
  readonly kid: string;
  readonly public_key: string;
  readonly since: string | null;
  readonly until: string | null;
}

/** Lets operators see and change keys: those for signing, and those that encrypt stored values. */
export function createKeyAdministration({
  storage,
  sealedValues,
  keyring,
  serverKeys,
  runtime,
  signing,
  webhookKeys,
}: Pick<OpenedStorage, "storage" | "sealedValues"> & {
  keyring: Keyring;
  serverKeys: InstallationKeys;
  runtime: Runtime;
  signing: Pick<OAuthServer, "signingKeys" | "rotateSigningKey" | "revokeSigningKey">;
  /** The public keys that sign deliveries of events. */
  webhookKeys: () => readonly WebhookKey[];
}) {
  const tokens = createPageTokens(runtime.mac);

  return {
    async list() {
      const [signingKeys, counts] = [await signing.signingKeys.list(), await sealedValues.counts()];
      const used = new Map<string | null, number>(keyring.keyIds.map((id) => [id, 0]));
      // Keys that this installation lacks come last.
      for (const { key_id, values } of counts.toSorted((a, b) => (String(a.key_id) < String(b.key_id) ? -1 : 1)))
        used.set(key_id, (used.get(key_id) ?? 0) + values);
      return {
        signing_keys: signingKeys.map(viewOf),
        server_keys: serverKeys.list().map(serverKeyView),
        webhook_keys: webhookKeys(),
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
    async rotateServerKey(operator: Actor, name: Parameters<InstallationKeys["rotate"]>[0]) {
      await serverKeys.rotate(name);
      await storage.auditTrail.append([
        { tenant_id: null, ...auditEntry(runtime, operator, "server_key.rotate", "server_key", name) },
      ]);
      return serverKeys.list().map(serverKeyView);
    },
    async revoke({ application_id, address, trace_id }: Actor, kid: string) {
      const left = await signing.revokeSigningKey(kid, { actor: application_id, address, trace_id });
      if (left === null) throw new CoreError("NOT_FOUND", "there is no signing key with this id");
      return left.map(viewOf);
    },
    async rewrap(operator: Actor, pageToken: string | null) {
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

  /** Reseals the values that are not encrypted under the active key. */
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
