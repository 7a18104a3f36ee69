import { FeedRefusal, type FeedWarning, type LeftOut } from "@org/provider-kit";

/** Maximum number of warnings listed; further ones are only counted. */
const MAX_WARNINGS = 20;
/** Maximum number of rows that are left out: a file with more is not what it seems. */
export const MAX_LEFT_OUT = 100;

/** Warnings about a file, in file order and limited in number, and the rows that are left out. */
export class MappingWarnings {
  readonly #told: FeedWarning[] = [];
  readonly #leftOut: LeftOut[] = [];
  #first: FeedRefusal | null = null;
  #more = 0;

  add(place: string, message: string): void {
    if (this.#told.length < MAX_WARNINGS) this.#told.push({ place, message });
    else this.#more += 1;
  }

  /**
   * Notes a movement that is left out because of this fault.
   * @throws FeedRefusal if there are too many
   */
  leaveOut(refusal: FeedRefusal): void {
    const { place, reason } = refusal;
    if (this.#leftOut.length >= MAX_LEFT_OUT)
      throw new FeedRefusal(place, `${reason}, after ${MAX_LEFT_OUT} rows that cannot be read`);
    this.#first ??= refusal;
    const [, column = "row"] = place.split(", column ");
    this.#leftOut.push({ place, field: column.replace(/^"|"$/g, "") });
    this.add(place, `${reason}; the row is left out`);
  }

  /** Why the first row was left out; null if none was. */
  get firstLeftOut(): FeedRefusal | null {
    return this.#first;
  }

  /** The rows that {@link leaveOut} has noted, as a part of a file's content. */
  leftOut(): { readonly left_out?: readonly LeftOut[] } {
    return this.#leftOut.length === 0 ? {} : { left_out: this.#leftOut };
  }

  list(): readonly FeedWarning[] {
    if (this.#more === 0) return this.#told;
    return [...this.#told, { place: "file", message: `${this.#more} more warnings` }];
  }
}
