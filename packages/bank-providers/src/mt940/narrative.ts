/** Counterparty and purpose from an entry's `:86:`. */
export interface Narrative {
  readonly party: string | null;
  readonly remittance: string | null;
  /** The bank's name for the movement. */
  readonly posting: string | null;
}

/** Reads `:86:` as German banks structure it (`166?00…?20…?32…`), by slash codes (`/REMI/…`), or as free text. */
export function readNarrative(value: string): Narrative {
  const separator = /^\d{3}([^\w\s/])\d\d/.exec(value)?.[1];
  if (separator !== undefined) return germanNarrative(value.replaceAll("\n", ""), separator);
  const text = joined(value.split("\n"), FULL_LINE);
  return codedNarrative(text) ?? { party: null, remittance: tidy(text), posting: null };
}

/** Lines have 65 characters; some banks count the tag as part of the first line. */
const FULL_LINE = { first: 61, other: 65 };

/** Joins lines. A full line continues in the next one, even within a word. */
function joined(lines: readonly string[], full: { readonly first: number; readonly other: number }): string {
  return lines.reduce((text, line, index) => {
    const before = lines[index - 1];
    if (before === undefined) return line;
    return `${text}${before.length >= (index === 1 ? full.first : full.other) ? "" : " "}${line}`;
  }, "");
}

function tidy(text: string): string | null {
  // Not `replace`, whose result V8 keeps in pieces that take more memory.
  return text.trim().split(/\s+/).join(" ") || null;
}

/** Fields of the German format have 27 characters (DFÜ agreement, annex 3, 8.2.3). */
const FULL_FIELD = { first: 27, other: 27 };

/** `?00` is the bank's name for the movement, `?20` to `?29` and `?60` to `?63` are the purpose, `?32` and `?33` the counterparty. */
function germanNarrative(text: string, separator: string): Narrative {
  const fields = new Map<number, string[]>();
  for (const part of text.slice(3).split(separator)) {
    const [, number, words] = /^(\d\d)(.*)$/s.exec(part) ?? [];
    if (number === undefined || words === undefined) continue;
    const known = fields.get(Number(number));
    if (known) known.push(words);
    else fields.set(Number(number), [words]);
  }
  const among = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => fields.get(from + index) ?? []).flat();
  const remittance = joined([...among(20, 29), ...among(60, 63)], FULL_FIELD);
  return {
    party: tidy(joined(among(32, 33), FULL_FIELD)),
    remittance: tidy(purposeOf(remittance)),
    posting: tidy(among(0, 0).join(" ")),
  };
}

/** In a SEPA payment, `SVWZ+` marks the purpose; `EREF+`, `MREF+` and the like are references. */
function purposeOf(text: string): string {
  return /SVWZ\+(.*?)(?=(?:EREF|KREF|MREF|CRED|DEBT|COAM|OAMT|ABWA|ABWE|IBAN|BIC)\+|$)/s.exec(text)?.[1] ?? text;
}

const codes =
  /\/(TRTP|TRCD|IBAN|BIC|NAME|REMI|EREF|PREF|KREF|MARF|CSID|ISDT|BENM|ORDP|CNTP|RTRN|ACCW|PURP|ULTC|ULTD|ULTB|ULTR|ADDR|OCMT|CHGS|EXCH|SVCL|RREF|IREF|BUSP|CRED|DEBT|ID)(?=\/)/g;

/** The latest position of the first code. */
const LATEST = 4;

/** Reads `/EREF/…/BENM//NAME/…/REMI/…`: each code's value ends where the next code begins. */
function codedNarrative(text: string): Narrative | null {
  const slash = text.indexOf("/");
  if (slash < 0 || slash > LATEST) return null;
  const found = [...text.matchAll(codes)];
  if (found.length === 0 || (found[0]?.index ?? 0) > LATEST) return null;
  const values = new Map<string, string>();
  found.forEach(({ 0: token, 1: code = "", index }, at) => {
    const value = text.slice(index + token.length + 1, found[at + 1]?.index ?? text.length);
    if (!values.get(code)) values.set(code, value);
  });
  // `/CNTP/<account>/<BIC>/<name>/<city>/`
  const counterparty = values.get("CNTP")?.split("/")[2];
  const remittance = values.get("REMI")?.replace(/^(?:USTD|STRD)\/+/, "");
  return {
    party: tidy(values.get("NAME") || counterparty || ""),
    remittance: tidy(remittance?.replace(/(?<!\/)\/+$/, "") || values.get("EREF") || ""),
    posting: tidy(values.get("TRTP") ?? values.get("TRCD") ?? ""),
  };
}
