import { openDetails, type Runtime, type Storage, type Uuid } from "@org/core";
import type { LetterAccounts, LetterScope, Route } from "@org/feed-sources";

const PAGE = 500;
/** Letters of one connector that are looked through; files for others need rules. */
const MOST_LETTERS = 20_000;
const MOST_KNOWN = 50_000;

/**
 * Finds which accounts the letters of a connector name. Details are sealed: those of a letter are opened once, and again when it has
 * changed.
 */
export function letterAccounts({
  storage,
  runtime,
}: {
  storage: Pick<Storage, "letterDesk" | "inTenant">;
  runtime: Pick<Runtime, "vault">;
}): (scope: LetterScope) => Promise<readonly LetterAccounts[]> {
  const known = new Map<string, readonly string[]>();

  return async ({ connector_id, tenant_id = null }) => {
    const found: LetterAccounts[] = [];
    for (let offset = 0; offset < MOST_LETTERS; offset += PAGE) {
      const { items } = await storage.letterDesk.search({
        ...{ ...anyLetter, connector_id_in: [connector_id], tenant_id },
        ...{ offset, page_size: PAGE },
      });
      for (const letter of items) {
        const key = `${letter.letter_id} ${letter.version}`;
        let accounts = known.get(key);
        if (accounts === undefined) {
          accounts = await accountsOf(letter.tenant_id, letter.letter_id);
          if (known.size >= MOST_KNOWN) known.clear();
          known.set(key, accounts);
        }
        const { tenant_id: owner, letter_id, connection_id } = letter;
        if (accounts.length > 0) found.push({ tenant_id: owner, letter_id, connection_id, accounts });
      }
      if (items.length < PAGE) break;
    }
    return found;
  };

  async function accountsOf(tenantId: string, letterId: Uuid): Promise<readonly string[]> {
    const sealed = await storage.inTenant(tenantId, ({ letterDocuments }) => letterDocuments.details(letterId));
    return sealed === null ? [] : (await openDetails(runtime.vault, letterId, sealed)).accounts;
  }
}

/** Letters that files may be for. */
const anyLetter = {
  ...{ tenant_id: null, connector_id_in: null, id_in: null, labels: {}, words: [], without_mail: null },
  status_in: ["WaitingForData", "Connected", "Blocked"],
  ...{ created_from: null, created_before: null, updated_from: null, updated_before: null, in_status_before: null },
  order: "oldest",
  after: null,
} as const;

/** Which rules lead to letters that have changed since a moment. Of very many nobody looks which: all do then. */
export function lettersChanged({
  storage,
}: {
  storage: Pick<Storage, "letterDesk">;
}): (since: Date) => Promise<(target: Route["to"]) => boolean> {
  return async (updated_from) => {
    const { items, total } = await storage.letterDesk.search({
      ...anyLetter,
      updated_from,
      offset: 0,
      page_size: PAGE,
    });
    if (total > items.length) return () => true;
    const connectors = new Set(items.map(({ connector_id }) => connector_id));
    const letters = new Set<string>(items.map(({ letter_id }) => letter_id));
    return (to) =>
      ("connector_id" in to && connectors.has(to.connector_id)) || ("letter_id" in to && letters.has(to.letter_id));
  };
}
