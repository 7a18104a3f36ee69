/** The languages in which bank customers can be addressed. */
export const languages = ["en", "es", "fr", "de"] as const;
export type Language = (typeof languages)[number];

/** Text for the customer: one text for all languages, or one per language. A language that is left out gets English, or else any other. */
export type LocalizedText = string | Readonly<Partial<Record<Language, string>>>;

/** What a field's name must look like; the widget builds form field names from it. */
export const fieldName = /^[a-z][a-z0-9_]{0,39}$/;

/** One input that a bank asks for, at the start of a login (`credentialFields`) or during it (`ask`). */
export interface CredentialField {
  /** Lower-case letters, digits and underscores, at most 40, starting with a letter. */
  readonly name: string;
  /** The bank's label for it. Left out: the widget's own label for `username` and `password`, otherwise the name. */
  readonly label?: LocalizedText;
  /** What to enter, or where to find it. */
  readonly hint?: LocalizedText;
  /** Left out: `secret` if the name is `password`, otherwise `text`. */
  readonly kind?: "text" | "secret" | "number" | "choice";
  /** The options of a `choice`, in order. */
  readonly options?: readonly { readonly value: string; readonly label: LocalizedText }[];
  /** Left out: true. An optional field that is left empty is not in the request's `fields`. */
  readonly required?: boolean;
  /** A JavaScript regular expression that the whole value must match; compiled with the flag `u`. */
  readonly pattern?: string;
  /** An HTML `autocomplete` token. */
  readonly autocomplete?: string;
}

/** Whether what is typed into a field is hidden, and shown nowhere. */
export function isSecretField({ name, kind }: Pick<CredentialField, "name" | "kind">): boolean {
  return kind === "secret" || (kind === undefined && name === "password");
}

/** The text in `language`, otherwise in English, otherwise in the first language there is; undefined if there is none. */
export function localizedText(words: LocalizedText | undefined, language: Language): string | undefined {
  if (words === undefined || typeof words === "string") return words;
  return words[language] ?? words.en ?? Object.values(words)[0];
}
