import { type LetterForFiles, openDetails, type Runtime, type Storage, statusesWithFiles, type Uuid } from "@org/core";
import { indexAccounts, type LetterAccounts } from "./account-index.js";
import type { LetterScope, Route } from "./routing.js";

/** The most letters of one connector that are searched; files for other letters need rules. */
const MAX_LETTERS = 20_000;
/** The most letters cached over all scopes, most recently used first: some megabytes. */
const MAX_KNOWN = 50_000;
/** The number of letters whose details are decrypted in one go. */
const SLICE = 200;

/** The letters of a scope when it was last read, and the accounts that each of them names. */
interface Known {
  readonly digest: string;
  readonly named: ReadonlyMap<Uuid, { readonly version: number; readonly accounts: readonly string[] }>;
  readonly letters: readonly LetterAccounts[];
}

/**
 * Finds the accounts that the letters of a connector name. Details are sealed, so the database cannot search them. The result is cached until a
 * letter of the connector changes, and then only changed letters are decrypted again. Yields to the event loop when there are very many.
 */
export function letterAccounts({
  storage,
  runtime,
}: {
  storage: Pick<Storage, "letterAdmin" | "inTenant">;
  runtime: Pick<Runtime, "vault">;
}): (scope: LetterScope) => Promise<readonly LetterAccounts[]> {
  const kept = new Map<string, Known>();
  /** Several files may arrive together and need the same letters. */
  const opening = new Map<string, Promise<Known>>();

  return async ({ connector_id, tenant_id = null }) => {
    const scope = JSON.stringify([connector_id, tenant_id]);
    const before = kept.get(scope);
    const query = { connector_id, tenant_id, limit: MAX_LETTERS };
    const { digest, letters } = await storage.letterAdmin.forFiles(query, before?.digest ?? null);
    if (letters === null && before) {
      keep(scope, before);
      return before.letters;
    }
    const what = `${scope} ${digest}`;
    const underWay =
      opening.get(what) ?? openAll(digest, letters ?? [], before?.named).finally(() => opening.delete(what));
    opening.set(what, underWay);
    const now = await underWay;
    keep(scope, now);
    return now.letters;
  };

  function keep(scope: string, known: Known): void {
    kept.delete(scope);
    kept.set(scope, known);
    let inAll = 0;
    for (const [each, { named }] of [...kept].reverse()) {
      inAll += named.size;
      if (inAll > MAX_KNOWN && each !== scope) kept.delete(each);
    }
  }

  async function openAll(digest: string, all: readonly LetterForFiles[], before?: Known["named"]): Promise<Known> {
    const named = new Map<Uuid, { version: number; accounts: readonly string[] }>();
    const changed = new Map<string, LetterForFiles[]>();
    for (const letter of all) {
      const known = before?.get(letter.letter_id);
      if (known?.version === letter.version) named.set(letter.letter_id, known);
      else addTo(changed, letter);
    }
    for (const [tenantId, letters] of changed)
      for (let start = 0; start < letters.length; start += SLICE) {
        const some = letters.slice(start, start + SLICE);
        const sealed = await storage.inTenant(tenantId, ({ letterDocuments }) =>
          letterDocuments.detailsOf(some.map(({ letter_id }) => letter_id)),
        );
        for (const { letter_id, version } of some) {
          const details = sealed.get(letter_id);
          const accounts = details === undefined ? [] : (await openDetails(runtime.vault, letter_id, details)).accounts;
          named.set(letter_id, { version, accounts });
        }
      }
    const found = all.flatMap(({ version: _, ...letter }): LetterAccounts[] => {
      const accounts = named.get(letter.letter_id)?.accounts ?? [];
      return accounts.length === 0 ? [] : [{ ...letter, accounts }];
    });
    await indexAccounts(found);
    return { digest, named, letters: found };
  }
}

function addTo(byTenant: Map<string, LetterForFiles[]>, letter: LetterForFiles): void {
  const others = byTenant.get(letter.tenant_id);
  if (others) others.push(letter);
  else byTenant.set(letter.tenant_id, [letter]);
}

/** Letters that may have files. */
const anyLetter = {
  tenant_id: null,
  connector_id_in: null,
  id_in: null,
  labels: {},
  client_ref_in: null,
  words: [],
  without_mail: null,
  status_in: statusesWithFiles,
  created_from: null,
  created_before: null,
  updated_from: null,
  updated_before: null,
  in_status_before: null,
  order: "oldest",
  after: null,
} as const;

const PAGE = 500;

/** Which rules lead to letters that have changed since a given time. If there are very many such letters, all rules count. */
export function lettersChanged({
  storage,
}: {
  storage: Pick<Storage, "letterAdmin">;
}): (since: Date) => Promise<(target: Route["to"]) => boolean> {
  return async (updated_from) => {
    const { items, total } = await storage.letterAdmin.search({
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
