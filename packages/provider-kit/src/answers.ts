import { z } from "zod";
import { contradictionsIn } from "./contradictions.js";
import { fieldName, languages } from "./credential-field.js";
import { isPrivateTransport, parseUrl } from "./hosts.js";
import { accessRefusals, type BankProvider, challengeKinds, holdingRhythms, loginFailures } from "./port.js";
import {
  type FetchedSnapshot,
  holdingSubtypes,
  holdingTypes,
  portfolioTypes,
  type SnapshotData,
  transactionKinds,
  transactionStages,
  typeOfSubtype,
} from "./snapshot.js";
import type { Steps } from "./steps.js";
import { earlierFaultsIn, strayRowsIn } from "./stray-rows.js";
import { calendarDate, decimalString, statedCurrency } from "./values.js";

/** Text shown to people and models. Nothing is refused here: characters that must not be shown are removed on publication. */
const text = z.string();
const storable = z
  .string()
  .refine((value) => !value.includes("\0") && value.isWellFormed(), "must be text without NUL");
const key = storable.min(1, "must not be empty");
const json = z.unknown().refine((value) => value !== undefined, "is required");
const seconds = z.number().min(0);
/** A list within a row. It reports one fault, however many of its items are wrong. */
const listOf = (item: z.ZodType, message: string) =>
  z.array(z.unknown()).refine((items) => items.every((one) => item.safeParse(one).success), message);

const identifiers = z.object({
  isin: storable.optional(),
  cusip: storable.optional(),
  sedol: storable.optional(),
  wkn: storable.optional(),
  valor: storable.optional(),
  figi: storable.optional(),
  ticker: storable.optional(),
  mic: storable.optional(),
});
const place = storable.optional();
const portfolio = z.object({
  key,
  name: text,
  balance: decimalString.nullable(),
  currency: statedCurrency,
  ref_account: text.nullable(),
  type: z.enum(portfolioTypes),
  as_of: z.date().optional(),
  holdings_unknown: z.boolean().optional(),
  cash_account: z.literal(true).optional(),
  servicer: storable.optional(),
  place,
});
const holding = z
  .object({
    key,
    portfolio_key: key,
    name: text,
    isin: text.nullable(),
    amount: decimalString.nullable(),
    balance: decimalString.nullable(),
    currency: statedCurrency,
    valuation_date: calendarDate.nullable(),
    type: z.enum(holdingTypes),
    subtype: z.enum(holdingSubtypes).nullable(),
    is_notional: z.boolean().optional(),
    price: decimalString.optional(),
    price_currency: statedCurrency.optional(),
    price_unit: z.enum(["currency", "percent"]).optional(),
    cost: decimalString.optional(),
    identifiers: identifiers.optional(),
    accrued_interest: decimalString.optional(),
    place,
  })
  .refine(({ type, subtype }) => subtype === null || typeOfSubtype[subtype] === type, {
    path: ["subtype"],
    message: "is of another type",
  });
const transaction = z.object({
  key: key.nullable(),
  portfolio_key: key,
  holding_key: key.nullable(),
  operation_date: calendarDate,
  description: text,
  amount: decimalString.nullable(),
  balance: decimalString.nullable(),
  currency: statedCurrency,
  unit_price: decimalString.nullable(),
  kind: z.enum(transactionKinds).optional(),
  settlement_date: calendarDate.optional(),
  fees: decimalString.optional(),
  taxes: decimalString.optional(),
  gross: decimalString.optional(),
  identifiers: identifiers.optional(),
  references: listOf(storable.regex(/^[A-Z]+:./s), "must each be a scheme in capitals, a colon and a value").optional(),
  stage: z.enum(transactionStages).optional(),
  cancels: listOf(storable, "must each be text without NUL").optional(),
  place,
});
const named = z.object({ portfolio_key: key, key });
/** The schemas of a snapshot's rows, by list. */
const rowsOfSnapshot = { portfolios: portfolio, holdings: holding, transactions: transaction } as const;
const rowsOfFetch = { ...rowsOfSnapshot, corrected: named.extend({ by: key }), withdrawn: named } as const;
/** Checks only that rows are a list. There may be hundreds of thousands, so {@link faultsBy} checks them one by one. */
const rows = z.array(z.unknown()).nullable();
const snapshot = z.object({ as_of: z.date(), portfolios: rows, holdings: rows, transactions: rows });

const fetchedSnapshot = snapshot.extend({
  corrected: z.array(z.unknown()).optional(),
  withdrawn: z.array(z.unknown()).optional(),
  complete_from: calendarDate.optional(),
  earlier_days: z
    .array(z.object({ date: calendarDate, portfolios: z.array(z.unknown()), holdings: z.array(z.unknown()) }))
    .optional(),
});

const feedContent = z.object({
  ...snapshot.shape,
  warnings: z.array(z.object({ place: text, message: text })),
  pages: z
    .array(
      z.object({
        statement: key,
        number: z.int().min(1),
        is_last: z.boolean(),
        text: z.string(),
        place: text,
      }),
    )
    .optional(),
  sender: storable.optional(),
  keys: z.enum(["unique", "corrected"]).optional(),
  corrections: z
    .array(z.object({ portfolio_key: key, key, of: transaction.optional(), by: transaction.nullable() }))
    .optional(),
  left_out: z.array(z.object({ place: text, field: text })).optional(),
  refused_accounts: z.array(text).optional(),
});

/** How a fetch may end, by the key that identifies each kind of result. */
const fetchEnds = {
  snapshot: z
    .object({
      snapshot: fetchedSnapshot,
      consent_expires_at: z.date().nullable(),
      user_key: key.optional(),
      more: z.object({ retry_after: seconds, state: json }).optional(),
    })
    .refine(({ snapshot: { complete_from }, more }) => !(complete_from && more), {
      path: ["snapshot", "complete_from"],
      message: "cannot be told while more follows",
    }),
  refused: z.object({ refused: z.enum(accessRefusals) }),
  pending: z.object({ pending: z.object({ retry_after: seconds, state: json }) }),
  throttled: z.object({ throttled: z.object({ retry_after: seconds, shared: z.boolean().optional() }) }),
  failed: z.object({ failed: z.object({ message: text, outage: z.boolean().optional() }) }),
} as const;

const words = z.union([text, z.partialRecord(z.enum(languages), text)]);
const field = z
  .object({
    name: z
      .string()
      .regex(fieldName, "must have lower-case letters, digits and underscores, 40 at most")
      .refine((name) => name !== "csrf_token", "is a name of the page's own"),
    label: words.optional(),
    hint: words.optional(),
    kind: z.enum(["text", "secret", "number", "choice"]).optional(),
    options: z.array(z.object({ value: storable, label: words })).optional(),
    required: z.boolean().optional(),
    pattern: z.string().max(500).refine(isPattern, "must be a regular expression").optional(),
    autocomplete: z.string().optional(),
  })
  .refine(({ kind, options }) => kind !== "choice" || (options?.length ?? 0) > 0, {
    path: ["options"],
    message: "is required for a choice",
  });
/** The most fields that one page may ask for. */
const MAX_FIELDS = 30;
const fields = z
  .array(field)
  .max(MAX_FIELDS)
  .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, "must have different names");

const redirectUrl = z.string().refine((text) => {
  const url = parseUrl(text);
  return url !== null && isPrivateTransport(url);
}, "must be an https URL");

const loginSteps = [
  z.object({
    kind: z.literal("authenticated"),
    user_key: key,
    user_key_is_final: z.boolean().optional(),
    access: json,
    consent_expires_at: z.date().nullable().optional(),
    reference: key.optional(),
  }),
  z.object({
    kind: z.literal("challenge"),
    challenge: z.object({ kind: z.enum(challengeKinds), message: text, qr: storable.optional() }),
    state: json,
  }),
  z.object({ kind: z.literal("redirect"), url: redirectUrl, state: json }),
  z.object({ kind: z.literal("ask"), fields: fields.min(1), message: words.optional(), state: json }),
  z.object({ kind: z.literal("rejected"), declined: z.literal(true).optional() }),
  z.object({ kind: z.literal("failed"), error_code: z.enum(loginFailures) }),
  z.object({ kind: z.literal("throttled"), retry_after: seconds }),
] as const;
const loginStep = z.discriminatedUnion("kind", loginSteps);

/** The schema of the answer to each provider call. A fetch is checked by the kind of its result (`fetchEnds`). */
const answers = {
  credentialFields: fields,
  terms: z.object({
    rights: z.enum(["read", "trade"]).optional(),
    through: z.string().min(1).max(100).optional(),
    howTo: words.optional(),
    holdings: z.enum(holdingRhythms).optional(),
    updates: z.literal("login").optional(),
    transactions: z
      .union([z.literal("all"), z.int().min(2).max(36_500)], 'must be days from 2 to 36500, or "all"')
      .optional(),
  }),
  login: loginStep,
  answer: loginStep,
  resume: loginStep,
  look: z.discriminatedUnion("kind", [...loginSteps, z.object({ kind: z.literal("waiting") })]),
  revoke: z.unknown(),
  notify: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("unverified") }),
    z.object({
      kind: z.literal("changed"),
      user_keys: z.array(z.string()).optional(),
      references: z.array(z.string()).optional(),
    }),
  ]),
} as const satisfies Record<Exclude<keyof BankProvider, "name" | "fetch">, z.ZodType>;

const MAX_FAULTS = 5;

/**
 * What is wrong with a provider's answer, at most five faults. A fault names the place and the rule it breaks, never the value. Additional members
 * are allowed.
 * @param options.words words zod's refusals; left out: zod's own messages
 * @param options.now the time, which no data may be more than two days ahead of; left out: not checked
 */
export function faultsOfAnswer(
  call: Exclude<keyof BankProvider, "name">,
  answer: unknown,
  options: { readonly words?: z.core.$ZodErrorMap; readonly now?: Date } = {},
): readonly string[] {
  return endOf(stepsOfAnswer(call, answer, options));
}

/** Finds what {@link faultsOfAnswer} does, one row of a snapshot in a step: hundreds of thousands take seconds, which others need not wait for. */
export function* stepsOfAnswer(
  ...[call, answer, options = {}]: Parameters<typeof faultsOfAnswer>
): Steps<readonly string[]> {
  const schema = call === "fetch" ? schemaOfFetch(answer) : answers[call];
  if (schema === null) return [`answer: must have exactly one of ${Object.keys(fetchEnds).join(", ")}`];
  return yield* faultsBy(schema, answer, {
    name: "answer",
    snapshotAt: schema === fetchEnds.snapshot ? ["snapshot"] : null,
    ...options,
  });
}

/** What is wrong with the content that a feed format produced; see {@link faultsOfAnswer}. */
export function faultsOfContent(content: unknown): readonly string[] {
  return endOf(faultsBy(feedContent, content, { name: "content", snapshotAt: [] }));
}

function endOf(steps: Steps<readonly string[]>): readonly string[] {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** The first faults. Checks rows one by one until there are enough: zod keeps every fault, and a bank may send millions of rows. */
function* faultsBy(
  schema: z.ZodType,
  given: unknown,
  {
    name,
    snapshotAt,
    words,
    now,
  }: { name: string; snapshotAt: readonly string[] | null; words?: z.core.$ZodErrorMap; now?: Date },
): Steps<readonly string[]> {
  const found: string[] = [];
  const check = (part: z.ZodType, value: unknown, at: readonly PropertyKey[]) => {
    const checked = part.safeParse(value, words && { error: words });
    for (const { path, message } of checked.error?.issues ?? [])
      if (found.length < MAX_FAULTS)
        found.push(`${[...at, ...path].join(".") || name}: ${message}${mayBeNull(part, path) ? ", or null" : ""}`);
  };
  check(schema, given, []);
  const lists = snapshotAt?.reduce<unknown>((inner, key) => memberOf(inner, key), given);
  for (const [list, row] of Object.entries(snapshotAt?.length ? rowsOfFetch : rowsOfSnapshot)) {
    const items = memberOf(lists, list);
    if (!Array.isArray(items)) continue;
    for (let index = 0; index < items.length && found.length < MAX_FAULTS; index += 1) {
      yield;
      check(row, items[index], [...(snapshotAt ?? []), list, index]);
    }
  }
  const days: unknown = snapshotAt?.length ? memberOf(lists, "earlier_days") : undefined;
  for (let day = 0; Array.isArray(days) && day < days.length && found.length < MAX_FAULTS; day += 1)
    for (const [list, row] of Object.entries({ portfolios: portfolio, holdings: holding })) {
      const items = memberOf(days[day], list);
      for (let index = 0; Array.isArray(items) && index < items.length && found.length < MAX_FAULTS; index += 1) {
        yield;
        check(row, items[index], [...(snapshotAt ?? []), "earlier_days", day, list, index]);
      }
    }
  if (found.length > 0 || snapshotAt === null) return found;
  const read = lists as FetchedSnapshot;
  const at = (place: string) => [...snapshotAt, place].join(".");
  for (const fault of aheadOf(now, read)) found.push(at(fault));
  for (const fault of yield* strayRowsIn(read)) found.push(at(fault));
  for (const fault of yield* earlierFaultsIn(read)) found.push(at(fault));
  if (found.length === 0 && snapshotAt.length > 0) found.push(...(yield* contradictionsIn(read)));
  return found.slice(0, MAX_FAULTS);
}

/** How far ahead of the clock data may be: room for time zones and clocks. Data from far ahead would keep all later data out. */
const MAX_AHEAD_MS = 2 * 24 * 60 * 60 * 1000;

function aheadOf(now: Date | undefined, { as_of, portfolios }: SnapshotData): string[] {
  if (now === undefined) return [];
  const isAhead = (date: Date) => date.getTime() - now.getTime() > MAX_AHEAD_MS;
  const places = (portfolios ?? []).flatMap((row, index) =>
    row.as_of && isAhead(row.as_of) ? [`portfolios.${index}.as_of`] : [],
  );
  return [...(isAhead(as_of) ? ["as_of"] : []), ...places].map((place) => `${place}: is more than two days ahead`);
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}

/** Whether the value at this place may be null, meaning unknown. */
function mayBeNull(schema: unknown, [name, ...rest]: readonly PropertyKey[]): boolean {
  if (name === undefined) return schema instanceof z.ZodNullable;
  const inner = schema instanceof z.ZodNullable ? schema.unwrap() : schema;
  if (inner instanceof z.ZodObject) return mayBeNull(inner.shape[String(name)], rest);
  return inner instanceof z.ZodArray && mayBeNull(inner.element, rest);
}

/**
 * Names in the rows of a snapshot that the interface does not have, mostly misspelt facts, which are then lost. The server ignores them; the
 * conformance suite does not.
 */
export function unknownNamesIn({
  portfolios,
  holdings,
  transactions,
  earlier_days = [],
}: FetchedSnapshot): readonly string[] {
  const found = new Set<string>();
  const note = (place: string, row: object, { shape }: z.ZodObject) => {
    for (const [name, value] of Object.entries(row))
      if (!Object.hasOwn(shape, name)) found.add(`${place}.${name}`);
      else if (name === "identifiers" && value) note(`${place}.identifiers`, value, identifiers);
  };
  for (const row of portfolios ?? []) note("portfolios", row, portfolio);
  for (const row of holdings ?? []) note("holdings", row, holding);
  for (const row of transactions ?? []) note("transactions", row, transaction);
  for (const day of earlier_days) {
    for (const row of day.portfolios) note("earlier_days.portfolios", row, portfolio);
    for (const row of day.holdings) note("earlier_days.holdings", row, holding);
  }
  return [...found];
}

function schemaOfFetch(answer: unknown): z.ZodType | null {
  if (typeof answer !== "object" || answer === null) return null;
  const given = Object.keys(fetchEnds).filter((end) => (answer as Record<string, unknown>)[end] !== undefined);
  return given.length === 1 ? fetchEnds[given[0] as keyof typeof fetchEnds] : null;
}

function isPattern(source: string): boolean {
  try {
    new RegExp(`^(?:${source})$`, "u");
    return true;
  } catch {
    return false;
  }
}
