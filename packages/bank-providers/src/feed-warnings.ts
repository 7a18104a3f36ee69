import { cleanText, findUnclean, MAX_NAME_CHARACTERS } from "@org/core";
import { FeedRefusal, type FeedWarning, type LeftOut, type SnapshotData } from "@org/provider-kit";
import { keepShared } from "./kept-objects.js";
import { type MarkupElement, placeOf } from "./markup/element.js";

/** Maximum number of warnings listed; further ones are only counted. */
const MAX_WARNINGS = 20;

/** Maximum number of movements that are left out: a file with more is not what it seems, and each one's place takes time to find. */
const MAX_LEFT_OUT = 100;

/** Maximum number of accounts that are refused alone. */
const MAX_REFUSED = 100;

/** Adds a warning about one place in the file. */
export type Warn = (message: string) => void;

/** Warnings about a file, in file order and limited in number. */
export class FeedWarnings {
  readonly #told: FeedWarning[] = [];
  readonly #leftOut: LeftOut[] = [];
  readonly #refused: { readonly number: string; readonly refusal: FeedRefusal }[] = [];
  #firstLeftOut: FeedRefusal | null = null;
  #more = 0;
  readonly #isFault: (refusal: FeedRefusal) => boolean;

  /** @param isFault whether a fault of a movement or an account is one of the whole file */
  constructor(isFault: (refusal: FeedRefusal) => boolean = () => false) {
    this.#isFault = isFault;
  }

  /** @param place is only computed if the warning is listed */
  add(place: () => string, message: string): void {
    if (this.#told.length < MAX_WARNINGS) this.#told.push({ place: place(), message });
    else this.#more += 1;
  }

  /** Returns a function that adds warnings about an element. */
  at(element: MarkupElement): Warn {
    return (message) => this.add(() => placeOf(element), message);
  }

  /**
   * Reads a movement. One that cannot be read is left out, with a warning that says where and why; null then.
   * @throws FeedRefusal for a fault of the whole file
   */
  movement<T>(read: () => T): T | null {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof FeedRefusal) || this.#isFault(error)) throw error;
      if (this.#leftOut.length >= MAX_LEFT_OUT)
        throw new FeedRefusal(error.place, `${error.reason}, after ${MAX_LEFT_OUT} movements that cannot be read`);
      this.#firstLeftOut ??= error;
      this.#leftOut.push({ place: error.place, field: fieldAtFault(error) });
      this.add(() => error.place, `${error.reason}; the movement is left out`);
      return null;
    }
  }

  /** Reads an optional value. One that cannot be read is dropped with a warning, and null is returned. */
  optional<T>(read: () => T): T | null {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof FeedRefusal)) throw error;
      this.add(() => error.place, `${error.reason}; it is left out`);
      return null;
    }
  }

  /**
   * Reads an account. One that cannot be read is refused alone, with a warning, if the file has others: {@link refusedAccounts}. False then.
   * @throws FeedRefusal for a fault of the whole file
   */
  account(number: string, read: () => void): boolean {
    try {
      read();
      return true;
    } catch (error) {
      if (!(error instanceof FeedRefusal) || this.#isFault(error)) throw error;
      if (this.#refused.length >= MAX_REFUSED)
        throw new FeedRefusal(error.place, `${error.reason}, after ${MAX_REFUSED} accounts that cannot be read`);
      this.#refused.push({ number, refusal: error });
      return false;
    }
  }

  /** Whether {@link account} has refused an account with this number. */
  isRefused(account: string): boolean {
    return this.#refused.some(({ number }) => number === account);
  }

  /** @throws FeedRefusal for the first account that {@link account} refused, for files that are useless without any of their accounts */
  requireAllAccounts(): void {
    const [first] = this.#refused;
    if (first) throw first.refusal;
  }

  /**
   * The accounts that {@link account} refused, as a part of a file's content.
   * @throws FeedRefusal if no other account was read: the first fault, of an account or of a movement, with all of them as `faults`
   */
  refusedAccounts(isAnyRead: boolean): { readonly refused_accounts?: readonly string[] } {
    for (const { number, refusal } of this.#refused)
      this.add(
        () => refusal.place,
        `${refusal.reason}; the account ${quotedText(number)} is refused, the others are taken`,
      );
    const refused = [...new Set(this.#refused.map(({ number }) => number))];
    const told = refused.length === 0 ? {} : { refused_accounts: refused };
    const first = this.#refused[0]?.refusal ?? this.#firstLeftOut;
    if (!first || isAnyRead) return told;
    const faults = { warnings: this.list(), ...this.leftOut(), ...told };
    throw new FeedRefusal(first.place, first.reason, first.lack, faults);
  }

  /** The movements that {@link movement} left out, as a part of a file's content. */
  leftOut(): { readonly left_out?: readonly LeftOut[] } {
    return this.#leftOut.length === 0 ? {} : { left_out: this.#leftOut };
  }

  list(): readonly FeedWarning[] {
    if (this.#more === 0) return this.#told;
    return [...this.#told, { place: "file", message: `${this.#more} more warnings` }];
  }
}

/** The name of a field as in the file: the one that starts the reason, or else the end of the place. */
function fieldAtFault({ place, reason }: FeedRefusal): string {
  const [, named] = /^([A-Za-z]\w*) (?:is missing|is empty|")/.exec(reason) ?? [];
  const last = place.slice(Math.max(place.lastIndexOf("/"), place.lastIndexOf(" ")) + 1);
  return named ?? last.replace(/\[\d+\]$/, "");
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
