import {
  type AuditEntry,
  type AuditVerb,
  auditEntry,
  CoreError,
  conflict,
  createPager,
  ifVersion,
  invalidAll,
  invalidValue,
  type Labels,
  type LimitsOf,
  type ListOrder,
  limitRefusal,
  parseMoment,
  type Runtime,
  type TenantActor,
  type Uuid,
  versionConflict,
} from "@org/core";
import { typeFaults } from "./asks-for.js";
import { deliveryView, endpointVersion, endpointView } from "./endpoint-views.js";
import { typesOf } from "./event-reading.js";
import { type DeliveryState, type EndpointStore, secretContext } from "./ports/endpoint-store.js";

/** Maximum number of events that one replay queues. */
const MAX_REPLAY = 10_000;
/** How long a replaced secret still signs. */
const SECRET_OVERLAP_MS = 86_400_000;
/** The secrets of an endpoint that sign at the same time: the current one and two replaced ones. */
const MAX_SECRETS = 3;

/** The settings of an endpoint, as an application sends them. */
export interface EndpointInput {
  readonly url: string;
  /** All types when omitted. */
  readonly types?: readonly string[] | undefined;
  readonly labels?: Labels | undefined;
  readonly description?: string | null | undefined;
  readonly enabled?: boolean | undefined;
}

/** Omitted fields stay unchanged. */
type EndpointInputChange = { readonly [Field in keyof EndpointInput]?: EndpointInput[Field] | undefined };

/** Selects the events to send again. */
export interface ReplayInput {
  readonly endpoint_id: Uuid;
  /** In the format that `parseMoment` of core reads, as is `until`. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly event_ids?: readonly Uuid[] | undefined;
  readonly types?: readonly string[] | undefined;
  /** Continues behind this event: the `next_after` of the previous replay. */
  readonly after?: Uuid | undefined;
}

/** Selects the deliveries to list. */
export interface DeliverySearch {
  readonly query: {
    readonly endpoint_id: Uuid;
    readonly event_id?: Uuid | undefined;
    readonly state_in?: readonly DeliveryState[] | undefined;
    /** Types, and families such as `letter.*`. */
    readonly type_in?: readonly string[] | undefined;
  };
  readonly order?: ListOrder | undefined;
  readonly page_token?: string | undefined;
  readonly page_size: number;
}

/** Endpoint management for a tenant's applications. Every method throws CoreError NOT_FOUND for an id that is not the tenant's. */
export type EndpointOperations = ReturnType<typeof createEndpointOperations>;

/** @param onQueued called when there may be an event to number or a delivery to send */
export function createEndpointOperations(deps: {
  readonly store: EndpointStore;
  readonly runtime: Runtime;
  /** Why a URL is not valid for an endpoint; null when it is. */
  readonly urlFault: (url: string) => string | null;
  readonly onQueued?: () => void;
  /** Without it there are no limits. */
  readonly limits?: { readonly of: LimitsOf; readonly admitResend: (tenantId: string) => void };
}) {
  const { store, runtime, onQueued, limits } = deps;
  const page = createPager(runtime.mac);
  const entryOf = (
    who: TenantActor,
    action: AuditVerb<"webhook">,
    endpointId: string,
    facts: AuditEntry["facts"] = {},
  ) => auditEntry(runtime, who, `webhook.${action}`, "webhook_endpoint", endpointId, facts);

  return {
    /**
     * The secret is returned only here.
     * @throws CoreError VALIDATION_ERROR on `url` and `types`, RATE_LIMITED when the tenant has reached its limit
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
     * Omitted fields stay unchanged.
     * @param version the version that the caller saw
     * @throws CoreError VALIDATION_ERROR on `url` and `types`, CONFLICT when the endpoint has changed since
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
    /**
     * Queues a `webhook.test`; `list-deliveries` shows its result.
     * @throws CoreError CONFLICT while the endpoint is disabled, RATE_LIMITED
     */
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
    /**
     * Returns the new secret, only here. The previous one signs too for a day.
     * @throws CoreError RATE_LIMITED while two replaced secrets sign
     */
    async rotateSecret(who: TenantActor, endpointId: Uuid) {
      const { secret, sealed_secret } = await newSecret(endpointId);
      const previous_until = new Date(runtime.clock().getTime() + SECRET_OVERLAP_MS);
      const rotation = { sealed_secret, previous_until };
      const rotated = await store.rotate(who.tenant_id, endpointId, rotation, entryOf(who, "rotate", endpointId));
      if (rotated === false) throw unknownEndpoint();
      if (rotated !== true) throw tooManySecrets(rotated.getTime() - runtime.clock().getTime());
      return { secret, previous_until: previous_until.toISOString() };
    },
    /** By the sequence of the event, newest first by default. @throws CoreError VALIDATION_ERROR on `query.type_in` and `page_token` */
    async deliveries(who: TenantActor, { query, order = "newest", page_token, page_size }: DeliverySearch) {
      const { endpoint_id } = await find(who, query.endpoint_id);
      const wanted = {
        endpoint_id,
        event_id: query.event_id ?? null,
        state_in: query.state_in ?? null,
        type_in: query.type_in === undefined ? null : typesOf(query.type_in, "query.type_in"),
        order,
      };
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
     * Queues stored events that match the endpoint again, oldest first. Deliveries that are already waiting do not change.
     * @throws CoreError VALIDATION_ERROR for an event that is not stored, CONFLICT while the endpoint is disabled, RATE_LIMITED
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
    // 32 bytes; Standard Webhooks allows 24 to 64.
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

function tooManySecrets(endsInMs: number): CoreError {
  return new CoreError(
    "RATE_LIMITED",
    `secrets that sign for an endpoint: ${MAX_SECRETS} at most, the replaced ones for 24 hours each`,
    {
      limit: { name: "webhook_secrets", value: MAX_SECRETS },
      retryAfterSeconds: Math.max(1, Math.ceil(endsInMs / 1_000)),
    },
  );
}

function disabledEndpoint(): CoreError {
  return conflict("endpoint_disabled", "the endpoint is disabled: enable it first");
}
