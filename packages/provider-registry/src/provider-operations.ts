import type {
  Actor,
  AuditedAction,
  Connectors,
  Runtime,
  Sleep,
  Storage,
  StoredProviderSettings,
  Uuid,
} from "@org/core";
import {
  auditEntry,
  CoreError,
  conflict,
  contentVersion,
  faultsOf,
  ifVersion,
  invalid,
  invalidAll,
  invalidValue,
  versionConflict,
} from "@org/core";
import {
  type CheckCause,
  checkCauseOf,
  checkCauses,
  type HttpClient,
  maskSettings,
  type ProviderDefinition,
} from "@org/provider-kit";
import { zodMessages } from "@org/validation-messages";
import { withKeptSecrets } from "./kept-secrets.js";
import {
  CREATE_MS,
  makeProvider,
  NoAnswer,
  NotMade,
  parseSettings,
  redactedReason,
  type ServicesFor,
} from "./make-provider.js";
import { compareRows, leftOutRows, MAX_NAMED, type SyncedRows, withdrawn } from "./proposed-rows.js";
import type { ProviderRegistry, ProviderStanding } from "./provider-registry.js";
import { schemaText, settingsContext, shownSecretsIn } from "./settings-schema.js";

/** A provider as operators see it. */
export interface ProviderView extends ProviderStanding {
  /** Null if it is not loaded. */
  readonly title: string | null;
  /** Number of catalogue rows that name it as their provider. */
  readonly connectors: number;
}

/** A provider with its settings. */
export interface ProviderDetails extends ProviderView {
  /** Secrets are shown as `"set"`; null if there are no settings. */
  readonly settings: unknown;
  /** Another number after each change of the settings; 0 if there are none. */
  readonly version: number;
  /** The settings that it takes, as a JSON Schema; null if its schema cannot be expressed in one. */
  readonly settings_schema: Readonly<Record<string, unknown>> | null;
}

/** The result of testing settings. */
export interface ProviderTest {
  readonly ok: boolean;
  /** Null if it is none of the known causes. */
  readonly cause: CheckCause | null;
  readonly message: string;
}

/**
 * Lets operators read, change and test the settings of providers. A null tenant is the installation. A change takes effect immediately on
 * this server and within seconds on all others.
 * @throws CoreError from every method: NOT_FOUND for a provider that is not loaded, or a tenant that does not exist
 */
export interface ProviderOperations {
  /** All providers; for one tenant, each under the settings that apply to it. */
  list(tenantId: Uuid | null): Promise<readonly ProviderView[]>;
  show(name: string, tenantId: Uuid | null): Promise<ProviderDetails>;
  /**
   * A secret that is given as it is shown stays, unless it would go to another host.
   * @param version the version that the caller saw; CONFLICT when the settings have changed since
   * @throws CoreError VALIDATION_ERROR with every fault and its path below `settings`
   */
  set(
    operator: Actor,
    name: string,
    tenantId: Uuid | null,
    settings: unknown,
    version?: number,
  ): Promise<ProviderDetails>;
  /**
   * Tests settings at the institution: those given, else those that apply to the tenant.
   * @throws CoreError VALIDATION_ERROR, CONFLICT when there are none
   */
  test(operator: Actor, name: string, tenantId: Uuid | null, settings: unknown): Promise<ProviderTest>;
  /** Removes settings, also of a provider that is not loaded. Connections stay. @throws CoreError NOT_FOUND when nothing is set */
  remove(operator: Actor, name: string, tenantId: Uuid | null): Promise<void>;
  /** Imports the rows that the provider proposes under its settings. @throws CoreError CONFLICT, UNAVAILABLE with the reason */
  sync(operator: Actor, name: string, tenantId: Uuid | null, withdraw?: boolean): Promise<SyncedRows>;
}

const CHECK_MS = 30_000;
const ROWS_MS = 60_000;

export function createProviderOperations(deps: {
  registry: ProviderRegistry;
  storage: Pick<Storage, "auditTrail" | "catalogue" | "providerSettings" | "tenants">;
  runtime: Runtime;
  connectors: Connectors;
  servicesFor: ServicesFor;
  sleep: Sleep;
}): ProviderOperations {
  const { registry, storage, runtime, connectors, servicesFor } = deps;

  return {
    async list(tenantId) {
      const tenant = await tenantOf(tenantId);
      const counts = await countRows();
      const all = registry.standings();
      if (tenant === null) return all.map((standing) => viewOf(standing, counts));
      const own = all.filter(({ tenant_id }) => tenant_id === tenant);
      const named = new Set(own.map(({ name }) => name));
      const rest = all.filter(({ name, tenant_id }) => tenant_id === null && !named.has(name));
      return [...own, ...rest].sort((a, b) => (a.name < b.name ? -1 : 1)).map((standing) => viewOf(standing, counts));
    },

    async show(name, tenantId) {
      return details(definitionOf(name), await tenantOf(tenantId));
    },

    async set(operator, name, tenantId, given, version) {
      const definition = definitionOf(name);
      const tenant_id = await tenantOf(tenantId);
      const row = await rowFor(name, tenant_id);
      const stated = await completed(definition, row, given);
      await requireSound(definition, tenant_id, stated);
      const sealed = await runtime.vault.seal(JSON.stringify(stated), settingsContext(tenant_id, name));
      const entry = auditEntry(runtime, operator, "provider.set", "provider", name);
      // Always later than what it replaces: servers recognise new settings by this time, because the same settings may be sealed again
      // under another key.
      const before = row?.changed_at.getTime() ?? 0;
      const changed_at = new Date(Math.max(runtime.clock().getTime(), before + 1));
      // Secrets that were taken over belong to the settings that were read.
      const base = version ?? (row && stated !== given ? settingsVersion(row) : undefined);
      const made = { tenant_id, provider: name, sealed, changed_at };
      if (!(await storage.providerSettings.keep(made, entry, ifVersion(base, settingsVersion))))
        throw versionConflict("provider", base);
      await registry.load(CREATE_MS + 1_000);
      return details(definition, tenant_id);
    },

    async test(operator, name, tenantId, given) {
      const definition = definitionOf(name);
      const tenant_id = await tenantOf(tenantId);
      const own = given && (await completed(definition, await rowFor(name, tenant_id), given));
      if (own !== undefined) await requireSound(definition, tenant_id, own);
      const stated = own ?? (await statedFor(definition, tenant_id));
      const result = await tried(definition, stated);
      await record(operator, tenant_id, "provider.test", name, { ok: result.ok });
      return result;
    },

    async remove(operator, name, tenantId) {
      const tenant_id = await tenantOf(tenantId);
      const entry = auditEntry(runtime, operator, "provider.remove", "provider", name);
      if (!(await storage.providerSettings.remove(tenant_id, name, entry)))
        throw new CoreError("NOT_FOUND", "no settings are set for this provider");
      await registry.load(CREATE_MS + 1_000);
    },

    async sync(operator, name, tenantId, withdraw = false) {
      const definition = definitionOf(name);
      const tenant_id = await tenantOf(tenantId);
      const stated = await statedFor(definition, tenant_id);
      const rows = await rowsOf(definition, stated);
      const { serves = () => true } = definition;
      const settings = await parseSettings(definition, stated);
      const { proposed, taken, unproposed } = compareRows(
        name,
        rows,
        (await storage.catalogue.all()).connectors,
        ({ id, provider_ref }) => serves(settings, { connector_id: id, provider_ref }),
      );
      const lines = [...proposed, ...(withdraw ? unproposed.map(withdrawn) : [])];
      const left = leftOutRows(lines);
      const { inserted, updated, unchanged } =
        lines.length === 0
          ? { inserted: 0, updated: 0, unchanged: 0 }
          : await connectors.importLines(lines, left.leaveOut).catch(refuseRows);
      await record(operator, tenant_id, "provider.sync", name, { inserted, updated });
      return {
        ...{ inserted, updated, unchanged },
        ...{ taken_total: taken.length, taken: taken.slice(0, MAX_NAMED) },
        ...{ unproposed_total: unproposed.length, unproposed: unproposed.slice(0, MAX_NAMED).map(({ id }) => id) },
        ...left.named(),
      };
    },
  };

  function definitionOf(name: string): ProviderDefinition {
    const definition = registry.definitions.get(name);
    if (!definition) throw new CoreError("NOT_FOUND", "no provider of this name is loaded: PROVIDERS names them");
    return definition;
  }

  async function tenantOf(tenantId: Uuid | null): Promise<string | null> {
    if (tenantId === null) return null;
    const tenant = await storage.tenants.find(tenantId);
    if (!tenant) throw new CoreError("NOT_FOUND", "TenantNotFound");
    return tenant.tenant_id;
  }

  /** Settings with the stored secrets where they are given as they are shown, unless these would go to another host. */
  async function completed(
    { settings, hosts }: ProviderDefinition,
    row: StoredProviderSettings | undefined,
    given: unknown,
  ): Promise<unknown> {
    const masked = maskSettings(settings, given);
    if (!row || shownSecretsIn(given, masked, "").length === 0) return given;
    const stored = await opened(row);
    const filled = withKeptSecrets(given, masked, stored);
    if (hosts === undefined) return filled;
    const [made, before] = await Promise.all([settings.safeParseAsync(filled), settings.safeParseAsync(stored)]);
    const known = new Set(before.success ? hosts(before.data) : []);
    return made.success && !hosts(made.data).every((host) => known.has(host)) ? given : filled;
  }

  async function requireSound(definition: ProviderDefinition, tenantId: string | null, stated: unknown): Promise<void> {
    const parsed = await definition.settings.safeParseAsync(stated, { error: zodMessages });
    if (!parsed.success) throw invalidAll(faultsOf(parsed.error, stated, "settings"));
    const shown = shownSecretsIn(stated, maskSettings(definition.settings, stated), "settings");
    if (shown.length > 0)
      throw invalidAll(
        shown.map((path) => invalidValue(path, "must be the secret itself: none is stored here for these addresses")),
      );
    const reason = tenantId === null ? (definition.tenantOnly?.(parsed.data) ?? null) : null;
    if (reason !== null) throw invalid(invalidValue("tenant_id", `is required with these settings: ${reason}`));
  }

  /** The settings that apply to a tenant, as they were given; `{}` if the provider needs none. @throws CoreError CONFLICT */
  async function statedFor(definition: ProviderDefinition, tenantId: string | null): Promise<unknown> {
    const row = (await rowFor(definition.name, tenantId)) ?? (await rowFor(definition.name, null));
    if (row) return opened(row);
    if (registry.for({ provider: definition.name }, tenantId)) return {};
    throw conflict("provider_unset", "this provider has no settings yet: set some first");
  }

  async function rowFor(name: string, tenantId: string | null): Promise<StoredProviderSettings | undefined> {
    const { settings } = await storage.providerSettings.all();
    return settings.find(({ provider, tenant_id }) => provider === name && tenant_id === tenantId);
  }

  async function opened(row: StoredProviderSettings | undefined): Promise<unknown> {
    if (!row) return null;
    return JSON.parse(await runtime.vault.open(row.sealed, settingsContext(row.tenant_id, row.provider)));
  }

  async function details(definition: ProviderDefinition, tenantId: string | null): Promise<ProviderDetails> {
    const { name } = definition;
    const standing = registry.standings().find((each) => each.name === name && each.tenant_id === tenantId) ?? {
      name,
      tenant_id: tenantId,
      reason: null,
      changed_at: null,
      state: "no_settings" as const,
    };
    const row = await rowFor(name, tenantId);
    const stated = await opened(row);
    return {
      ...viewOf(standing, await countRows()),
      settings: stated && maskSettings(definition.settings, stated),
      version: row ? settingsVersion(row) : 0,
      settings_schema: schemaText(definition),
    };
  }

  /** Creates the provider apart from the one that serves, and runs its check. */
  async function tried(definition: ProviderDefinition, stated: unknown): Promise<ProviderTest> {
    try {
      await makeProvider(definition, stated, servicesFor, deps.sleep);
      if (definition.check === undefined)
        return {
          ok: true,
          cause: "no_check",
          message: "the settings are taken; this provider has no check of its own",
        };
      const result = await asked(definition, stated, CHECK_MS, (settings, http, signal) =>
        Promise.resolve(definition.check?.({ settings, http, clock: runtime.clock, signal })),
      );
      const said =
        result?.message === undefined ? undefined : redactedReason(new Error(result.message), definition, stated);
      const ok = result?.ok ?? true;
      const known = checkCauses.find((cause) => cause === result?.cause) ?? null;
      return {
        ok,
        cause: known ?? (ok && said === undefined ? "taken" : null),
        message: said ?? (ok ? "the institution takes these settings" : "refused"),
      };
    } catch (error) {
      return {
        ok: false,
        cause: error instanceof NoAnswer ? "no_answer" : checkCauseOf(error),
        message: error instanceof NotMade ? error.message : redactedReason(error, definition, stated),
      };
    }
  }

  async function rowsOf(definition: ProviderDefinition, stated: unknown): Promise<unknown> {
    if (definition.connectors === undefined)
      throw conflict("provider_has_no_rows", "this provider proposes no rows: import some with connectors import");
    try {
      return await asked(definition, stated, ROWS_MS, async (settings, http, signal) =>
        definition.connectors?.(settings, { http, clock: runtime.clock, signal }),
      );
    } catch (error) {
      const reason = error instanceof NotMade ? error.message : redactedReason(error, definition, stated);
      // Without `cause`, which may hold a secret and would be logged.
      throw new CoreError("UNAVAILABLE", `the provider's rows could not be had: ${reason}`, { retryAfterSeconds: 60 });
    }
  }

  /** Calls the provider outside any login, for at most `limitMs` even if it ignores its signal. */
  async function asked<T>(
    definition: ProviderDefinition,
    stated: unknown,
    limitMs: number,
    ask: (settings: unknown, http: HttpClient, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const settings = await parseSettings(definition, stated);
    const services = servicesFor(definition, settings);
    const late = new AbortController();
    const over = new AbortController();
    const limit = deps.sleep(limitMs, over.signal).then(() => {
      const error = new NoAnswer(`no answer within ${limitMs / 1_000} s`);
      late.abort(error);
      throw error;
    });
    limit.catch(() => undefined);
    try {
      return await Promise.race([ask(settings, services.http, late.signal), limit]);
    } finally {
      over.abort();
      await services.close();
    }
  }

  async function record(
    operator: Actor,
    tenant_id: string | null,
    action: AuditedAction,
    name: string,
    facts: Readonly<Record<string, number | boolean>>,
  ): Promise<void> {
    await storage.auditTrail.append([{ tenant_id, ...auditEntry(runtime, operator, action, "provider", name, facts) }]);
  }

  async function countRows(): Promise<ReadonlyMap<string, number>> {
    const counts = new Map<string, number>();
    for (const { provider } of await connectors.all(null)) counts.set(provider, (counts.get(provider) ?? 0) + 1);
    return counts;
  }

  function viewOf(standing: ProviderStanding, counts: ReadonlyMap<string, number>): ProviderView {
    const title = registry.definitions.get(standing.name)?.title ?? null;
    return { ...standing, title, connectors: counts.get(standing.name) ?? 0 };
  }
}

/** The time at which they were set identifies settings, because no two have the same. The settings themselves contain secrets. */
function settingsVersion({ changed_at }: StoredProviderSettings): number {
  return contentVersion(changed_at);
}

/** Faulty rows are the provider's fault, not the operator's, so they are a CONFLICT where no other is left. */
function refuseRows(error: unknown): never {
  if (!(error instanceof CoreError) || error.code !== "VALIDATION_ERROR") throw error;
  throw conflict(
    "provider_rows_unusable",
    `the provider proposes rows that the catalogue does not take: ${error.message}`,
    {
      cause: error,
    },
  );
}
