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
    for (let page = 1; page <= MOST_LETTERS / PAGE; page += 1) {
      const { items } = await storage.letterDesk.search({
        ...{ ...anyLetter, connector_id_in: [connector_id], tenant_id },
        ...{ page, page_size: PAGE },
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

/** Whether any of the letters that rules lead to has changed since a moment, or any of a connector's has come to wait for files. */
export function lettersChanged({
  storage,
}: {
  storage: Pick<Storage, "letterDesk">;
}): (targets: readonly Route["to"][], since: Date) => Promise<boolean> {
  return async (targets, updated_from) => {
    const connector_id_in = targets.flatMap((to) => ("connector_id" in to ? [to.connector_id] : []));
    const id_in = targets.flatMap((to) => ("letter_id" in to ? [to.letter_id] : []));
    const found = async (query: { connector_id_in: readonly string[] } | { id_in: readonly Uuid[] }) => {
      const { total } = await storage.letterDesk.search({
        ...anyLetter,
        updated_from,
        page: 1,
        page_size: 1,
        ...query,
      });
      return total > 0;
    };
    return (
      (connector_id_in.length > 0 && (await found({ connector_id_in }))) ||
      (id_in.length > 0 && (await found({ id_in })))
    );
  };
}
