import { hasEnded, nextStatus } from "@org/letter-lifecycle";
import type { DataReader } from "../data/data-reader.js";
import { CoreError } from "../errors.js";
import { effectsOf, type MoveEffects } from "../letters/operator-moves.js";
import { inLimit, type LimitedActor } from "../ports/client-limit.js";
import { parseUuid, type Uuid } from "../schemas/identifier.js";
import { sessionStatuses } from "../schemas/session.js";
import { isOpen } from "./session-moves.js";
import type { ConnectingStorage, ConnectingStores } from "./storage.js";

/** What may be deleted or ended with all that depends on it: one of these. */
export interface DeletionTarget {
  readonly connection_id?: string | undefined;
  readonly letter_id?: string | undefined;
  readonly client_ref?: string | undefined;
}

/** What a deletion would take away, and whom it would tell. */
export interface DeletionPreview {
  readonly connections: number;
  readonly portfolios: number;
  readonly holdings: number;
  readonly transactions: number;
  /** Open sessions that would end. */
  readonly sessions: number;
  /** Letters that would end. */
  readonly letters: number;
  /** Of each of these letters. */
  readonly effects: readonly MoveEffects[];
  /** False: there is more than is read for this, and the numbers are the least. */
  readonly is_whole: boolean;
}

/** What counts rows. */
export interface ReadsData {
  readonly reader: DataReader;
}

/** At most this many letters and connections are read. */
const MAX_READ = 100;

/** @throws CoreError NOT_FOUND on what is not there, or outside the caller's limit */
export async function previewDeletion(
  storage: Pick<ConnectingStorage, "inTenant"> & ReadsData,
  now: Date,
  who: LimitedActor & { readonly tenant_id: string },
  target: DeletionTarget,
): Promise<DeletionPreview> {
  const { tenant_id } = who;
  const found = await storage.inTenant(tenant_id, async (stores) => {
    const { letter_ids, connection_ids, sessions } = await within(stores, who, target);
    const effects: MoveEffects[] = [];
    const connections = new Set(connection_ids);
    for (const id of letter_ids.slice(0, MAX_READ)) {
      const letter = await stores.letters.find(id);
      if (!letter || hasEnded(letter.status)) continue;
      const mails = await stores.mails.ofLetter(id);
      const documents = await stores.letterDocuments.documents(id);
      effects.push(effectsOf({ letter, mails, documents, details: null }, nextStatus(letter, "discontinue")));
      if (letter.connection_id !== null) connections.add(letter.connection_id);
    }
    return {
      effects,
      sessions,
      connection_ids: [...connections].slice(0, MAX_READ),
      is_whole: letter_ids.length <= MAX_READ && connections.size <= MAX_READ,
    };
  });
  const { connection_ids, effects, sessions, is_whole } = found;
  const rows = await rowsOf(storage, now, tenant_id, connection_ids);
  return { connections: connection_ids.length, ...rows, sessions, letters: effects.length, effects, is_whole };
}

interface Within {
  readonly letter_ids: readonly Uuid[];
  readonly connection_ids: readonly Uuid[];
  readonly sessions: number;
}

async function within(
  stores: ConnectingStores,
  who: LimitedActor,
  { connection_id, letter_id, client_ref }: DeletionTarget,
): Promise<Within> {
  if (client_ref !== undefined) {
    const client = inLimit(who, await stores.clients.find(client_ref));
    if (!client) throw new CoreError("NOT_FOUND", "no such client_ref");
    return {
      letter_ids: await stores.clients.lettersOf(client_ref, null, MAX_READ + 1),
      connection_ids: await stores.clients.connectionsOf(client_ref, null, MAX_READ + 1),
      sessions: (await openSessionsOf(stores, client_ref, null, MAX_READ)).length,
    };
  }
  if (letter_id !== undefined) {
    const id = parseUuid(letter_id);
    const letter = inLimit(who, id && (await stores.letters.find(id)));
    if (!letter) throw new CoreError("NOT_FOUND", "no such letter_id");
    return { letter_ids: [letter.letter_id], connection_ids: [], sessions: 0 };
  }
  const id = parseUuid(connection_id ?? "");
  const connection = inLimit(who, id && (await stores.connections.find(id)));
  if (!connection) throw new CoreError("NOT_FOUND", "no such connection_id");
  const letter = await stores.letters.findByConnection(connection.connection_id);
  return { letter_ids: letter ? [letter.letter_id] : [], connection_ids: [connection.connection_id], sessions: 0 };
}

/** Ids of the client's sessions that have not ended, which may have expired. */
export async function openSessionsOf(
  { sessions }: Pick<ConnectingStores, "sessions">,
  clientRef: string,
  after: Uuid | null,
  limit: number,
): Promise<readonly Uuid[]> {
  const any = {
    session_id_in: null,
    connection_id_in: null,
    error_code_in: null,
    is_opened: null,
    order: "newest",
  } as const;
  const status_in = sessionStatuses.filter(isOpen);
  const found = await sessions.list({ ...any, status_in, client_ref_in: [clientRef], after, limit });
  return found.map(({ session_id }) => session_id);
}

/** How many rows of each kind the connections have. */
async function rowsOf(
  { reader }: ReadsData,
  now: Date,
  tenantId: string,
  connection_ids: readonly Uuid[],
): Promise<Pick<DeletionPreview, "portfolios" | "holdings" | "transactions">> {
  if (connection_ids.length === 0) return { portfolios: 0, holdings: 0, transactions: 0 };
  const all = { ...totalsOnly, now, connection_ids };
  const any = { currencies: null, types: null, min_balance: null };
  const held = { ...any, portfolio_id: null, subtypes: null, isins: null };
  const moved = { holding_id: null, isins: null, kinds: null, start_date: null, end_date: null };
  const pages = [
    await reader.portfolios(tenantId, { ...all, ...any }),
    await reader.holdings(tenantId, { ...all, ...held }),
    await reader.transactions(tenantId, { ...all, ...moved }),
  ];
  const [portfolios = 0, holdings = 0, transactions = 0] = pages.map((page) => (page.kind === "page" ? page.total : 0));
  return { portfolios, holdings, transactions };
}

const totalsOnly = {
  page: 1,
  page_size: 1,
  fields: ["id"],
  with_facts: false,
  include_source_token: false,
  revision: null,
  name: null,
  sort: null,
  totals_by: [],
  totals_only: true,
} as const;
