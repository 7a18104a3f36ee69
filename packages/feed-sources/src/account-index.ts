import { type EventLoopYielder, yieldToEventLoop } from "@org/core";
import { accountKey, isSameAccount, likeness, likenessOfKeys } from "./accounts.js";

/** A letter whose details name accounts. */
export interface LetterAccounts {
  readonly tenant_id: string;
  readonly letter_id: string;
  /** Null until its first file arrives. */
  readonly connection_id: string | null;
  readonly accounts: readonly string[];
}

/** Letters by the accounts they name. A lookup takes the same time however many letters there are. */
type AccountIndex = ReadonlyMap<string, readonly LetterAccounts[]>;

const indexes = new WeakMap<readonly LetterAccounts[], AccountIndex>();
/** The {@link accountKey}s of each letter's accounts; the list stays the same object until the letter changes. */
const keys = new WeakMap<readonly string[], readonly string[]>();

/** The letters that name an account. */
export function lettersNaming(account: string, letters: readonly LetterAccounts[]): readonly LetterAccounts[] {
  const found = indexOf(letters).get(accountKey(account)) ?? [];
  return found.filter(({ accounts }) => accounts.some((number) => isSameAccount(number, account)));
}

/** Letters with a number that nearly matches the account, and why. Compares at most `most` numbers. */
export async function lettersNear(
  account: string,
  letters: readonly LetterAccounts[],
  most: number,
  pace: EventLoopYielder,
): Promise<{
  readonly near: readonly { readonly letter: LetterAccounts; readonly why: string }[];
  readonly looked: number;
}> {
  const key = accountKey(account);
  const near: { letter: LetterAccounts; why: string }[] = [];
  let looked = 0;
  for (const letter of letters) {
    if (pace.isDue()) await pace.turn();
    for (const [index, other] of keysOf(letter.accounts).entries()) {
      if (looked >= most) return { near, looked };
      looked += 1;
      const why = likenessOfKeys(other, key) && likeness(letter.accounts[index] as string, account);
      if (why === null) continue;
      near.push({ letter, why });
      break;
    }
  }
  return { near, looked };
}

/** Builds the index for {@link lettersNaming}, yielding to the event loop regularly: with very many letters it takes a while. */
export async function indexAccounts(letters: readonly LetterAccounts[]): Promise<void> {
  if (indexes.has(letters)) return;
  const index = new Map<string, LetterAccounts[]>();
  for (const [place, letter] of letters.entries()) {
    if (place % SLICE === SLICE - 1) await yieldToEventLoop();
    addTo(index, letter);
  }
  indexes.set(letters, index);
}

/** The number of letters between two yields; each may name fifty accounts. */
const SLICE = 200;

function indexOf(letters: readonly LetterAccounts[]): AccountIndex {
  const known = indexes.get(letters);
  if (known) return known;
  const index = new Map<string, LetterAccounts[]>();
  for (const letter of letters) addTo(index, letter);
  indexes.set(letters, index);
  return index;
}

function addTo(index: Map<string, LetterAccounts[]>, letter: LetterAccounts): void {
  for (const key of new Set(keysOf(letter.accounts))) {
    const others = index.get(key);
    if (others) others.push(letter);
    else index.set(key, [letter]);
  }
}

function keysOf(accounts: readonly string[]): readonly string[] {
  const known = keys.get(accounts) ?? accounts.map(accountKey);
  keys.set(accounts, known);
  return known;
}
