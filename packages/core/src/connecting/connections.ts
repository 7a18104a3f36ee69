import { evaluateRelogin, type ReloginEvaluation, type ReloginReason } from "@org/relogin-rule";
import { auditEntry } from "../audit-entry.js";
import type { Connectors, TokenPage } from "../catalogue/connectors.js";
import { type Attention, attentionOf, type NamedAccount, namedAccount } from "../connections/attention.js";
import { type AdminConnection, type ConnectionPlace, placeInOrder } from "../connections/connection-admin-queries.js";
import { connectionConditionOf, removeConnection } from "../connections/connection-changes.js";
import type { ConnectionSearch, FoundConnection } from "../connections/connection-search.js";
import type { ConnectionRecord } from "../connections/connection-store.js";
import { consentRenewalOf, refreshStateOf } from "../connections/refresh-plan.js";
import { type Revocations, sharing } from "../connections/revocations.js";
import { clientsNamed, connectionsOfClients } from "../data/client-connections.js";
import type { DataReader } from "../data/data-reader.js";
import { CoreError, invalidValue } from "../errors.js";
import { discontinueLetter } from "../letters/letter-moves.js";
import { createPager } from "../pager.js";
import type { TenantActor } from "../ports/actor.js";
import { clientsWithin, inLimit, type LimitedActor } from "../ports/client-limit.js";
import type { Runtime } from "../ports/runtime.js";
import type { ProviderDirectory } from "../providers/provider-directory.js";
import type { ConsentRenewal, CredentialStatus } from "../schemas/credential-status.js";
import { parseUuid } from "../schemas/identifier.js";
import type { Labels } from "../schemas/labels.js";
import { parseMoment } from "../schemas/moment.js";
import { type Page, toPage } from "../schemas/paging.js";
import type { ConnectingStorage } from "./storage.js";
import { type LoginKinds, usesKey } from "./uses-key.js";

/** A bank connection in the tools' list. */
export interface CredentialView {
  readonly credentials_token: string;
  readonly bank: string;
  /** Whose it is, by the tenant's reference; null = nobody's. */
  readonly client_ref: string | null;
  readonly labels: Labels;
  readonly status?: CredentialStatus;
  /** What it needs from somebody; null if nothing. */
  readonly attention: Attention | null;
  readonly created_at: string;
  /** The first three; only if asked. */
  readonly accounts?: readonly NamedAccount[];
}
/** A row of a list; with `attention_only` it has no more than what is always there, and whose it is where it is somebody's. */
export type ListedCredential = Pick<CredentialView, "credentials_token" | "bank" | "attention"> &
  Partial<CredentialView>;

/** Which connections are listed, and with what. */
export interface CredentialsQuery {
  readonly bank: string | null;
  /** One or many clients; left out = of all, and of none. */
  readonly client_ref?: string | readonly string[] | undefined;
  readonly ready_only: boolean;
  /** Only those that need attention, and of each only its token, bank and attention. */
  readonly attention_only?: boolean;
  readonly include_status: boolean;
  readonly include_accounts?: boolean;
  readonly page: number;
  readonly page_size: number;
}

/** Bank connections ("credentials") of a tenant. Unknown and malformed tokens are both NOT_FOUND. */
export interface Credentials {
  /**
   * Oldest first. `bank` is part of the name; case and accents do not matter. `ready_only` leaves out connections that are pending
   * or need a login.
   * @throws CoreError NOT_FOUND for a `client_ref` that no client has
   */
  list(actor: TenantActor, query: CredentialsQuery): Promise<Page<ListedCredential>>;
  /** Returns one credential with all its details. @throws CoreError NOT_FOUND */
  show(
    actor: TenantActor,
    credentialsToken: string,
  ): Promise<
    Required<Omit<CredentialView, "accounts">> & ReloginEvaluation & { consent_renewal: ConsentRenewal | null }
  >;
  /** Says what its deletion would take: its bank and its accounts, with the last four of their numbers. @throws CoreError NOT_FOUND */
  loss(actor: TenantActor, credentialsToken: string): Promise<string>;
  /** @throws CoreError NOT_FOUND */
  status(actor: TenantActor, credentialsToken: string): Promise<CredentialStatus>;
  /** @throws CoreError NOT_FOUND */
  needsRelogin(actor: TenantActor, credentialsToken: string): Promise<ReloginEvaluation>;
  /**
   * Deletes a credential and everything stored for it in one transaction. A letter that created it becomes Discontinued in the same
   * transaction.
   * @throws CoreError CONFIRMATION_REQUIRED unless `confirm` is true (nothing changes; the message says what would be lost),
   * NOT_FOUND
   */
  remove(actor: TenantActor, credentialsToken: string, confirm: boolean): Promise<{ bank: string }>;
}

export function createCredentials(
  deps: LoginKinds & {
    storage: ConnectingStorage & { readonly reader: Pick<DataReader, "portfolios" | "connectionsOf"> };
    runtime: Runtime;
    /** How long the notice of an end waits, so that it can be withdrawn; 0 if omitted. */
    mailDelayMs?: number;
    /** If omitted, accesses are not revoked at the bank. */
    revocations?: Pick<Revocations, "of">;
  },
): Credentials {
  const { storage, runtime } = deps;

  return {
    async list(actor, { bank, client_ref, ready_only, attention_only = false, page, page_size, ...shown }) {
      const now = runtime.clock();
      const client_refs = clientsNamed(actor, client_ref);
      if (client_ref !== undefined && client_refs !== null)
        await connectionsOfClients(storage.reader, actor.tenant_id, client_refs, []);
      const { items, total } = await storage.connectionFinder.page(actor.tenant_id, {
        bank,
        client_refs,
        ready_only,
        attention_at: attention_only ? now : null,
        with_accounts: !attention_only && (shown.include_accounts ?? false),
        page,
        page_size,
      });
      const needs = items.map((record) => attentionOf(record, now));
      // Only for what needs somebody does it matter how its customer logs in.
      for (const [index, record] of items.entries())
        if (needs[index])
          needs[index] = attentionOf(record, now, await usesKey(deps, record.connector_id, actor.tenant_id));
      const views = items.map((record, index): ListedCredential => {
        const { credentials_token, bank, client_ref, attention, ...rest } = credentialView(
          record,
          needs[index] ?? null,
        );
        if (attention_only) return { credentials_token, bank, ...(client_ref !== null && { client_ref }), attention };
        const accounts = record.accounts?.map(namedAccount);
        return {
          credentials_token,
          bank,
          client_ref,
          ...rest,
          attention,
          ...(accounts && { accounts }),
          ...(shown.include_status && { status: record.status }),
        };
      });
      return toPage(views, total, page, page_size);
    },
    async show(actor, token) {
      const record = await find(actor, token);
      const now = runtime.clock();
      const consent_renewal = consentRenewalOf(record.status, now);
      const attention = await attentionFor(actor, record, now);
      const relogin = await reloginFor(actor, record);
      return { ...credentialView(record, attention), status: record.status, ...relogin, consent_renewal };
    },
    async loss(actor, token) {
      return lossOf(actor, await find(actor, token));
    },
    async status(actor, token) {
      return (await find(actor, token)).status;
    },
    async needsRelogin(actor, token) {
      return reloginFor(actor, await find(actor, token));
    },
    async remove(actor, token, confirm) {
      if (!confirm) throw confirmationRequired(await lossOf(actor, await find(actor, token)));
      const id = parseUuid(token);
      if (id === null) throw unknownToken();
      const { record, reference } = await storage.inTenant(actor.tenant_id, async (stores) => {
        const record = inLimit(actor, await stores.connections.find(id));
        if (!record) throw unknownToken();
        const reference = await stores.refreshes.referenceOf(id);
        const letter = await stores.letters.findByConnection(id);
        if (letter) await discontinueLetter(stores, runtime, actor, letter, { mail_delay_ms: deps.mailDelayMs });
        else await removeConnection(stores, record, null);
        await stores.audit.append(auditEntry(runtime, actor, "connection.delete", "connection", id));
        return { record, reference };
      });
      deps.revocations?.of(actor.tenant_id, [record], sharing(storage, actor.tenant_id, reference))();
      return { bank: record.bank };
    },
  };

  async function attentionFor(
    { tenant_id }: TenantActor,
    record: ConnectionRecord,
    now: Date,
  ): Promise<Attention | null> {
    const attention = attentionOf(record, now);
    return attention && attentionOf(record, now, await usesKey(deps, record.connector_id, tenant_id));
  }

  async function reloginFor({ tenant_id }: TenantActor, record: ConnectionRecord): Promise<ReloginEvaluation> {
    const relogin = evaluateRelogin(record.status);
    if (!relogin.needs_relogin) return relogin;
    if (record.provider === "datafeed") return advised(relogin, askOperator);
    return (await usesKey(deps, record.connector_id, tenant_id)) ? advised(relogin, makeNewKey, keyRefused) : relogin;
  }

  async function lossOf(actor: TenantActor, { bank, connection_id }: ConnectionRecord): Promise<string> {
    const page = await storage.reader.portfolios(actor.tenant_id, {
      ...firstPortfolios,
      now: runtime.clock(),
      connection_ids: [connection_id],
    });
    const rows: readonly { name: string; refAccount: string | null }[] =
      page.kind === "page" ? JSON.parse(page.items_json) : [];
    const names = rows.map(({ name, refAccount }) => {
      const { last_four } = namedAccount({ name, ref_account: refAccount });
      return `${JSON.stringify(name)}${last_four === null ? "" : ` (number ending in ${last_four})`}`;
    });
    const others = page.kind === "page" ? page.total - rows.length : 0;
    const accounts = [...names, ...(others > 0 ? [`${others} more`] : [])].join(", ");
    return `the connection to ${JSON.stringify(bank)} with all of its holdings and transactions${accounts && `, in the accounts ${accounts}`}`;
  }

  async function find(actor: TenantActor, token: string): Promise<ConnectionRecord> {
    const id = parseUuid(token);
    const record = id && (await storage.inTenant(actor.tenant_id, ({ connections }) => connections.find(id)));
    const found = inLimit(actor, record);
    if (!found) throw unknownToken();
    return found;
  }
}

/** Makes the error that an assistant shows to the person. */
function confirmationRequired(loss: string): CoreError {
  return new CoreError(
    "CONFIRMATION_REQUIRED",
    `nothing was deleted. This would permanently delete ${loss}. It cannot be undone. Ask the person whether to delete it, and wait for a ` +
      "clear yes; only then pass confirm=true",
    { details: [invalidValue("confirm", "must be true")] },
  );
}

/** The query for the accounts that the confirmation names. */
const firstPortfolios = {
  page: 1,
  page_size: 5,
  fields: ["name", "refAccount"],
  with_facts: false,
  include_source_token: false,
  revision: null,
  currencies: null,
  types: null,
  min_balance: null,
  name: null,
  sort: null,
  totals_by: [],
  totals_only: false,
} as const;

function credentialView(record: ConnectionRecord, attention: Attention | null): CredentialView {
  const { connection_id, bank, client_ref, labels, created_at } = record;
  return {
    credentials_token: connection_id,
    bank,
    client_ref,
    labels,
    attention,
    created_at: created_at.toISOString(),
  };
}

/** @param authError replaces the message of `auth_error` */
function advised({ needs_relogin, reasons }: ReloginEvaluation, next_action: string, authError?: string) {
  const advise = (reason: ReloginReason): ReloginReason => ({
    ...reason,
    ...(authError && reason.code === "auth_error" && { message: authError }),
    next_action,
  });
  return { needs_relogin, reasons: reasons.map(advise) };
}

const keyRefused = "The bank refused the stored key: it has expired or was deleted.";
/** Replaces the advice to log in again where the customer connects with a key. */
const makeNewKey =
  "Call svc-create-connect-session with this credential as connection_id and give its widget_url to the person, who makes a new key at the bank and enters it there.";

/** Replaces the advice to log in again: a data feed has no login. */
const askOperator =
  "Nobody can log in here: the data come as files of the custodian. Ask whoever operates the service why they stay out, and go on when they arrive.";

function unknownToken(): CoreError {
  return new CoreError("NOT_FOUND", "no such credentials_token");
}

/** A connection in an operator's list. */
export interface AdminConnectionView extends FoundConnection {
  readonly tenant_id: string;
  /** The tenant's name. */
  readonly tenant: string;
}

/** Lets operators and tenants search connections by their state. Never contains data of portfolios. */
export interface ConnectionAdmin {
  /**
   * Newest first, page by page; a tenant of null = all of them.
   * @param actor whoever of the tenant asks, whose limit of clients holds; omitted by operators
   * @throws CoreError VALIDATION_ERROR on `page_token`
   */
  search(
    tenantId: string | null,
    search: ConnectionSearch,
    actor?: LimitedActor,
  ): Promise<TokenPage<AdminConnectionView>>;
}

export function createConnectionAdmin(deps: {
  storage: Pick<ConnectingStorage, "connectionAdmin">;
  runtime: Pick<Runtime, "clock" | "mac">;
  connectors: Pick<Connectors, "search" | "find">;
  /** If omitted, nobody has a key. */
  providers?: Pick<ProviderDirectory, "for">;
}): ConnectionAdmin {
  const { storage, runtime, connectors } = deps;
  const page = createPager(runtime.mac);

  return {
    async search(tenantId, { query, order, page_token, page_size }, actor) {
      const client_ref_in = clientsWithin(actor ?? {}, query.client_ref_in ?? null);
      const { connection_id, bank, state_in, consent_ends_before, is_failing } = query;
      const wanted = {
        tenant_id: tenantId,
        asked_by: actor ? tenantId : null,
        connection_id: connection_id ?? null,
        client_ref_in,
        connector_id_in: await connectorsNamed(bank),
        state_in: state_in ?? null,
        consent_ends_before: consent_ends_before ? (parseMoment(consent_ends_before)?.from ?? null) : null,
        is_failing: is_failing ?? null,
        order,
      };
      const asked = [tenantId, connection_id, client_ref_in, bank, state_in, consent_ends_before, is_failing, order];
      const { rows, next_page_token } = await page({
        query: ["connections", ...asked.map((one) => one ?? null)],
        token: page_token,
        size: page_size,
        rows: (after: ConnectionPlace | null, limit) => storage.connectionAdmin.list({ ...wanted, after, limit }),
        keyOf: (row) => `${row.connection_id} ${placeInOrder(row, order).at ?? ""}`,
        readKey: readPlace,
      });
      const now = runtime.clock();
      const keys = await Promise.all(rows.map((row) => usesKey(deps, row.connector_id, row.tenant_id)));
      return { items: rows.map((row, index) => adminView(row, keys[index] === true, now)), next_page_token };
    },
  };

  /**
   * Returns the ids of the connectors with this name. The catalogue is searched, because it is in memory and knows how names are
   * compared.
   */
  async function connectorsNamed(name: string | undefined): Promise<readonly string[] | null> {
    if (name === undefined || name.trim() === "") return null;
    const all = { page: 1, page_size: Number.MAX_SAFE_INTEGER };
    return (await connectors.search({ name: name.trim(), ...all }, null)).items.map(({ id }) => id);
  }
}

/** Parses the key of a page token; null if it is invalid. */
function readPlace(text: string): ConnectionPlace | null {
  const [id = "", at = ""] = text.split(" ");
  const connection_id = parseUuid(id);
  return connection_id && { connection_id, at: at === "" ? null : at };
}

function adminView(
  { status, created_at, refresh, ...connection }: AdminConnection,
  uses_key: boolean,
  now: Date,
): AdminConnectionView {
  return {
    ...connection,
    uses_key,
    state: connectionConditionOf(status),
    reasons: evaluateRelogin(status).reasons.map(({ code }) => code),
    last_update: status.last_update,
    consent_expires_at: status.consent_expires_at,
    created_at: created_at.toISOString(),
    refresh: refreshStateOf(refresh, now),
  };
}
