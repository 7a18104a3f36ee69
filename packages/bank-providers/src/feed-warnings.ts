import type { FeedWarning } from "@org/core";
import { type MarkupElement, placeOf } from "./markup/element.js";

/** Warnings told one by one; of further ones only their number is told. */
const MAX_WARNINGS = 20;

/** Takes a remark about the place in the file that the caller stands at. */
export type Warn = (message: string) => void;

/** What is odd about a file, in file order and bounded. */
export class FeedWarnings {
  readonly #told: FeedWarning[] = [];
  #more = 0;

  /** @param place is only worked out when the warning is kept */
  add(place: () => string, message: string): void {
    if (this.#told.length < MAX_WARNINGS) this.#told.push({ place: place(), message });
    else this.#more += 1;
  }

  /** Takes remarks about an element. */
  at(element: MarkupElement): Warn {
    return (message) => this.add(() => placeOf(element), message);
  }

  list(): readonly FeedWarning[] {
    if (this.#more === 0) return this.#told;
    return [...this.#told, { place: "file", message: `${this.#more} more warnings` }];
  }
}

/** Text of the file as it may stand in a message: cut at `most` characters. */
export function quoted(text: string, most = 60): string {
  return JSON.stringify(text.length > most ? `${text.slice(0, most)}…` : text);
}
