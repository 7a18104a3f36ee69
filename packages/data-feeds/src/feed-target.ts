import type { LetterRecord, Runtime, Storage, TenantStores } from "@org/core";
import { CoreError, letterNotFound, locateLetter, openDetails, parseUuid, type Uuid } from "@org/core";
import type { LinkSources } from "./account-links.js";

/** A connection, a letter or, from a folder named only by an id, the id of either. */
export type FeedTarget =
  | { readonly connection_id: string }
  | { readonly letter_id: string }
  | { readonly connection_or_letter_id: string };

/** Where a file goes: to a connection, or to a letter that may have no connection yet. */
export interface FeedPlace {
  readonly tenant_id: string;
  /** The bank's name, for the connection that a letter does not have yet. */
  readonly bank: string;
  readonly connection_id?: Uuid;
  readonly letter_id?: Uuid;
}

/** @throws CoreError NOT_FOUND */
export async function locateFeed(
  deps: { storage: Storage; bankOf: (connectorId: string) => Promise<string | null> },
  target: FeedTarget,
): Promise<FeedPlace> {
  if ("letter_id" in target) {
    const letterId = parseUuid(target.letter_id.toLowerCase());
    if (letterId === null) throw letterNotFound();
    return locateLetter(deps, letterId);
  }
  const id = parseUuid(
    ("connection_id" in target ? target.connection_id : target.connection_or_letter_id).toLowerCase(),
  );
  const tenant_id = id && (await deps.storage.directory.tenantOfConnection(id));
  if (id !== null && tenant_id !== null) return { tenant_id, connection_id: id, bank: "" };
  if ("connection_id" in target) throw connectionNotFound();
  if (id === null) throw nothingFound();
  return locateLetter(deps, id).catch((error: unknown) => {
    throw error instanceof CoreError && error.code === "NOT_FOUND" ? nothingFound() : error;
  });
}

function nothingFound(): CoreError {
  return new CoreError("NOT_FOUND", "no connection and no letter has this id");
}

/** Locks the letter first: whoever moves a letter locks it before touching its connection, so two of them cannot deadlock. */
export async function lockLetter(
  stores: TenantStores,
  { letter_id, connection_id }: Pick<FeedPlace, "connection_id" | "letter_id">,
): Promise<LetterRecord | null> {
  const fed = connection_id === undefined ? null : await stores.letters.findByConnection(connection_id);
  const letterId = letter_id ?? fed?.letter_id;
  return letterId === undefined ? null : stores.letterMoves.lock(letterId);
}

/** The connector whose account rules apply; null if connection and letter are gone. */
export async function connectorOf(
  { connections, letters }: TenantStores,
  { connection_id, letter_id }: Pick<FeedPlace, "connection_id" | "letter_id">,
): Promise<string | null> {
  const of = connection_id === undefined ? null : await connections.find(connection_id);
  const letter = letter_id === undefined ? null : await letters.find(letter_id);
  return (of ?? letter)?.connector_id ?? null;
}

/** Account numbers that a letter names; empty if it names none or its details are gone. */
export async function accountsOfLetter(
  { letterDocuments }: TenantStores,
  { vault }: Pick<Runtime, "vault">,
  letter: LetterRecord | null,
): Promise<LinkSources["letter"]> {
  const sealed = letter && (await letterDocuments.details(letter.letter_id));
  return sealed ? ((await openDetails(vault, letter.letter_id, sealed)).accounts ?? []) : [];
}

export function connectionNotFound(): CoreError {
  return new CoreError("NOT_FOUND", "no such connection_id");
}
