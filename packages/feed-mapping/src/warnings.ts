import type { FeedWarning } from "@org/provider-kit";

/** Maximum number of warnings listed; further ones are only counted. */
const MAX_WARNINGS = 20;

/** Warnings about a file, in file order and limited in number. */
export class MappingWarnings {
  readonly #told: FeedWarning[] = [];
  #more = 0;

  add(place: string, message: string): void {
    if (this.#told.length < MAX_WARNINGS) this.#told.push({ place, message });
    else this.#more += 1;
  }

  list(): readonly FeedWarning[] {
    if (this.#more === 0) return this.#told;
    return [...this.#told, { place: "file", message: `${this.#more} more warnings` }];
  }
}
