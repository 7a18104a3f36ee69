import { cleanText, findUnclean, MAX_NAME_CHARACTERS } from "@org/core";
import type { FeedWarning, SnapshotData } from "@org/provider-kit";
import { keepShared } from "./kept-objects.js";
import { type MarkupElement, placeOf } from "./markup/element.js";

/** Maximum number of warnings listed; further ones are only counted. */
const MAX_WARNINGS = 20;

/** Adds a warning about one place in the file. */
export type Warn = (message: string) => void;

/** Warnings about a file, in file order and limited in number. */
export class FeedWarnings {
  readonly #told: FeedWarning[] = [];
  #more = 0;

  /** @param place is only computed if the warning is listed */
  add(place: () => string, message: string): void {
    if (this.#told.length < MAX_WARNINGS) this.#told.push({ place: place(), message });
    else this.#more += 1;
  }

  /** Returns a function that adds warnings about an element. */
  at(element: MarkupElement): Warn {
    return (message) => this.add(() => placeOf(element), message);
  }

  list(): readonly FeedWarning[] {
    if (this.#more === 0) return this.#told;
    return [...this.#told, { place: "file", message: `${this.#more} more warnings` }];
  }
}

keepShared(new FeedWarnings());

/** Quotes text of the file for a message: without invisible characters, and cut at `most` characters. */
export function quotedText(text: string, most = 60): string {
  const clean = cleanText(text);
  return JSON.stringify(clean.length > most ? `${clean.slice(0, most)}…` : clean);
}

/** Warnings about texts that are changed when the file is published, by removing characters or shortening. The file is ingested all the same. */
export function warningsOfText(snapshot: SnapshotData): FeedWarning[] {
  const { texts, longTexts, characters } = findUnclean(textsOf(snapshot));
  const messages = [
    texts > 0 && `texts with characters that are not shown (${characters.join(", ")}), which were left out: ${texts}`,
    longTexts > 0 && `texts longer than ${MAX_NAME_CHARACTERS} characters, which were cut: ${longTexts}`,
  ];
  return messages.flatMap((message) => (message ? [{ place: "file", message }] : []));
}

function* textsOf({ portfolios, holdings, transactions }: SnapshotData): Generator<string> {
  for (const { name, ref_account } of portfolios ?? []) yield* [name, ref_account ?? ""];
  for (const { name, isin } of holdings ?? []) yield* [name, isin ?? ""];
  for (const { description } of transactions ?? []) yield description;
}
