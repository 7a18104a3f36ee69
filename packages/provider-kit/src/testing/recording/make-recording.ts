import { isDeepStrictEqual } from "node:util";
import type { ProviderDefinition } from "../../definition.js";
import type { HttpExchange } from "../../http/create-http-client.js";
import type { ConnectorOfProvider } from "../../port.js";
import { secretsIn } from "../../secret.js";
import type { SnapshotData } from "../../snapshot.js";
import { plain } from "./data-rules.js";
import { snapshotLists, wrongSigns } from "./expected-rows.js";
import { withFormulas, withSum } from "./formulas.js";
import { mapTexts, textsIn } from "./json-values.js";
import type { Recording } from "./recording.js";
import { type Pass, type RecordedPhase, repeatPass } from "./repeat-pass.js";
import { replaceValues, type ValueReplacer } from "./replace-values.js";
import { unexplainedAmounts } from "./rewrite.js";

/** What was seen of a provider at its institution, with the values of a customer. */
export interface SeenSession {
  // biome-ignore lint/suspicious/noExplicitAny: settings are of any shape; each definition checks its own.
  readonly definition: ProviderDefinition<any>;
  /** As `providers set` takes them. */
  readonly settings: unknown;
  readonly connector: ConnectorOfProvider;
  readonly customer: Pick<Recording["customer"], "fields" | "challenge" | "ask" | "params">;
  /** Names of fields that hold a choice: their values are the provider's own words. */
  readonly choices: readonly string[];
  readonly started_at: Date;
  readonly exchanges: readonly (HttpExchange & { readonly phase: RecordedPhase })[];
}

/** A recording with other values, and what the provider makes of it. */
export interface MadeRecording {
  /** The file. */
  readonly text: string;
  readonly snapshot: Pick<SnapshotData, (typeof snapshotLists)[number]>;
  /** Amounts for which a formula has to be written by hand. */
  readonly unexplained: number;
  /** Transactions whose sign is contrary to their kind: whether rightly so has to be judged by hand. */
  readonly contrary: number;
}

/** Replaces every value of a session: see {@link replaceValues}. @param words names of members all of whose values stay */
export function replacerOf(session: SeenSession, salt: Uint8Array, words: readonly string[] = []): ValueReplacer {
  return replaceValues(session.exchanges, { secrets: secretTexts(session), salt, words });
}

/**
 * Makes a recording of what was seen, in the format of {@link Recording}: the provider runs again, in virtual time, with other settings, credentials and
 * answers. The requests of that run are recorded, and what it reads is what is expected: only answers come from the institution, with other values.
 * @throws Error if the provider does not read the answers with other values as it read the real ones; the message has no value
 */
export async function makeRecording(
  session: SeenSession,
  replacer: ValueReplacer,
  about: string,
): Promise<MadeRecording> {
  const secrets = new Set(secretTexts(session));
  const replaced = (text: string) => (secrets.has(text) ? replacer.text(text) : text);
  const seen = {
    definition: session.definition,
    settings: mapTexts(session.settings, replaced),
    connector: session.connector,
    customer: mapTexts(session.customer, replaced) as SeenSession["customer"],
    exchanges: session.exchanges.map((exchange) => ({ ...exchange, answer: replacer.answer(exchange) })),
    replacer,
  };
  const pass = await repeatPass(seen, { startedAt: session.started_at, seed: 0 });
  // What differs in a second pass is chance or time, and may be anything.
  const other = await repeatPass(seen, { startedAt: new Date(session.started_at.getTime() + 1_000), seed: 1 });
  const exchanges = pass.exchanges.map((exchange, index) => {
    const again = other.exchanges[index]?.request;
    return again === undefined ? exchange : { ...exchange, request: anyWhereDifferent(exchange.request, again) };
  });
  const secretFields = secretsIn(session.definition.settings, seen.settings).concat(
    Object.values(seen.customer.fields),
  );
  const recording = {
    about,
    recorded_at: session.started_at.toISOString(),
    settings: seen.settings,
    connector: seen.connector,
    customer: seen.customer,
    calls: [...new Set(pass.exchanges.map(({ call }) => call))],
    ...(pass.limits && { limits: limitsOf(pass, pass.limits) }),
    secret_queries: namesOfSecrets(pass, secretFields),
    codes: replacer.codes,
    lists: listsOf(pass),
    exchanges: [...exchanges.map(({ call: _, ...exchange }) => exchange), ...refusalsOfTokens(pass)],
    expect: expectationOf(pass),
    contrary: (pass.first.snapshot.transactions ?? []).flatMap((row) =>
      row.key !== null && wrongSigns({ ...pass.first.snapshot, transactions: [row] }, { contrary: [] }).length > 0
        ? [row.key]
        : [],
    ),
  };
  const complete = recording as unknown as Recording;
  const open = new Set(unexplainedAmounts(complete));
  const answers = pass.exchanges.map(({ answer }) => answer);
  const { first } = recording.expect;
  for (const list of snapshotLists) first[list] = first[list]?.map((row) => withFormulas(row, answers, open)) ?? null;
  first.portfolios = first.portfolios?.map((row) => withSum(row, first.holdings ?? [], open)) ?? null;
  return {
    text: `${written(recording)}\n`,
    snapshot: pass.first.snapshot,
    unexplained: unexplainedAmounts(complete).length,
    contrary: recording.contrary.length,
  };
}

/** Credentials, secrets of settings, and the names of clients and customers there. */
function secretTexts({ definition, settings, customer, choices }: SeenSession): readonly string[] {
  const typed = [...Object.entries(customer.fields), ...Object.entries(customer.ask ?? {})];
  const fields = typed.flatMap(([name, value]) => (choices.includes(name) ? [] : [value]));
  const named: string[] = [];
  mapTexts(settings, (text, name) => {
    if (/(?:client|customer|consumer|user|account)_?(?:id|ids|key|name)$/i.test(name)) named.push(text);
    return text;
  });
  const { challenge, params = {} } = customer;
  return [...fields, ...named, ...secretsIn(definition.settings, settings), ...textsIn([challenge, params])].filter(
    (text) => text !== "",
  );
}

function anyWhereDifferent<Request extends Pass["exchanges"][number]["request"]>(
  request: Request,
  again: Request,
): Request {
  const starred = <Value>(one: Readonly<Record<string, Value>>, two: Readonly<Record<string, Value>> = {}) =>
    Object.fromEntries(
      Object.entries(one).map(([name, value]) => [name, isDeepStrictEqual(value, two[name]) ? value : "*"]),
    );
  return {
    ...request,
    query: starred(request.query, again.query),
    headers: starred(request.headers, again.headers),
    ...(request.body && { body: starred(request.body, again.body) }),
  };
}

/** Limits of an institution's data; those of a token endpoint are not known. */
function limitsOf({ exchanges }: Pass, limits: NonNullable<Pass["limits"]>) {
  if (!exchanges.some(isForToken)) return limits;
  const of = [...new Set(exchanges.flatMap((one) => (isForToken(one) ? [] : [one.call])))];
  return limits.map((limit) => ({ ...limit, of }));
}

/** A token endpoint refuses every other code, and every refresh token: no session has shown how it renews (RFC 6749 §5.2). */
function refusalsOfTokens({ exchanges }: Pass) {
  return [...new Set(exchanges.filter(isForToken).map(({ request }) => request.path))].map((path) => ({
    request: { method: "POST", path },
    answer: { status: 400, headers: {}, json: { error: "invalid_grant" } },
  }));
}

function isForToken({ request }: Pass["exchanges"][number]): boolean {
  return request.method === "POST" && request.body?.grant_type !== undefined;
}

function namesOfSecrets({ exchanges }: Pass, secrets: readonly string[]): readonly string[] {
  const names = exchanges.flatMap(({ request: { query } }) =>
    Object.entries(query).flatMap(([name, value]) => (secrets.includes(value) ? [name] : [])),
  );
  return [...new Set(names)];
}

/** Lists that were read in one request; how the others are divided into pages has to be said by hand. */
function listsOf({ exchanges }: Pass): Recording["lists"] {
  const calls = [...new Set(exchanges.map(({ call }) => call))];
  return calls.flatMap((of) => {
    const [only, ...more] = exchanges.filter(({ call, answer }) => call === of && answer.status === 200);
    if (only === undefined || more.length > 0) return [];
    const { json } = only.answer;
    const isList = (value: unknown) =>
      Array.isArray(value) && value.length > 0 && value.every((row) => typeof row === "object" && row !== null);
    if (isList(json)) return [{ of, rows: "" }];
    const names = Object.entries((json ?? {}) as object).flatMap(([name, value]) => (isList(value) ? [name] : []));
    return names.length === 1 && !/[~/]/.test(names[0] ?? "") ? [{ of, rows: `/${names[0]}` }] : [];
  });
}

function expectationOf({ login, first, refresh }: Pass) {
  const rows = (list: (typeof snapshotLists)[number]) =>
    (plain(first.snapshot[list]) as Record<string, unknown>[] | null) ?? null;
  return {
    login: { user_key: login.user_key },
    first: {
      as_of: first.snapshot.as_of.toISOString().slice(0, "YYYY-MM-DD".length),
      consent_expires_at: first.consent_expires_at?.toISOString() ?? null,
      portfolios: rows("portfolios"),
      holdings: rows("holdings"),
      transactions: rows("transactions"),
      withdrawn: first.snapshot.withdrawn,
      corrected: first.snapshot.corrected,
      complete_from: first.snapshot.complete_from,
    },
    refresh: {
      transactions: refresh.snapshot.transactions?.map(({ key }) => String(key)) ?? null,
      withdrawn: refresh.snapshot.withdrawn?.map(({ key }) => key),
      corrected: refresh.snapshot.corrected?.map(({ key }) => key),
      complete_from: refresh.snapshot.complete_from,
    },
  };
}

/** A JSON file, with numbers as they were. */
function written(recording: object): string {
  return JSON.stringify(recording, null, 2).replace(/"\\u0000([^"]*)"/g, "$1");
}
