import {
  type AuditEntry,
  auditEntry,
  CoreError,
  createPager,
  ifVersion,
  invalidAll,
  invalidValue,
  type Labels,
  type LimitsOf,
  limitRefusal,
  parseMoment,
  type Runtime,
  type TenantActor,
  type Uuid,
  versionConflict,
} from "@org/core";
import { typeFaults } from "./asks-for.js";
import { deliveryView, endpointVersion, endpointView } from "./endpoint-views.js";
import { type DeliveryState, type EndpointStore, secretContext } from "./ports/endpoint-store.js";

/** Events that one replay queues at most. */
const MAX_REPLAY = 10_000;
/** For how long the secret before signs too. */
const SECRET_OVERLAP_MS = 86_400_000;

/** What an application sets of an endpoint. */
export interface EndpointInput {
  readonly url: string;
  /** All when left out. */
  readonly types?: readonly string[] | undefined;
  readonly labels?: Labels | undefined;
  readonly description?: string | null | undefined;
  readonly enabled?: boolean | undefined;
}

/** What is left out stays as it is. */
type EndpointInputChange = { readonly [Field in keyof EndpointInput]?: EndpointInput[Field] | undefined };

/** Which events are sent again. */
export interface ReplayInput {
  readonly endpoint_id: Uuid;
  /** As `parseMoment` of core reads it, and so is `until`. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly event_ids?: readonly Uuid[] | undefined;
  readonly types?: readonly string[] | undefined;
  /** Goes on behind this event: the `next_after` of the replay before. */
  readonly after?: Uuid | undefined;
}

/** What deliveries are listed. */
export interface DeliverySearch {
  readonly query: {
    readonly endpoint_id: Uuid;
    readonly event_id?: Uuid | undefined;
    readonly state_in?: readonly DeliveryState[] | undefined;
  };
  readonly page_token?: string | undefined;
  readonly page_size: number;
}

/** Endpoints as a tenant's applications manage them. All of it throws CoreError NOT_FOUND for an id that is none of the tenant's. */
export type EndpointOperations = ReturnType<typeof createEndpointOperations>;

/** @param onQueued told when there may be something to number or to send */
export function createEndpointOperations(deps: {
  readonly store: EndpointStore;
  readonly runtime: Runtime;
  /** Why an address cannot be an endpoint's; null when it can. */
  readonly urlFault: (url: string) => string | null;
  readonly onQueued?: () => void;
  /** Without it there are no limits. */
  readonly limits?: { readonly of: LimitsOf; readonly admitResend: (tenantId: string) => void };
}) {
  const { store, runtime, onQueued, limits } = deps;
  const page = createPager(runtime.mac);
  const entryOf = (who: TenantActor, action: string, endpointId: string, facts: AuditEntry["facts"] = {}) =>
    auditEntry(runtime, who, `webhook.${action}`, "webhook_endpoint", endpointId, facts);

  return {
    /**
     * The secret is answered this once.
     * @throws CoreError VALIDATION_ERROR on `url` and `types`, RATE_LIMITED when the tenant has as many as it may
     */
    async create(who: TenantActor, input: EndpointInput) {
      check(input);
      const { url, types = ["*"], labels = {}, description = null, enabled = true } = input;
      const endpoint_id = runtime.newId();
      const { secret, sealed_secret } = await newSecret(endpoint_id);
      const endpoint = {
        endpoint_id,
        url,
        types: distinct(types),
        labels,
        description,
        sealed_secret,
        is_enabled: enabled,
        created_at: runtime.clock(),
      };
      const most = limits?.of(who.tenant_id).webhook_endpoints ?? Number.POSITIVE_INFINITY;
      const created = await store.create(who.tenant_id, endpoint, most, entryOf(who, "create", endpoint_id));
      if (created === "no_room") throw limitRefusal("webhook_endpoints", most);
      return { endpoint: endpointView(await find(who, endpoint_id)), secret };
    },
    /** Oldest first. */
    list: async (who: TenantActor) => (await store.list(who.tenant_id)).map(endpointView),
    /**
     * What is left out stays as it is.
     * @param version the one that was seen
     * @throws CoreError VALIDATION_ERROR on `url` and `types`, CONFLICT when the endpoint is another by now
     */
    async update(who: TenantActor, id: Uuid, input: EndpointInputChange, version?: number) {
      check(input);
      const { enabled, types, ...settings } = input;
      const { endpoint_id, is_enabled } = await find(who, id);
      const turned = enabled === undefined || enabled === is_enabled ? {} : { enabled };
      const change = { ...settings, types: types && distinct(types), is_enabled: enabled };
      const entry = entryOf(who, "update", endpoint_id, turned);
      const precondition = ifVersion(version, endpointVersion);
      const changed = await store.change(who.tenant_id, endpoint_id, change, runtime.clock(), entry, precondition);
      if (!changed) throw unknownEndpoint();
      if (changed === "overtaken") throw versionConflict("endpoint");
      return endpointView(changed);
    },
    async remove(who: TenantActor, endpointId: Uuid): Promise<void> {
      const entry = entryOf(who, "delete", endpointId);
      if (!(await store.remove(who.tenant_id, endpointId, runtime.clock(), entry))) throw unknownEndpoint();
    },
    /** Queues a `webhook.test`; `list-deliveries` tells what became of it. @throws CoreError CONFLICT while the endpoint is disabled, RATE_LIMITED */
    async test(who: TenantActor, endpointId: Uuid) {
      limits?.admitResend(who.tenant_id);
      const event_id = runtime.newId();
      const entry = entryOf(who, "test", endpointId, { event_id });
      const tested = await store.test(who.tenant_id, endpointId, event_id, entry);
      if (tested === "unknown") throw unknownEndpoint();
      if (tested === "disabled") throw disabledEndpoint();
      onQueued?.();
      return { event_id };
    },
    /** Answers the new secret, this once. The one before signs too for a day; the one before that no more. */
    async rotateSecret(who: TenantActor, endpointId: Uuid) {
      const { secret, sealed_secret } = await newSecret(endpointId);
      const previous_until = new Date(runtime.clock().getTime() + SECRET_OVERLAP_MS);
      const rotation = { sealed_secret, previous_until };
      if (!(await store.rotate(who.tenant_id, endpointId, rotation, entryOf(who, "rotate", endpointId))))
        throw unknownEndpoint();
      return { secret, previous_until: previous_until.toISOString() };
    },
    /** Newest event first. @throws CoreError VALIDATION_ERROR on `page_token` */
    async deliveries(who: TenantActor, { query, page_token, page_size }: DeliverySearch) {
      const { endpoint_id } = await find(who, query.endpoint_id);
      const wanted = { endpoint_id, event_id: query.event_id ?? null, state_in: query.state_in ?? null };
      const { rows, next_page_token } = await page({
        query: ["webhook-deliveries", wanted],
        token: page_token,
        size: page_size,
        rows: (after: number | null, limit) => store.deliveries(who.tenant_id, { ...wanted, after, limit }),
        keyOf: ({ sequence }) => String(sequence),
        readKey: (text) => (/^\d{1,15}$/.test(text) ? Number(text) : null),
      });
      return { items: rows.map(deliveryView), next_page_token };
    },
    /**
     * Queues kept events that the endpoint asks for once more, oldest first. What waits already is left alone.
     * @throws CoreError VALIDATION_ERROR for an event that is not kept, CONFLICT while the endpoint is disabled,
     * RATE_LIMITED
     */
    async replay(who: TenantActor, { endpoint_id, since, until, event_ids, types, after }: ReplayInput) {
      limits?.admitResend(who.tenant_id);
      const endpoint = await find(who, endpoint_id);
      const from = since === undefined ? null : (parseMoment(since)?.from ?? null);
      const before = until === undefined ? null : (parseMoment(until)?.before ?? null);
      const faults = typeFaults(types, "types");
      if (faults.length > 0) throw invalidAll(faults);
      const named = [...(event_ids ?? []), ...(after === undefined ? [] : [after])];
      const places = await store.placesOf(who.tenant_id, named);
      const missing = (event_ids ?? []).flatMap((id, index) =>
        places.has(id) ? [] : [notKept(`event_ids[${index}]`)],
      );
      if (after !== undefined && !places.has(after)) missing.push(notKept("after"));
      if (missing.length > 0) throw invalidAll(missing);
      const replayed = await store.replay(
        who.tenant_id,
        endpoint.endpoint_id,
        {
          since: from,
          until: before,
          event_ids: event_ids ?? null,
          types: types ?? null,
          after: after === undefined ? 0 : (places.get(after) ?? 0),
          limit: MAX_REPLAY,
        },
        runtime.clock(),
        ({ queued }) => entryOf(who, "replay", endpoint.endpoint_id, { queued }),
      );
      if (replayed === "unknown") throw unknownEndpoint();
      if (replayed === "disabled") throw disabledEndpoint();
      if (replayed.queued > 0) onQueued?.();
      return replayed;
    },
    /** See {@link EndpointStore.reap}. */
    reap: (now: Date, limit: number) => store.reap(now, limit),
  };

  function check({ url, types }: EndpointInputChange): void {
    const reason = url === undefined ? null : deps.urlFault(url);
    const faults = [...(reason === null ? [] : [invalidValue("url", reason)]), ...typeFaults(types, "types")];
    if (faults.length > 0) throw invalidAll(faults);
  }

  async function find(who: TenantActor, id: Uuid) {
    const found = await store.find(who.tenant_id, id);
    if (!found) throw unknownEndpoint();
    return found;
  }

  async function newSecret(endpointId: Uuid) {
    // 32 bytes, of the 24 to 64 that Standard Webhooks allows.
    const secret = `whsec_${Buffer.from(runtime.newSecret(), "base64url").toString("base64")}`;
    return { secret, sealed_secret: await runtime.vault.seal(secret, secretContext(endpointId)) };
  }
}

function notKept(field: string) {
  return invalidValue(field, "must be the id of an event that is kept: events go after 30 days");
}

function distinct(types: readonly string[]): readonly string[] {
  return [...new Set(types)];
}

/** The refusal of an id that is no endpoint's, or another tenant's. */
export function unknownEndpoint(): CoreError {
  return new CoreError("NOT_FOUND", "there is no endpoint with this id");
}

function disabledEndpoint(): CoreError {
  return new CoreError("CONFLICT", "the endpoint is disabled: enable it first");
}
