import { createHmac } from "node:crypto";
import type { HttpExchange } from "../../http/create-http-client.js";
import { parseNumbers } from "../../http/exact-numbers.js";
import { isIsin, isinOf } from "../../isin.js";
import { formsOf } from "../leaks.js";
import { NUMBER, type RecordedAnswer } from "./recording.js";
import { valueKinds } from "./value-kinds.js";
import { mapXml } from "./xml-values.js";

/** Replaces what answers say of a customer, one value by the same other value everywhere. */
export interface ValueReplacer {
  /** An answer with other values: digits for digits, letters for letters, an ISIN for an ISIN. Words of the institution, times and counts stay. */
  answer(exchange: HttpExchange): RecordedAnswer;
  /** A text with other values, such as a credential or a part of a path. */
  text(text: string): string;
  /** A text for people, such as an error's message, without any value of a customer. */
  masked(text: string): string;
  /** The method and the path of a request, with `{id}` for a customer's part of it. */
  call(exchange: HttpExchange): string;
  /** Names whose values stayed. */
  readonly codes: readonly string[];
}

/** A body that was read. Numbers in JSON are texts with the prefix {@link NUMBER}. */
type Body = { readonly json: unknown } | { readonly xml: string } | { readonly text: string };
type Change = (text: string, name: string) => string;

const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const isUuid = new RegExp(`^${uuid}$`, "i");
const runs = new RegExp(`${uuid}|[\\p{L}\\p{M}\\p{N}]+`, "giu");
const number = /^([+-]?)(\d[\d.,']*)((?:e[+-]?\d{1,3})?)$/i;
/** Member names that are names, and no data such as an account's number. */
const memberName = /^[\p{L}_$@][\p{L}_$@:.-]{0,50}\d{0,2}$/u;
const holderName = /holder|owner|first|last|given|family|surname|person|customer/i;
/** Headers of answers that a provider may need; of others nothing is kept. */
const keptHeaders = /^(?:content-type|retry-after|link|location|x-ratelimit-.*|.*(?:cursor|next).*)$/;
const verbatimHeaders = /^(?:content-type|retry-after|x-ratelimit-.*)$/;
/** Shorter values may come out as another value of the same answers by chance. */
const MIN_UNIQUE = 4;
/** Enough to find the last free digit of nine. */
const MAX_ATTEMPTS = 500;

/**
 * @param exchanges all that was asked and answered
 * @param options.secrets texts that are replaced wherever they stand: credentials, secrets of settings
 * @param options.salt makes values from values; whoever has it could test guesses, so it is not kept
 * @param options.words names of members all of whose values stay, wherever else they stand as a whole, too
 */
export function replaceValues(
  exchanges: readonly HttpExchange[],
  options: { readonly secrets: readonly string[]; readonly salt: Uint8Array; readonly words?: readonly string[] },
): ValueReplacer {
  const { salt, words } = options;
  const kinds = valueKinds(words);
  const secrets = new Set(options.secrets);
  /** Secrets as they may stand in a text, the longest first: one may be a part of another. */
  const forms = [...new Set(options.secrets.flatMap(formsOf))]
    .filter((form) => form.length >= MIN_UNIQUE)
    .sort((one, other) => other.length - one.length);
  const hosts = new Set(exchanges.map(({ url }) => url.host));
  const steps = new Set(
    exchanges.flatMap(({ url }) => url.pathname.split("/").filter((step) => memberName.test(step))),
  );
  const bodies = new Map(exchanges.map((exchange) => [exchange, readBody(exchange)]));
  const codes = new Set<string>();
  const isPlain: typeof kinds.isPlain = (name, value) => !secrets.has(value) && kinds.isPlain(name, value);

  /** Values where no word stands, and the parts of people's names: they are words nowhere. */
  const originals = new Set<string>(secrets);
  const holders = new Set<string>();
  /** Texts of named members. Numbers elsewhere may be anything. */
  const named = new Set<string>();
  const note: Change = (value, name) => {
    const text = value.replace(NUMBER, "");
    if (kinds.isNamed(name)) {
      if (!number.test(text)) named.add(text);
      return value;
    }
    if (!isPlain(name, text) && !kinds.isWord(name, text)) originals.add(text);
    if (holderName.test(name)) for (const [part] of text.matchAll(runs)) holders.add(part);
    return value;
  };
  for (const body of bodies.values()) mapBody(body, note, (name) => name);
  const isSecret = (value: string) =>
    secrets.has(value) ||
    forms.some((form) => value.includes(form)) ||
    [...value.matchAll(runs)].some(([part]) => secrets.has(part));
  const isOfHolder = (value: string) => [...value.matchAll(runs)].some(([part]) => holders.has(part));
  for (const text of named) if (isSecret(text) || isOfHolder(text)) named.delete(text);
  const stays = (name: string, value: string) => {
    const isNamed = kinds.isNamed(name) && !isSecret(value);
    const isWord = kinds.isWord(name, value) && !originals.has(value) && !isSecret(value) && !isOfHolder(value);
    if (!isNamed && !isWord && !isPlain(name, value)) return named.has(value);
    codes.add(name);
    return true;
  };
  /** What stands for a value, and the values that do not stay, with their parts. */
  const others = new Map<string, string>();
  const taken = new Set<string>();
  const replaced = new Set<string>();

  const replacer = {
    answer(exchange: HttpExchange): RecordedAnswer {
      const { status, headers } = exchange.answer;
      const told = Object.entries(headers).flatMap(([name, value]) =>
        keptHeaders.test(name) ? [[name, verbatimHeaders.test(name) ? value : link(value)] as const] : [],
      );
      const body = mapBody(bodies.get(exchange) ?? readBody(exchange), leaf, member);
      const { "content-type": type, ...rest } = Object.fromEntries(told);
      const isPlain = "json" in body && (type ?? "").startsWith("application/json");
      return {
        status,
        headers: isPlain || type === undefined ? rest : { "content-type": type, ...rest },
        ...("json" in body ? { json: body.json } : { text: "xml" in body ? body.xml : body.text }),
      };
    },
    text: (text: string) => (number.test(text) ? digits(text) : parts(text)),
    masked(text: string): string {
      const plain = text.replace(/(?<![\w:])\d{1,6}(?=\.[A-Za-z_*]|\])|(?<=[A-Za-z_]\.)\d{1,6}(?![\w:])/g, "*");
      const hidden = forms.reduce((all, form) => all.replaceAll(form, "…"), plain);
      const unknown = hidden.replace(runs, (part) => (replaced.has(part) ? "…" : part));
      // What a provider has computed is in no answer.
      return unknown.replace(/\d+(?:[.,']\d+)+|\d{4,}/g, "…");
    },
    call: ({ method, url }: HttpExchange) =>
      `${method} ${url.pathname
        .split("/")
        .map((step) => (step === "" || (memberName.test(step) && !replaced.has(step)) ? step : "{id}"))
        .join("/")}`,
    get codes() {
      return [...codes].sort();
    },
  };
  for (const exchange of exchanges) replacer.answer(exchange);
  for (const secret of secrets) replacer.text(secret);
  return replacer;

  function leaf(value: string, name: string): string {
    const isNumber = value.startsWith(NUMBER);
    const text = isNumber ? value.slice(NUMBER.length) : value;
    if (text === "" || stays(name, text)) return value;
    if (number.test(text)) return `${isNumber ? NUMBER : ""}${digits(text)}`;
    return /^https?:\/\/|^\/[^\s/]/.test(text) ? link(text) : parts(text);
  }

  function member(name: string): string {
    return memberName.test(name) && !secrets.has(name) ? name : replacer.text(name);
  }

  /** An address, whole or from its path on. Known hosts and steps of paths stay. */
  function link(text: string): string {
    return text.replace(/^(https?:\/\/)([^/?#]*)|([^/?&=#;,<> ]+)(=?)/g, (whole, scheme, host, step, equals) => {
      if (scheme !== undefined) return `${scheme}${hosts.has(host) ? host : "other.example"}`;
      if (equals === "=" ? memberName.test(step) : steps.has(step) || /^"\w+"$/.test(step)) return whole;
      return encodeURIComponent(replacer.text(decoded(step))) + equals;
    });
  }

  function parts(text: string): string {
    return text.replace(runs, (part) => {
      if (/^\d+$/.test(part)) return digits(part);
      return other(part, (bytes) => {
        if (isIsin(part)) return isinOf(part.slice(0, 2), shaped(part.slice(2, 11), bytes));
        return isUuid.test(part) ? replaceUuid(part, bytes) : shaped(part, bytes);
      });
    });
  }

  /** A number with as many digits, its sign and its point. Zeros before the first digit and at the end of a fraction stay. */
  function digits(text: string): string {
    const [, sign = "", plain = "", exponent = ""] = number.exec(text) ?? [];
    if (!/[1-9]/.test(plain)) return text;
    const last = plain.includes(".") ? plain.replace(/0+$/, "").length : plain.length;
    const first = plain.search(/[1-9]/);
    const made = other(plain, (bytes) =>
      [...plain]
        .map((digit, at) => {
          if (!/\d/.test(digit) || at < first || at >= last) return digit;
          const byte = bytes(at);
          return String(at === first || at === last - 1 ? 1 + (byte % 9) : byte % 10);
        })
        .join(""),
    );
    return `${sign}${made}${exponent}`;
  }

  /** The value that stands for another one and for no third one, and is no value of the answers itself, unless there are too few of its shape. */
  function other(text: string, make: (bytes: (at: number) => number) => string): string {
    if (named.has(text)) return text;
    const known = others.get(text);
    if (known !== undefined) return known;
    let made = text;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const blocks: Buffer[] = [];
      const bytes = (at: number) => {
        const block = Math.floor(at / 32);
        blocks[block] ??= createHmac("sha256", salt).update(`${attempt} ${block} ${text}`).digest();
        return blocks[block][at % 32] ?? 0;
      };
      made = make(bytes);
      if (made !== text && !taken.has(made) && (text.length < MIN_UNIQUE || !originals.has(made))) break;
    }
    others.set(text, made);
    taken.add(made);
    for (const part of [text, ...(text.match(runs) ?? [])]) replaced.add(part);
    return made;
  }
}

function shaped(text: string, bytes: (at: number) => number): string {
  return [...text]
    .map((character, at) => {
      const byte = bytes(at);
      if (/\p{N}/u.test(character)) return String(byte % 10);
      const letter = String.fromCharCode(97 + (byte % 26));
      return /\p{Lu}/u.test(character) ? letter.toUpperCase() : letter;
    })
    .join("");
}

/** Version and variant stay. */
function replaceUuid(text: string, bytes: (at: number) => number): string {
  return [...text]
    .map((character, at) => (character === "-" || at === 14 || at === 19 ? character : (bytes(at) % 16).toString(16)))
    .join("");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function readBody({ answer }: HttpExchange): Body {
  const text = Buffer.from(answer.body).toString("utf8");
  try {
    if (/^\s*[[{"\d-]/.test(text)) return { json: parseNumbers(text, ([found]) => `\\u0000${found}`) };
  } catch {
    return { text };
  }
  return /^\s*</.test(text) && !/^\s*<(?:!doctype )?html/i.test(text) ? { xml: text } : { text };
}

function mapBody(body: Body, change: Change, member: Change): Body {
  if ("json" in body) return { json: mapJson(body.json, change, member) };
  return "xml" in body ? { xml: mapXml(body.xml, change) } : { text: change(body.text, "") };
}

function mapJson(value: unknown, change: Change, member: Change, name = ""): unknown {
  if (typeof value === "string") return change(value, name);
  if (Array.isArray(value)) return value.map((each) => mapJson(each, change, member, name));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [member(key, ""), mapJson(each, change, member, key)]),
  );
}
