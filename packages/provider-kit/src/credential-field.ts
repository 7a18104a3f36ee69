/** Languages that a bank customer can be spoken to in. */
export const languages = ["en", "es", "fr", "de"] as const;
export type Language = (typeof languages)[number];

/** Words for the customer: a text that is the same in every language, or one for each that there is. */
export type LocalizedText = string | Readonly<Partial<Record<Language, string>>>;

/** Names of fields, of which the widget makes names of form fields. */
export const fieldName = /^[a-z][a-z0-9_]{0,39}$/;

/** One thing that a bank asks for, at login (`credentialFields`) or in the middle of one (`ask`). */
export interface CredentialField {
  /** Lower-case letters, digits and underscores, at most 40, beginning with a letter. */
  readonly name: string;
  /** What the bank calls it; without one, the widget's own word for `username` and `password`, else the name. */
  readonly label?: LocalizedText;
  /** What belongs there, or where to find it. */
  readonly hint?: LocalizedText;
  /** Left out: `secret` for the name `password`, else `text`. */
  readonly kind?: "text" | "secret" | "number" | "choice";
  /** Of a `choice`, in order. */
  readonly options?: readonly { readonly value: string; readonly label: LocalizedText }[];
  /** Left out: true. A field that is not required and left empty is not among the request's `fields`. */
  readonly required?: boolean;
  /** What the whole value has to match: a regular expression of JavaScript, read with the flag `u`. */
  readonly pattern?: string;
  /** A token of HTML's `autocomplete`. */
  readonly autocomplete?: string;
}

/** What `words` are in a language: in it, else in English, else in the first language that there is; undefined where there are none. */
export function localizedText(words: LocalizedText | undefined, language: Language): string | undefined {
  if (words === undefined || typeof words === "string") return words;
  return words[language] ?? words.en ?? Object.values(words)[0];
}
