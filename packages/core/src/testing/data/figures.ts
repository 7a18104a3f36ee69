import type { FigureVersion } from "@org/wealth";
import { MAX_FORMER_VERSIONS } from "../../data/rows.js";
import type { PortfolioRow, TransactionRow } from "../../data/snapshot-store.js";
import { accountVersions, holdingVersions, type StoredFigure, type WhyQuery } from "../../data/why.js";
import { compareText, type StoredValuation, type TenantState } from "../state.js";

/** `FigureReader` over a tenant. */
export function readFigure(state: TenantState, query: WhyQuery): StoredFigure | null {
  const found = valuedFigure(state, query) ?? transactionFigure(state, query);
  return found && (query.connection_ids?.includes(found.connection_id) ?? true) ? found : null;
}

function valuedFigure(state: TenantState, { id, date }: WhyQuery): StoredFigure | null {
  for (const days of state.valuations.values()) {
    const all = [...days.values()].sort((a, b) => compareText(a.day, b.day));
    const isHeld = ({ holdings }: StoredValuation) => holdings?.items.includes(`"id":"${id}"`);
    const [first] = all;
    if (!first) continue;
    const replaced = state.formerValuations.filter((one) => one.portfolio_id === first.portfolio_id);
    const what = first.portfolio_id === id ? "portfolio" : [...all, ...replaced].some(isHeld) ? "holding" : null;
    if (what === null) continue;
    const { connection_id, portfolio_id } = first;
    const until = all.filter(({ day }) => day <= date);
    const current = until.findLast(({ balance, holdings }) => balance !== null || holdings?.value) ?? until.at(-1);
    const parts = what === "portfolio" ? partsOf(state, connection_id, portfolio_id) : [];
    const latest = all.at(-1);
    const name = what === "portfolio" ? (latest?.name ?? null) : null;
    if (!current) return { connection_id, what, name, date: null, parts, versions: [] };
    const former = replaced
      .filter(({ day }) => day === current.day)
      .toReversed()
      .slice(0, MAX_FORMER_VERSIONS);
    const versions = [current, ...former].map(({ holdings, places = [], ...one }) => ({
      ...{ ...one, places, value: holdings?.value ?? null, items: holdings?.items ?? null },
    }));
    const said = what === "portfolio" ? { name, versions: accountVersions(versions) } : holdingVersions(versions, id);
    return { connection_id, what, date: current.day, parts, ...said };
  }
  return null;
}

function partsOf(state: TenantState, connectionId: string, portfolioId: string): readonly string[] {
  const snapshot = state.snapshots.find(
    (one) => one.connection_id === connectionId && one.product === "portfolio" && one.until === null,
  );
  const rows = (snapshot?.rows ?? []) as readonly PortfolioRow[];
  return rows.find(({ portfolio_id }) => portfolio_id === portfolioId)?.parts ?? [];
}

function transactionFigure(state: TenantState, { id }: WhyQuery): StoredFigure | null {
  const former = state.formerTransactions.filter(({ row }) => row.transaction_id === id);
  const now = state.snapshots.flatMap(({ connection_id, product, until, rows }) => {
    const known = state.transactionsRead.get(`${connection_id} ${id}`);
    if (product !== "transaction" || until !== null || !known) return [];
    const row = (rows as readonly TransactionRow[]).find(({ transaction_id }) => transaction_id === id);
    return row ? [{ connection_id, row, ...known }] : [];
  });
  const all = [...now, ...former.toReversed().slice(0, MAX_FORMER_VERSIONS)];
  const [first] = all;
  if (!first) return null;
  const { connection_id } = first;
  const versions = all.map(({ row, read_at, file: sha256, place = null }, index): FigureVersion => {
    const file = sha256 && state.feedFiles.get(`${connection_id} ${sha256}`);
    const came_at = read_at.toISOString();
    return {
      ...{ amount: row.amount, balance: row.balance, currency: row.currency, valuation_date: null },
      ...{ came_at, current: index < now.length },
      source: file
        ? {
            kind: "file",
            ...{ name: file.container ?? file.name, sha256: file.sha256, part: file.container ? file.name : null },
            ...{ place, format: file.format, format_version: file.format_version ?? null },
          }
        : {
            kind: "provider",
            ...{ provider: String(state.connections.get(connection_id)?.provider), version: null, read_at: came_at },
          },
    };
  });
  const { operation_date: date, description: name } = first.row;
  return { connection_id, what: "transaction", name, date, parts: [], versions };
}
