/** Values for a template's placeholders. A multi-line text stays multi-line; null removes the line. */
export type TemplateValues = Readonly<Record<(typeof templatePlaces)[number], string | null>>;

/** Names that a template may use as `{{name}}`. */
export const templatePlaces = [
  "full_name",
  "address",
  "authorized",
  "authorized_address",
  "bank",
  "date",
  "reference",
  "accounts",
  "when_all_accounts",
  "birth_date",
  "tax_id",
] as const;

/** A letter ready to be typeset. */
export interface FilledLetter {
  readonly title: string;
  /** `signature` stands for a line to sign on. */
  readonly paragraphs: readonly (string | { readonly signature: true })[];
}

/** Matches a placeholder and also its unterminated beginnings, so that every character is scanned only once. */
const PLACE = /\{\{([^}]*)(\}\}|\}|$)/g;
const PLACE_END = "}}";

/** Fills a template. A template without {@link templateFaults} can be filled. */
export function fillTemplate(template: string, values: TemplateValues): FilledLetter {
  const [title = "", ...rest] = template.trim().split("\n");
  const paragraphs = rest
    .join("\n")
    .split(/\n\s*\n/)
    .flatMap((paragraph) => fillParagraph(paragraph.trim(), values));
  return { title: title.trim(), paragraphs };
}

/** Describes what is wrong with a template; empty if it can be used. */
export function templateFaults(template: string): readonly string[] {
  const names = [...template.matchAll(PLACE)].flatMap(([, name = "", end]) => (end === PLACE_END ? [name] : []));
  const known: readonly string[] = [...templatePlaces, "signature"];
  const unknown = [...new Set(names)].filter((name) => !known.includes(name));
  const missing = ["full_name", "bank", "signature"].filter((name) => !names.includes(name));
  return [
    ...unknown.map((name) => `{{${name}}} is not known; there are ${known.join(", ")}`),
    ...missing.map((name) => `{{${name}}} is missing`),
  ];
}

function fillParagraph(paragraph: string, values: TemplateValues): FilledLetter["paragraphs"] {
  const filled: (string | { signature: true })[] = [];
  const lines: string[] = [];
  const flush = () => {
    if (lines.length > 0) filled.push(lines.splice(0).join("\n"));
  };
  for (const line of paragraph.split("\n")) {
    if (line.trim() === "{{signature}}") {
      flush();
      filled.push({ signature: true });
      continue;
    }
    const text = fillLine(line, values);
    if (text !== null) lines.push(text);
  }
  flush();
  return filled;
}

function fillLine(line: string, values: TemplateValues): string | null {
  let isWhole = true;
  const text = line.replace(PLACE, (place, name: string, end: string) => {
    if (end !== PLACE_END) return place;
    const value = values[name as keyof TemplateValues];
    isWhole &&= value !== null;
    return value ?? "";
  });
  return isWhole ? text : null;
}
