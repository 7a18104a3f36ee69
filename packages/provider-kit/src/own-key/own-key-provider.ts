import { createHash } from "node:crypto";
import { z } from "zod";
import type { CredentialField, LocalizedText } from "../credential-field.js";
import { defineProvider, type ProviderConnector, type ProviderDefinition } from "../definition.js";
import { isPrivateTransport, parseUrl } from "../hosts.js";
import { AnswerFailure } from "../outage.js";
import type { AccessTerms, BankProvider, FetchedData, FetchRequest, FetchResult, LoginStep } from "../port.js";
import type { SnapshotData } from "../snapshot.js";
import { dayBefore, dayInZone } from "./days.js";
import { type CallRules, createInstitutionCalls, type InstitutionCalls } from "./institution-calls.js";
import type { OwnKey } from "./key-auth.js";
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
  readonly user_key: string;
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

/** An institution whose customers make a key and type it: what differs from one to the next. */
export interface OwnKeyProvider<Field extends string, Shared extends object = object> extends CallRules<Field> {
  readonly name: string;
  readonly title: string;
  /** By name, which is the `provider_ref` of its row. */
  readonly environments: Readonly<Record<string, KeyEnvironment>>;
  readonly credentials: {
    readonly fields: Readonly<Record<Field, Omit<CredentialField, "name" | "required">>>;
    /** Where the customer makes a key. */
    readonly howTo: LocalizedText;
    /** What such a key allows: `trade` if the institution has none that only reads. */
    readonly rights: "read" | "trade";
  };
  /** What customers are told of the data before the login. */
  readonly delivers?: Pick<AccessTerms, "holdings" | "transactions">;
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
      /** One page. A history that is too long for one fetch goes on with the next one, from the page that it came to. */
      page(reading: KeyReading<Shared>, position: Pick<HistoryPosition, "at" | "from">): Promise<HistoryPage>;
    };
  };
}

/** What is stored of a connection. */
const accessSchema = z.object({ key: z.record(z.string(), z.string()), user_key: z.string().min(1) });

/** Until when a call of a read may wait for its turn, from its start: the server ends a read after a minute. */
const WAIT_MS = 30_000;
/** After this time a read begins no other page. */
const READ_MS = 20_000;

/**
 * Defines a provider for an institution whose customers type a key of their own. It has settings only for the addresses
 * (`base_urls`), and one catalogue row for each environment.
 */
export function defineOwnKeyProvider<Field extends string, Shared extends object = object>(
  own: OwnKeyProvider<Field, Shared>,
): ProviderDefinition {
  const names = Object.keys(own.credentials.fields) as Field[];
  const environments = Object.entries(own.environments);
  const settings = z.strictObject({
    base_urls: z
      .strictObject(Object.fromEntries(environments.map(([name, { base_url }]) => [name, address.default(base_url)])))
      .prefault({}),
  });
  const fields = names.map((name): CredentialField => ({ autocomplete: "off", ...own.credentials.fields[name], name }));
  const { rights, howTo } = own.credentials;
  const addressOf = ({ base_urls }: z.output<typeof settings>, ref: string | null) => {
    const found =
      base_urls[ref ?? ""] ?? (ref === null && environments.length === 1 ? Object.values(base_urls)[0] : undefined);
    if (found === undefined)
      throw new AnswerFailure(`${own.name} has no environment for this row: its provider_ref is none of theirs`);
    return found;
  };

  return defineProvider({
    name: own.name,
    title: own.title,
    settings,
    connectors: () =>
      environments.map(([name, { connector }]) => ({ ...connector, provider_ref: name }) as ProviderConnector),
    serves: ({ base_urls }, { provider_ref }) => provider_ref === null || Object.hasOwn(base_urls, provider_ref),

    async check({ settings: { base_urls }, http, signal }) {
      // There is no key of ours: an institution that refuses one that is none is reachable.
      const key = Object.fromEntries(names.map((name) => [name, "none"])) as OwnKey<Field>;
      const given = {
        http,
        pace: async () => null,
        clock: () => new Date(0),
        key,
        identity: "",
        mayWait: null,
        signal,
      };
      for (const [name, base_url] of Object.entries(base_urls)) {
        const accepted = await own.who(createInstitutionCalls(own, { ...given, base_url })).then(
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

    create({ settings, http, pace, clock }): Omit<BankProvider, "name"> {
      const { auth: _, spacing_ms: __, ...keyless } = own;
      const references = Object.entries<ReferenceData<unknown>>(own.reference ?? {});
      /** For each address, which are as many as there are environments. */
      const shared = new Map(
        Object.values(settings.base_urls).map((base_url) => [
          base_url,
          references.map(([name, { read, keep_ms }]) => [name, shareReference(read, keep_ms, clock)] as const),
        ]),
      );
      const referencesOf = (base_url: string, mayWait: { until: Date } | null, signal: AbortSignal) => {
        const given = { http, pace, clock, base_url, key: {}, identity: base_url, mayWait };
        const open = (signal: AbortSignal) =>
          createInstitutionCalls({ ...keyless, auth: (request) => request }, { ...given, signal });
        const entries = (shared.get(base_url) ?? []).map(([name, get]) => [name, () => get(open, signal)] as const);
        return Object.fromEntries(entries) as KeyReading<Shared>["reference"];
      };
      const open = (
        ref: string | null,
        key: OwnKey<Field>,
        { awaited, signal }: { awaited: boolean; signal: AbortSignal },
      ) => {
        signal.throwIfAborted();
        const base_url = addressOf(settings, ref);
        const mayWait = awaited ? { until: new Date(clock().getTime() + WAIT_MS) } : null;
        const identity = createHash("sha256")
          .update(JSON.stringify([base_url, ...names.map((name) => key[name])]))
          .digest("base64url");
        const calls = createInstitutionCalls(own, { http, pace, clock, base_url, key, identity, mayWait, signal });
        return { ...calls, reference: referencesOf(base_url, mayWait, signal) };
      };

      return {
        credentialFields: () => fields,
        terms: () => ({ rights, howTo, ...own.delivers }),

        async login({ fields: typed, provider_ref, signal }): Promise<LoginStep> {
          const key = Object.fromEntries(names.map((name) => [name, (typed[name] ?? "").trim()])) as OwnKey<Field>;
          if (names.some((name) => key[name] === "")) return { kind: "rejected" };
          try {
            const user_key = await own.who(open(provider_ref, key, { awaited: true, signal }));
            return { kind: "authenticated", user_key, access: { key, user_key }, consent_expires_at: null };
          } catch (error) {
            return stepOf(error);
          }
        },

        async fetch(request): Promise<FetchResult> {
          const known = accessSchema.safeParse(request.access).data;
          if (known === undefined) return { refused: "rejected" };
          try {
            const calls = open(request.provider_ref, known.key as OwnKey<Field>, request);
            const reading = { ...calls, user_key: known.user_key, now: clock() };
            return { ...(await read(own, reading, request, clock)), consent_expires_at: null };
          } catch (error) {
            if (error instanceof ReadInterrupted) return error.end;
            throw error;
          }
        },
      };
    },
  });
}

/** @throws the error, if it is a failure and no answer of the institution */
function stepOf(error: unknown): LoginStep {
  if (!(error instanceof ReadInterrupted)) throw error;
  const { end } = error;
  if ("throttled" in end) return { kind: "throttled", retry_after: end.throttled.retry_after };
  if ("refused" in end && end.refused === "rejected") return { kind: "rejected" };
  return { kind: "failed", error_code: "UserInteractionNeeded" };
}

/** Reads the accounts and the first part of the history; or only its next part, if an earlier fetch began it. */
async function read<Field extends string, Shared extends object>(
  { read: { accounts, transactions } }: OwnKeyProvider<Field, Shared>,
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

const address = z
  .url()
  .refine((text) => {
    const url = parseUrl(text);
    return url !== null && isPrivateTransport(url);
  }, "must begin with https:// (http:// is for this machine only)")
  .transform((url) => url.replace(/(?<!\/)\/+$/, ""));
