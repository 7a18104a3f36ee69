import { createPager } from "../pager.js";
import type { AuditQuery, OwnedAuditEntry } from "../ports/audit-log.js";
import type { Runtime } from "../ports/runtime.js";
import { parseMoment } from "../schemas/moment.js";
import { CHAIN_BEGIN } from "./audit-chain.js";
import type { ChainHeadView, ChainItem, ChainPage, ChainSearch } from "./audit-chain-page.js";
import type { ChainedEntry } from "./audit-chain-store.js";
import type { AuditLine, AuditSearch } from "./audit-line.js";
import type { AuditStorage } from "./storage.js";

/** The audit trail as an operator reads it. */
export interface AuditReading {
  /**
   * A page in the requested order. A page continues after the last line of the one before, so that lines added meanwhile do not shift it. A
   * token of another query, or a damaged one, is a fault of `page_token`.
   * @throws CoreError VALIDATION_ERROR
   */
  list(search: AuditSearch): Promise<{ items: readonly AuditLine[]; next_page_token: string | null }>;
  /** Where the hash chain ends, and how many lines are not chained yet. */
  head(): Promise<ChainHeadView>;
  /** A page of the hash chain, and lines that are stored among its lines without a place in it. */
  chain(search: ChainSearch): Promise<ChainPage>;
}

/** Maximum number of lines shown after the end of the chain. */
const MAX_WAITING = 1_000;

export function createAuditReading(deps: {
  storage: Pick<AuditStorage, "auditTrail" | "auditChain">;
  mac: Runtime["mac"];
}): AuditReading {
  const page = createPager(deps.mac);
  const { auditChain } = deps.storage;
  return {
    async list({ page_size, page_token, ...search }) {
      const { rows, next_page_token } = await page({
        query: idOf(search),
        token: page_token,
        size: page_size,
        rows: (after, limit) =>
          deps.storage.auditTrail.list({
            tenant_id: search.tenant_id,
            from: search.since ? (parseMoment(search.since)?.from ?? null) : null,
            before: search.until ? (parseMoment(search.until)?.before ?? null) : null,
            action: search.action ?? null,
            actor: search.actor ?? null,
            object_id: search.object_id ?? null,
            trace_id: search.trace_id ?? null,
            order: search.order,
            after,
            limit,
          }),
        keyOf: ({ at, audit_id }) => `${at.toISOString()} ${audit_id}`,
        readKey: placeOf,
      });
      return { items: rows.map(lineOf), next_page_token };
    },
    async head() {
      const { last, waiting } = await auditChain.head();
      return {
        ...CHAIN_BEGIN,
        sealed_at: null,
        ...(last && { ...last, sealed_at: last.sealed_at.toISOString() }),
        waiting,
      };
    },
    async chain({ after, through, since, until, page_size }) {
      const piece = await pieceOf({ after, through, since, until });
      const limit = Math.min(page_size, piece.through === null ? page_size : Math.max(piece.through - piece.after, 0));
      const page = await auditChain.page({ after: piece.after, limit });
      const last = page.items.at(-1)?.sequence ?? piece.after;
      const isLast = page.items.length < page_size || last === piece.through;
      return {
        after: page.after ?? { ...CHAIN_BEGIN, sequence: piece.after },
        items: page.items.map(itemOf),
        strangers: page.strangers.map(lineOf),
        waiting: isLast && piece.through === null ? (await auditChain.waiting(MAX_WAITING)).map(lineOf) : [],
        through: piece.through,
        next_after: isLast ? null : last,
      };
    },
  };

  /** A time without lines gives an empty range, at the end or at the beginning of the chain. */
  async function pieceOf({ after, through, since, until }: Omit<ChainSearch, "page_size">) {
    if (!since && !until) return { after: after ?? 0, through: through ?? null };
    const from = since ? (parseMoment(since)?.from ?? null) : null;
    const before = until ? (parseMoment(until)?.before ?? null) : null;
    const places = await auditChain.placesOf({ from, before });
    const end = async () => (await auditChain.head()).last?.sequence ?? 0;
    return {
      after: after ?? (from === null ? 0 : (places.after ?? (await end()))),
      through: through ?? (before === null ? null : (places.through ?? 0)),
    };
  }
}

function placeOf(text: string): AuditQuery["after"] {
  const [at, audit_id] = text.split(" ");
  return at === undefined || audit_id === undefined ? null : { at: new Date(at), audit_id };
}

/** Identifies a query, whatever the order of its fields. */
function idOf(search: object): unknown {
  const given = Object.entries(search).filter(([, value]) => value != null);
  return ["audit", given.sort(([a], [b]) => (a < b ? -1 : 1))];
}

function lineOf({ at, ...entry }: OwnedAuditEntry): AuditLine {
  return { ...entry, facts: { ...entry.facts }, at: at.toISOString() };
}

function itemOf({ entry, refused_at, ...place }: ChainedEntry): ChainItem {
  return { ...place, refused_at: refused_at?.toISOString() ?? null, line: entry && lineOf(entry) };
}
