/** A number written to JSON text with exactly these digits. */
export class Exact {
  readonly text: string;

  constructor(text: string) {
    if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) throw new Error(`${text} is no number of JSON`);
    this.text = text;
  }
}

export type Json =
  | string
  | number
  | boolean
  | null
  | Exact
  | readonly Json[]
  | { readonly [name: string]: Json | undefined };
export type JsonObject = { readonly [name: string]: Json | undefined };

/** Like JSON.stringify, with exact numbers unchanged. */
export function exactJson(value: Json): string {
  if (value instanceof Exact) return value.text;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (isList(value)) return `[${value.map(exactJson).join(",")}]`;
  const members = Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : [`${JSON.stringify(name)}:${exactJson(member)}`],
  );
  return `{${members.join(",")}}`;
}

function isList(value: object): value is readonly Json[] {
  return Array.isArray(value);
}
