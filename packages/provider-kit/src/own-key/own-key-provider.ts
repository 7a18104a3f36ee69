import { createHash } from "node:crypto";
import { z } from "zod";
import { type CredentialField, isSecretField, type LocalizedText } from "../credential-field.js";
import { type CheckResult, defineProvider, type ProviderConnector, type ProviderDefinition } from "../definition.js";
import type { InstitutionClient } from "../oauth/token-endpoint.js";
import { refusalOfClient } from "../oauth/token-endpoint.js";
import { AnswerFailure, failedAnswer } from "../outage.js";
import type { AccessTerms, BankProvider, FetchedData, FetchRequest } from "../port.js";
import { secret } from "../secret.js";
import type { SnapshotData } from "../snapshot.js";
import { baseUrl } from "../values.js";
import { dayBefore, dayInZone } from "./days.js";
import { type CallRules, createInstitutionCalls, type InstitutionCalls } from "./institution-calls.js";
import type { KeyAuth, OwnKey } from "./key-auth.js";
import { loginByKey } from "./login-by-key.js";
import { loginByRedirect } from "./login-by-redirect.js";
import type { OwnReading, Sender } from "./own-reading.js";
import { type HistoryPage, type HistoryPosition, historyPosition, readPages } from "./paged-history.js";
import { ReadInterrupted } from "./read-interrupted.js";
import { shareReference } from "./shared-reference.js";

/** An environment of an institution: its address, which the settings may replace, and its row in the catalogue. */
export interface KeyEnvironment {
  readonly base_url: string;
  readonly connector: Omit<ProviderConnector, "provider_ref">;
}

/** What a read gets: calls with the customer's key, who the customer is, the time, and the institution's reference data. */
export interface KeyReading<Shared = object> extends InstitutionCalls {
  /** What `who` named. */
  readonly user_key: string;
  /** A moment: `dayInZone(zone, now)` is the institution's day. */
  readonly now: Date;
  readonly reference: { readonly [Name in keyof Shared]: () => Promise<Shared[Name]> };
}

/** Data that are the same for all customers, such as a list of assets. */
export interface ReferenceData<Value> {
  /** How long they are kept, in milliseconds. */
  readonly keep_ms: number;
  /** Reads them, without a key. What it returns stays in memory, so it should be no more than is needed. */
  read(calls: InstitutionCalls): Promise<Value>;
}

/** An environment's authorization server, and how it is talked to. */
export type AuthorizationServer = Omit<InstitutionClient, "client_id" | "client_secret" | "authorize_url" | "tls"> & {
  readonly authorize_url: string;
};

/** Customers make a key and type it. */
interface KeyLogin<Field extends string> {
  readonly auth: KeyAuth<Field>;
  readonly credentials: {
    readonly fields: Readonly<Record<Field, Omit<CredentialField, "name" | "required">>>;
    /** Where the customer makes a key. */
    readonly howTo: LocalizedText;
    /** What such a key allows: `trade` if the institution has none that only reads. */
    readonly rights: "read" | "trade";
  };
}

/** Customers log in at the institution ({@link oauthCode}), to which the installation is known as a client: the settings have its id and secret. */
interface RedirectLogin {
  /** The authorization server of each environment. */
  readonly auth: { readonly oauthCode: Readonly<Record<string, AuthorizationServer>> };
  readonly credentials: Pick<KeyLogin<string>["credentials"], "rights">;
}

/** An institution whose customers give access themselves, by a key or by a login: what differs from one to the next. */
export type OwnKeyProvider<Field extends string, Shared extends object = object> = (KeyLogin<Field> | RedirectLogin) &
  OwnKeyReading<Shared>;

interface OwnKeyReading<Shared extends object> extends Omit<CallRules, "auth"> {
  readonly name: string;
  readonly title: string;
  /** By name, which is the `provider_ref` of its row. */
  readonly environments: Readonly<Record<string, KeyEnvironment>>;
  /** What customers are told of the data before the login. */
  readonly delivers?: Pick<AccessTerms, "holdings" | "transactions" | "updates">;
  /** Names the customer, the same for every key of theirs. One cheap call: it is also how a key is tested. */
  who(calls: InstitutionCalls): Promise<string>;
  /** Read once for all customers of an address, and kept for a while; limits with a `path` count these calls together. */
  readonly reference?: { readonly [Name in keyof Shared]: ReferenceData<Shared[Name]> };
  readonly read: {
    /** The accounts and what they hold now. */
    accounts(reading: KeyReading<Shared>): Promise<Pick<SnapshotData, "portfolios" | "holdings">>;
    readonly transactions?: {
      /** Institutions write rows late: pages are read from so many days before what is known. */
      readonly overlap_days: number;
      /** The zone of the institution's days (IANA). */
      readonly zone: string;
      /**
       * One page, of `at` (null = the first). `from` is the first day to read, itself included; null = all. A history that is too long for one fetch goes
       * on with the next one, from the page that it came to.
       */
      page(reading: KeyReading<Shared>, position: Pick<HistoryPosition, "at" | "from">): Promise<HistoryPage>;
    };
  };
}

/** Until when a call of a read may wait for its turn, from its start: the server ends a read after a minute. */
const WAIT_MS = 30_000;
/** After this time a read begins no other page. */
const READ_MS = 20_000;

/**
 * Defines a provider for an institution whose customers type a key of their own, or log in at its page. Its settings are the addresses (`base_urls`),
 * and for logins by redirect who we are at each environment (`clients`). It has one catalogue row for each environment.
 */
export function defineOwnKeyProvider<Field extends string, Shared extends object = object>(
  own: OwnKeyProvider<Field, Shared>,
): ProviderDefinition {
  const environments = Object.entries(own.environments);
  const byKey = "fields" in own.credentials ? (own as KeyLogin<Field> & OwnKeyReading<Shared>) : null;
  const fields = Object.entries<Omit<CredentialField, "name">>(byKey?.credentials.fields ?? {});
  // A key that is shown while it is typed, and is not masked elsewhere, is a mistake of its author.
  if (byKey && !fields.some(([name, field]) => isSecretField({ ...field, name })))
    throw new TypeError(`${own.name}: credentials.fields has no field of kind "secret"`);
  const servers = "oauthCode" in own.auth ? own.auth.oauthCode : null;
  const settings = settingsOf(environments, servers);
  /** Whether there are settings for an environment. */
  const isServed = ({ base_urls, clients }: Settings, name: string) => Object.hasOwn(clients ?? base_urls, name);
  const environmentOf = (given: Settings, ref: string | null) => {
    const name = ref ?? (environments.length === 1 ? environments[0]?.[0] : undefined) ?? "";
    const base_url = given.base_urls[name];
    if (base_url === undefined || !isServed(given, name))
      throw new AnswerFailure(`${own.name} has no environment for this row: its provider_ref is none of theirs`);
    return { name, base_url };
  };
  /** We at the authorization server of an environment. */
  const clientOf = (given: Settings, name: string): InstitutionClient => {
    const [server, client] = [servers?.[name], given.clients?.[name]];
    if (server === undefined || client === undefined) throw new AnswerFailure(`${own.name} has no client for ${name}`);
    return { ...server, ...client };
  };

  return defineProvider({
    name: own.name,
    title: own.title,
    settings,
    connectors: (given) =>
      environments
        .filter(([name]) => isServed(given, name))
        .map(([name, { connector }]) => ({ ...connector, provider_ref: name }) as ProviderConnector),
    serves: (given, { provider_ref }) => provider_ref === null || isServed(given, provider_ref),

    async check({ settings: given, http, signal }): Promise<CheckResult> {
      const clock = () => new Date(0);
      for (const name of Object.keys(given.clients ?? {})) {
        const code = await refusalOfClient(clientOf(given, name), { http, clock, signal });
        const message = `${name}: the token endpoint refuses the client (${code})`;
        if (code !== null) return { ok: false, cause: "client_refused", message };
      }
      if (byKey === null) return { ok: true, message: "the institution knows the client" };
      // There is no key of ours: an institution that refuses one that is none is reachable.
      const key = Object.fromEntries(Object.keys(byKey.credentials.fields).map((name) => [name, "none"]));
      const none = {
        http,
        pace: async () => null,
        clock,
        key: key as OwnKey<Field>,
        identity: "",
        mayWait: null,
        signal,
      };
      for (const [name, base_url] of Object.entries(given.base_urls)) {
        const accepted = await own.who(createInstitutionCalls(byKey, { ...none, base_url })).then(
          () => true,
          (error: unknown) => {
            if (error instanceof ReadInterrupted && "refused" in error.end) return false;
            throw error;
          },
        );
        if (accepted) return { ok: false, message: `${name} accepts a key that is none` };
      }
      return { ok: true, message: "the institution answers; only a customer's own key can show more" };
    },

    create({ settings: given, ...services }): Omit<BankProvider, "name"> {
      const { pace, clock } = services;
      const { auth: _, spacing_ms: __, ...keyless } = own;
      const references = Object.entries<ReferenceData<unknown>>(own.reference ?? {});
      /** For each address, which are as many as there are environments. */
      const shared = new Map(
        Object.values(given.base_urls).map((base_url) => [
          base_url,
          references.map(([name, { read, keep_ms }]) => [name, shareReference(read, keep_ms, clock)] as const),
        ]),
      );
      const referencesOf = (
        { base_url, application }: { base_url: string; application: string },
        mayWait: { until: Date } | null,
        signal: AbortSignal,
      ) => {
        const without = {
          http: services.http,
          pace,
          clock,
          base_url,
          key: {},
          identity: base_url,
          application,
          mayWait,
        };
        const open = (signal: AbortSignal) =>
          createInstitutionCalls({ ...keyless, auth: (request) => request }, { ...without, signal });
        const entries = (shared.get(base_url) ?? []).map(([name, get]) => [name, () => get(open, signal)] as const);
        return Object.fromEntries(entries) as KeyReading<Shared>["reference"];
      };
      const open = (
        { auth, key, http, of }: Sender,
        { provider_ref, awaited, signal }: Pick<FetchRequest, "provider_ref" | "awaited" | "signal">,
      ) => {
        signal.throwIfAborted();
        const { name, base_url } = environmentOf(given, provider_ref);
        const application = JSON.stringify([base_url, given.clients?.[name]?.client_id ?? null]);
        const mayWait = awaited ? { until: new Date(clock().getTime() + WAIT_MS) } : null;
        // Keys of rate limits are stored where every replica sees them.
        const identity = createHash("sha256")
          .update(JSON.stringify([base_url, ...of]))
          .digest("base64url");
        const as = { http, pace, clock, base_url, key, identity, application, mayWait, signal };
        const reference = referencesOf({ base_url, application }, mayWait, signal);
        return { ...createInstitutionCalls({ ...own, auth }, as), reference };
      };
      const reading: OwnReading = {
        who: async (sender, request) => own.who(open(sender, { ...request, awaited: true })),
        fetch: async (sender, user_key, request) =>
          read(own, { ...open(sender, request), user_key, now: clock() }, request, clock),
      };
      const terms = { rights: own.credentials.rights, ...own.delivers };
      const login =
        byKey === null
          ? {
              terms: () => terms,
              ...loginByRedirect((ref) => clientOf(given, environmentOf(given, ref).name), services, reading),
            }
          : { terms: () => ({ ...terms, howTo: byKey.credentials.howTo }), ...loginByKey(byKey, services, reading) };
      return { ...login, fetch: (request) => login.fetch(request).catch(failedAnswer) };
    },
  });
}

/** Reads the accounts and the first part of the history; or only its next part, if an earlier fetch began it. */
async function read<Shared extends object>(
  { read: { accounts, transactions } }: OwnKeyReading<Shared>,
  reading: KeyReading<Shared>,
  { since, pending_state, signal }: Pick<FetchRequest, "since" | "pending_state" | "signal">,
  clock: () => Date,
): Promise<Pick<FetchedData, "snapshot" | "more">> {
  const begun = historyPosition.safeParse(pending_state).data;
  const held = begun === undefined ? await accounts(reading) : { portfolios: null, holdings: null };
  const as_of = begun === undefined ? reading.now : new Date(begun.as_of);
  if (!transactions) return { snapshot: { as_of, ...held, transactions: null } };
  const { zone, overlap_days, page } = transactions;
  const from = since && dayBefore(dayInZone(zone, since), overlap_days);
  const end = reading.now.getTime() + READ_MS;
  const part = await readPages(
    (position) => page(reading, position),
    begun ?? { at: null, from, as_of: as_of.toISOString(), pages: 0 },
    () => !signal.aborted && clock().getTime() < end,
  );
  // Whoever has stopped the read wants no part of it.
  signal.throwIfAborted();
  const { rows, withdrawn, more } = part;
  const isNothing = more !== null && more.state.pages === (begun?.pages ?? 0);
  // The accounts are not held back for a history that could not be begun; one that could not go on has brought nothing.
  if (isNothing && begun !== undefined) throw new ReadInterrupted({ throttled: { retry_after: more.retry_after } });
  const told = { transactions: isNothing ? null : rows, ...(withdrawn.length > 0 && { withdrawn }) };
  return { snapshot: { as_of, ...held, ...told }, ...(more && { more }) };
}

interface Settings {
  readonly base_urls: Readonly<Record<string, string>>;
  readonly clients?: Readonly<Record<string, OwnClient | undefined>> | undefined;
}

/** Who we are at an environment. */
type OwnClient = Pick<InstitutionClient, "client_id" | "client_secret" | "token_url" | "authorize_url">;

function settingsOf(
  environments: readonly (readonly [string, KeyEnvironment])[],
  servers: Readonly<Record<string, AuthorizationServer>> | null,
): z.ZodType<Settings> {
  const base_urls = z
    .strictObject(Object.fromEntries(environments.map(([name, { base_url }]) => [name, baseUrl.default(base_url)])))
    .prefault({});
  if (servers === null) return z.strictObject({ base_urls });
  const clients = Object.entries(servers).map(([name, { authorize_url, token_url }]) => {
    const addresses = { authorize_url: baseUrl.default(authorize_url), token_url: baseUrl.default(token_url) };
    const client = z.strictObject({ client_id: z.string().min(1), client_secret: secret(), ...addresses });
    return [name, client.optional()] as const;
  });
  const atLeastOne = z
    .strictObject(Object.fromEntries(clients))
    .refine((given) => Object.keys(given).length > 0, "needs the client of one environment at least");
  return z.strictObject({ clients: atLeastOne, base_urls });
}
