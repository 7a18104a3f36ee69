/** Markup that is safe to send, because every value in it has been escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Template values: text is escaped, markup is not, null and false are omitted. */
export type HtmlValue = string | number | Html | null | false | readonly HtmlValue[];

/** Template tag that escapes every value, for element content and for quoted attributes. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const parts = values.map((value, index) => `${textOf(value)}${strings[index + 1]}`);
  return new Html(`${strings[0]}${parts.join("")}`);
}

function textOf(value: HtmlValue): string {
  if (value === null || value === false) return "";
  if (value instanceof Html) return value.text;
  if (typeof value === "string" || typeof value === "number") return escapeText(String(value));
  return value.map(textOf).join("");
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
