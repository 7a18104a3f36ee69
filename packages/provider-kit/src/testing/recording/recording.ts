import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { languages } from "../../credential-field.js";
import { parseNumbers } from "../../http/exact-numbers.js";
import { valueAt } from "./json-values.js";

/** A number of a recorded body, as the text that the institution wrote: a string with this prefix. */
export const NUMBER = "\0";

const method = z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]);
/** `GET /accounts/{id}`; a part in braces stands for any text without a slash. */
const call = z.string().regex(/^(GET|POST|PUT|PATCH|DELETE) \/\S*$/, "must be a method and a path");
const texts = z.record(z.string(), z.string());
const pointer = z.string().regex(/^(\/.*)?$/, "must be a JSON pointer, such as /items");
const place = z.union([pointer, z.string().regex(/^header:[a-z0-9-]+$/)]);

const answer = z.strictObject({
  status: z.int().min(200).max(599).default(200),
  /** By name in small letters. */
  headers: texts.default({}),
  /** The body as JSON. Numbers keep the digits with which they stand in the file. */
  json: z.unknown().optional(),
  /** The body, if it is not JSON. */
  text: z.string().optional(),
  /** The body, in a file beside the recording. */
  file: z.string().optional(),
});
export type RecordedAnswer = z.output<typeof answer>;

const exchange = z.strictObject({
  /** Only the first fetch, or only one with `since`, may send it; left out: any call. */
  during: z.enum(["first", "refresh"]).optional(),
  request: z.strictObject({
    method,
    /** Left out: every host of the settings. */
    host: z.string().optional(),
    path: z.string().startsWith("/"),
    /** The whole query; `*` stands for any value. */
    query: texts.default({}),
    /** Headers that must be there, among others; `*` stands for any value. */
    headers: texts.default({}),
    /** Members that the JSON or form must have, among others; `*` stands for any value. */
    body: z.record(z.string(), z.unknown()).optional(),
  }),
  answer,
});
export type Exchange = z.output<typeof exchange>;

/**
 * How many rows each page has but the last, where a provider takes a page with fewer as the end: the suite fills its pages with repeated rows. Left out:
 * the end is an empty page, which may also come after a full one.
 */
const size = z.int().positive().default(1);

/** How an institution divides a list into pages. */
const pages = z.union(
  [
    /** A cursor, or a page token, from the answer (or its header) that goes into the query. */
    z.strictObject({ cursor: z.string(), next: place }),
    /** A member of the last row that goes into the query. The end is an empty page, or a short one. */
    z.strictObject({ cursor: z.string(), last: pointer, size }),
    /** An address of the next page, from the answer (or its header). */
    z.strictObject({ link: place }),
    /** A page number in the query. The end is an empty page, a short one, or the number of pages, if the answer has one. */
    z.strictObject({ page: z.string(), first: z.int().default(1), count: pointer.optional(), size }),
    /** The number of rows before the page, in the query. The end is an empty page, or a short one. */
    z.strictObject({ offset: z.string(), first: z.int().default(0), size }),
  ],
  {
    error: "must be {cursor, next}, {cursor, last, size}, {link}, {page, first, count, size} or {offset, first, size}",
  },
);
export type Paging = z.output<typeof pages>;

/** Where the rows of a call's answer are, and how the institution divides them. Left out: it does not. */
const list = z.strictObject({ of: call, rows: pointer, pages: pages.optional() });
export type RecordedList = z.output<typeof list>;

const row = z.record(z.string(), z.unknown());
const rows = z.array(row).nullable();
const named = { portfolio_key: z.string(), key: z.string() };
const expectation = z.strictObject({
  /** Members of the login's last step, such as `user_key`. */
  login: z.record(z.string(), z.unknown()).optional(),
  first: z
    .strictObject({
      /** The day, or the moment, of the data. */
      as_of: z.string().optional(),
      consent_expires_at: z.string().nullable().optional(),
      portfolios: rows.optional(),
      holdings: rows.optional(),
      transactions: rows.optional(),
      /** Left out: none. */
      withdrawn: z.array(z.strictObject(named)).optional(),
      corrected: z.array(z.strictObject({ ...named, by: z.string() })).optional(),
      complete_from: z.string().optional(),
    })
    .optional(),
  /** Keys of what a fetch with `since` brings; rows are those of `first`. Portfolios and holdings come whole. */
  refresh: z
    .strictObject({
      transactions: z.array(z.string()).nullable(),
      withdrawn: z.array(z.string()).default([]),
      corrected: z.array(z.string()).default([]),
      complete_from: z.string().optional(),
    })
    .optional(),
});
export type Expectation = z.output<typeof expectation>;
export type ExpectedRow = z.output<typeof row>;

const recording = z.strictObject({
  /** Where the answers are from. */
  about: z.string(),
  /** The clock of the provider. */
  recorded_at: z.iso.datetime(),
  /** Of the provider, as `providers set` takes them. */
  settings: z.unknown(),
  /** The row of the catalogue that is logged in to. */
  connector: z.strictObject({ connector_id: z.string(), provider_ref: z.string().nullable() }),
  customer: z.strictObject({
    /** Valid input for the login. */
    fields: texts,
    /** The answer to every challenge. */
    challenge: z.string().optional(),
    /** The query with which the customer comes back from a redirect. */
    params: texts.optional(),
    /** The answers to an `ask`. */
    ask: texts.optional(),
    language: z.enum(languages).optional(),
  }),
  /** All that the provider may send. Anything else, such as an order, fails. */
  calls: z.array(call).min(1),
  /** The institution's limits; `of` names the calls that count. With `shared`, all customers of an installation count together. */
  limits: z
    .array(
      z.strictObject({
        every_ms: z.number().positive(),
        calls: z.int().positive(),
        of: z.array(call).optional(),
        shared: z.boolean().default(false),
      }),
    )
    .default([]),
  /** Names in a query in which the institution itself wants a secret. */
  secret_queries: z.array(z.string()).default([]),
  /** Names of members and attributes with codes and counts: the suite never rewrites their values. */
  codes: z.array(z.string()).default([]),
  lists: z.array(list).default([]),
  /** Of several that match a request, the one that says most of it answers. */
  exchanges: z.array(exchange).min(1),
  expect: expectation.default({}),
  /** Totals that the institution states itself: the suite compares them with the sum of the rows. */
  totals: z
    .array(
      z.strictObject({
        of: z.enum(["holdings", "transactions"]),
        portfolio: z.string(),
        currency: z.string(),
        balance: z.string(),
      }),
    )
    .default([]),
  /** Keys of transactions whose sign is rightly contrary to their kind, such as a cancelled purchase. */
  contrary: z.array(z.string()).default([]),
  /** Other answers to some requests, and what the login or the first fetch is to make of them. */
  variations: z
    .array(
      z.strictObject({
        name: z.string(),
        instead: z.array(z.strictObject({ of: call, answer })).min(1),
        /**
         * Members that the step of the login, and the answer of the fetch after a good login, have among others. An error that a provider may throw
         * is what the server makes of it: `{failed: {message, outage}}`, or a step that is `failed`.
         */
        expect: z
          .strictObject({
            login: z.record(z.string(), z.unknown()).optional(),
            fetch: z.record(z.string(), z.unknown()).optional(),
          })
          .refine(({ login, fetch }) => login !== undefined || fetch !== undefined, "needs login or fetch"),
      }),
    )
    .default([]),
});
export type Recording = z.output<typeof recording>;

/**
 * Reads a recording: a JSON file, with the bodies that it names beside it. docs/reference/provider-tests.md describes its members.
 * @throws TypeError with the places that are wrong
 */
export function readRecording(file: string | URL): Recording {
  const path = typeof file === "string" ? file : fileURLToPath(file);
  const marked = parseNumbers(readFileSync(path, "utf8"), ([text]) => `\\u0000${text}`);
  const parsed = recording.safeParse(withNumbers(marked, []));
  if (!parsed.success)
    throw new TypeError(
      `${path}: ${parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("; ")}`,
    );
  const beside = (name: string) => readFileSync(new URL(name, `file://${path}`), "utf8");
  const whole = ({ file: name, ...told }: RecordedAnswer): RecordedAnswer =>
    name === undefined ? told : bodyOf(told, name, beside(name));
  const exchanges = parsed.data.exchanges.map((one) => ({ ...one, answer: whole(one.answer) }));
  const astray = strayPointers(parsed.data.lists, exchanges);
  if (astray.length > 0) throw new TypeError(`${path}: ${astray.join("; ")}`);
  return {
    ...parsed.data,
    exchanges,
    variations: parsed.data.variations.map((one) => ({
      ...one,
      instead: one.instead.map((each) => ({ ...each, answer: whole(each.answer) })),
    })),
  };
}

/** Whether a listed call is the one of a request. */
export function fits(call: string, name: string): boolean {
  const [wanted, given] = [call.split("/"), name.split("/")];
  return wanted.length === given.length && wanted.every((part, at) => part === given[at] || /^\{.*\}$/.test(part));
}

/**
 * Pointers of lists that lead to nothing in any recorded answer: the pages would not be divided there. What names the next page may be missing, as
 * it is on a last page, but not the object that would have it.
 */
function strayPointers(lists: readonly RecordedList[], exchanges: readonly Exchange[]): readonly string[] {
  return lists.flatMap(({ of, rows, pages = {} }, index) => {
    const bodies = exchanges.flatMap(({ request, answer: { json } }) =>
      json !== undefined && fits(of, `${request.method} ${request.path}`) ? [json] : [],
    );
    const lastRows = bodies.flatMap((body) => {
      const found = valueAt(body, rows);
      return Array.isArray(found) ? found.slice(-1) : [];
    });
    const pointers = Object.entries({ rows, ...pages }).filter(([name]) =>
      ["rows", "next", "link", "count", "last"].includes(name),
    );
    return pointers.flatMap(([name, to]) => {
      const values = name === "last" ? lastRows : bodies;
      const isOptional = name === "next" || name === "link";
      const isFound =
        values.length === 0 ||
        String(to).startsWith("header:") ||
        values.some((one) =>
          isOptional ? isObject(valueAt(one, parentOf(to))) : valueAt(one, String(to)) !== undefined,
        );
      const place = name === "last" ? `the last row of ${of}` : `an answer of ${of}`;
      return isFound ? [] : [`lists.${index}: ${name} is "${to}", which ${place} does not have`];
    });
  });
}

const parentOf = (pointer: unknown) => String(pointer).replace(/\/[^/]*$/, "");
const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);

/** JSON with the numbers as they were read. */
export function writeJson(value: unknown): string {
  return JSON.stringify(value).replace(/"\\u0000([^"]*)"/g, "$1");
}

function bodyOf(told: RecordedAnswer, name: string, text: string): RecordedAnswer {
  return name.endsWith(".json")
    ? { ...told, json: parseNumbers(text, ([number]) => `\\u0000${number}`) }
    : { ...told, text };
}

/** Numbers stay texts in the bodies of answers, and are numbers everywhere else. */
function withNumbers(value: unknown, at: readonly string[]): unknown {
  if (at.at(-1) === "json" && at.at(-2) === "answer") return value;
  if (typeof value === "string") return value.startsWith(NUMBER) ? Number(value.slice(NUMBER.length)) : value;
  if (Array.isArray(value)) return value.map((each) => withNumbers(each, [...at, ""]));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withNumbers(each, [...at, name])]));
}
