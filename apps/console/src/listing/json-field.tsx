import "./listing.css";
import { useWords } from "../language/language.js";
import { TextField } from "../parts/fields.js";
import { listWords } from "./list-words.js";

/** Edits a JSON object as text, and reports text that is not an object. */
export function JsonField({
  text,
  rows,
  ...rest
}: {
  readonly label: string;
  readonly hint?: string;
  readonly text: string;
  readonly rows: number;
  readonly onChange: (text: string) => void;
}) {
  const { notJson } = useWords(listWords);
  const fault = text !== "" && objectIn(text) === null ? notJson : null;
  return <TextField {...rest} {...{ rows, fault }} className="code" spellCheck={false} value={text} />;
}

/** Parses a JSON object; null if the text is none. The server lists what is wrong with its members. */
export function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === "object" && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** A value as JSON text for editing. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
