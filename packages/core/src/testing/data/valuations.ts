import type { AccountFacts, ConnectionFacts, HoldingFacts, Movement, Valuation } from "@org/wealth";
import type { HoldingRow, PortfolioRow, StatedValuations, TransactionRow } from "../../data/snapshot-store.js";
import { valuedHoldings } from "../../data/valuations.js";
import type { ConnectionSize, SizeQuery, WealthQuery } from "../../data/wealth-reader.js";
import { addDecimals, compareDecimals, negateDecimal, significantDecimal } from "../../decimal.js";
import type { Uuid } from "../../schemas/identifier.js";
import { compareText, type StoredValuation, type TenantState } from "../state.js";

/** Stores what a delivery states, after its rows; an older valuation of a day does not replace a younger one. */
export function storeValuations(
  state: TenantState,
  connection_id: Uuid,
  stated: StatedValuations | undefined,
  now: Date,
): void {
  if (!stated) return;
  const { read_at, arrival, complete_on, accounts } = stated;
  const shown = rowsNow(state, connection_id, "investment") as readonly HoldingRow[];
  for (const [ordinal, { holdings, ...account }] of accounts.entries()) {
    const rows =
      holdings === "shown" ? shown.filter(({ portfolio_id }) => portfolio_id === account.portfolio_id) : holdings;
    store(state, {
      ...{ connection_id, ordinal, arrival, ...account },
      ...{ stated_at: read_at ?? account.as_of, came_at: now, holdings: rows && valuedHoldings(rows) },
    });
  }
  if (complete_on !== null)
    for (const one of goneFrom(state, connection_id, complete_on, read_at, now)) store(state, one);
}

function store(state: TenantState, next: StoredValuation): void {
  const key = `${next.connection_id} ${next.portfolio_id}`;
  const days = new Map(state.valuations.get(key));
  const known = days.get(next.day);
  const isOlder =
    known &&
    (next.stated_at < known.stated_at ||
      (Number(next.stated_at) === Number(known.stated_at) && next.arrival < known.arrival));
  if (isOlder) return;
  if (known && textOf(known) !== textOf(next))
    state.formerValuations = [...state.formerValuations, { ...known, replaced_at: next.came_at }];
  state.valuations.set(key, days.set(next.day, next));
  const lists = state.valuedKinds.get(key) ?? { lists_securities: false, lists_cash: false };
  state.valuedKinds.set(key, {
    lists_securities: lists.lists_securities || (next.holdings?.lists_securities ?? false),
    lists_cash: lists.lists_cash || (next.holdings?.lists_cash ?? false),
  });
}

function textOf({ balance, currency, holdings }: StoredValuation): string {
  return JSON.stringify([balance && significantDecimal(balance), currency, holdings?.items ?? null]);
}

/** Accounts that a complete snapshot lacks since a withdrawal or transfer out: they are worth nothing from this day on. */
function goneFrom(
  state: TenantState,
  connection_id: Uuid,
  day: string,
  readAt: Date | null,
  now: Date,
): readonly StoredValuation[] {
  const there = new Set(
    (rowsNow(state, connection_id, "portfolio") as readonly PortfolioRow[]).map((row) => row.portfolio_id),
  );
  const movements = rowsNow(state, connection_id, "transaction") as readonly TransactionRow[];
  return accountsOf(state, connection_id).flatMap((days) => {
    const last = days.at(-1) as StoredValuation;
    if (there.has(last.portfolio_id) || last.day > day) return [];
    if (last.balance !== null && compareDecimals(last.balance, "0") === 0) return [];
    const isOut = ({ portfolio_id, transaction_id, operation_date, facts }: TransactionRow) =>
      portfolio_id === last.portfolio_id &&
      (facts?.kind === "withdrawal" || facts?.kind === "transfer_out") &&
      (operation_date > last.day || readAtOf(state, connection_id, transaction_id) > last.stated_at);
    if (!movements.some(isOut)) return [];
    return [
      { ...last, day, came_at: now, stated_at: readAt ?? last.stated_at, balance: "0", holdings: valuedHoldings([]) },
    ];
  });
}

function readAtOf(state: TenantState, connectionId: string, transactionId: string): Date {
  return state.transactionsRead.get(`${connectionId} ${transactionId}`)?.read_at ?? new Date(0);
}

/** The valuations of each account of a connection, ascending by day. */
function accountsOf(state: TenantState, connectionId: string): readonly (readonly StoredValuation[])[] {
  return [...state.valuations]
    .filter(([key]) => key.startsWith(`${connectionId} `))
    .map(([, days]) => [...days.values()].sort((a, b) => compareText(a.day, b.day)));
}

function rowsNow(state: TenantState, connectionId: string, product: "portfolio" | "investment" | "transaction") {
  return (
    state.snapshots.find((one) => one.connection_id === connectionId && one.product === product && one.until === null)
      ?.rows ?? []
  );
}

/** `WealthReader` over a tenant. */
export function readFacts(state: TenantState, query: WealthQuery): readonly ConnectionFacts[] {
  return [...state.connections.values()]
    .filter(({ connection_id }) => query.connection_ids?.includes(connection_id) ?? true)
    .sort((a, b) => a.created_at.getTime() - b.created_at.getTime() || compareText(a.connection_id, b.connection_id))
    .map(({ connection_id, connector_id, client_ref }) => {
      const accounts = accountsOf(state, connection_id)
        .toSorted(
          (a, b) =>
            lastOf(a).ordinal - lastOf(b).ordinal || compareText(lastOf(a).portfolio_id, lastOf(b).portfolio_id),
        )
        .map((days) => accountFacts(state, connection_id, days, query));
      const transactions = state.snapshots.find(
        (one) => one.connection_id === connection_id && one.product === "transaction" && one.until === null,
      );
      return {
        ...{ credentials_token: connection_id, connector_id, client_ref },
        movements_until: (query.with_movements && transactions?.as_of.toISOString().slice(0, 10)) || null,
        accounts,
        movements: query.with_movements ? movementsOf(state, connection_id, query) : [],
        has_depot_income: query.with_movements && hasDepotIncome(state, connection_id, accounts),
        differences: query.with_movements && !query.closes ? differencesOf(state, connection_id, query) : [],
      };
    });
}

/** `WealthReader.sizes` over a tenant. */
export function sizesOfFacts(state: TenantState, { portfolio_ids, ...query }: SizeQuery): readonly ConnectionSize[] {
  return readFacts(state, query).flatMap(({ credentials_token, accounts, movements }) => {
    const isAsked =
      portfolio_ids === null || accounts.some(({ shown_as }) => portfolio_ids.some((id) => id === shown_as));
    const rows = accounts.reduce((sum, { valuations }) => sum + valuations.length, movements.length);
    return isAsked ? [{ connection_id: credentials_token as Uuid, rows }] : [];
  });
}

/** One without a value is as if it had not come. */
const hasValue = ({ balance, holdings }: StoredValuation) => balance !== null || (holdings?.value ?? null) !== null;

const lastOf = (days: readonly StoredValuation[]) => days.at(-1) as StoredValuation;

function accountFacts(
  state: TenantState,
  connectionId: Uuid,
  days: readonly StoredValuation[],
  { from, to, closes, holdings }: WealthQuery,
): AccountFacts {
  const { portfolio_id, name, ref_account, currency, type, is_cash } = lastOf(days);
  const depot = (rowsNow(state, connectionId, "portfolio") as readonly PortfolioRow[]).find(({ parts }) =>
    parts?.includes(portfolio_id),
  );
  const valued = days.filter(hasValue);
  const lastUpTo = (date: string) => valued.filter(({ day }) => day <= date).at(-1);
  const closing = closes?.map(lastUpTo);
  const before = valued.filter(({ day }) => day < from).at(-1);
  const shown = days.filter((one, index) =>
    closing
      ? closing.includes(one) || (closing[0] === undefined && index === 0 && (one.day > to || !hasValue(one)))
      : index === 0 || one === before || (one.day >= from && one.day <= to),
  );
  const kinds = state.valuedKinds.get(`${connectionId} ${portfolio_id}`);
  return {
    ...{ portfolio_id, shown_as: depot?.portfolio_id ?? portfolio_id, name, ref_account, currency },
    is_cash: is_cash || type === "L",
    ...{ lists_securities: kinds?.lists_securities ?? false, lists_cash: kinds?.lists_cash ?? false },
    valuations: shown.map((one) => valuationFacts(one, holdings)),
  };
}

function valuationFacts(
  { day, arrival, stated_at, balance, holdings }: StoredValuation,
  asked: WealthQuery["holdings"],
): Valuation {
  const value = holdings?.value;
  return {
    ...{ day, read_at: arrival === 0 ? stated_at.toISOString() : null, balance, has_holdings: holdings !== null },
    holdings_value: value
      ? Object.entries(value)
          .map(([currency, amount]) => ({ amount, currency }))
          .sort((a, b) => compareText(a.currency, b.currency))
      : null,
    ...(asked === "all" && holdings && { holdings: JSON.parse(holdings.items).map(holdingFacts) }),
    ...(asked === "sums" && holdings && { holding_sums: JSON.parse(holdings.sums) }),
  };
}

function holdingFacts(item: object): HoldingFacts {
  return { is_notional: false, cost: null, ...item } as HoldingFacts;
}

function hasDepotIncome(state: TenantState, connectionId: Uuid, accounts: readonly AccountFacts[]): boolean {
  const depots = accounts.filter(({ is_cash }) => !is_cash).map(({ portfolio_id }) => portfolio_id);
  return (rowsNow(state, connectionId, "transaction") as readonly TransactionRow[]).some(
    ({ portfolio_id, facts }) =>
      depots.includes(portfolio_id) && (facts?.kind === "dividend" || facts?.kind === "coupon"),
  );
}

function movementsOf(state: TenantState, connectionId: Uuid, { from, to, closes }: WealthQuery): readonly Movement[] {
  const before = accountsOf(state, connectionId).map((days) =>
    days.filter((one) => one.day < from && hasValue(one)).at(-1),
  );
  const isNew = before.length === 0 || before.some((one) => one === undefined);
  const since = before.map((one) => one?.day ?? "").sort(compareText)[0] ?? "";
  const read = Math.min(...before.map((one) => one?.stated_at.getTime() ?? 0));
  const isFile = !state.refreshes.has(connectionId);
  return (rowsNow(state, connectionId, "transaction") as readonly TransactionRow[])
    .filter(({ operation_date, transaction_id }) => {
      if (operation_date > to) return false;
      if (closes) return operation_date >= from;
      return (
        isNew || operation_date > since || (!isFile && readAtOf(state, connectionId, transaction_id).getTime() > read)
      );
    })
    .toSorted(
      (a, b) => compareText(a.operation_date, b.operation_date) || compareText(a.transaction_id, b.transaction_id),
    )
    .map(({ transaction_id, portfolio_id, holding_id, operation_date, amount, balance, currency, facts = {} }) => {
      const former = state.formerTransactions.filter(({ row }) => row.transaction_id === transaction_id);
      const times = [...former.map(({ read_at }) => read_at), readAtOf(state, connectionId, transaction_id)];
      return {
        ...{ id: transaction_id, portfolio_id, holding_id, isin: facts.identifiers?.isin ?? null, operation_date },
        ...{ kind: facts.kind ?? null, amount, balance, currency },
        ...{ fees: facts.fees ?? null, taxes: facts.taxes ?? null, gross: facts.gross ?? null },
        first_read_at: isFile ? null : new Date(Math.min(...times.map(Number))).toISOString(),
      };
    });
}

function differencesOf(state: TenantState, connectionId: Uuid, { from, to }: WealthQuery) {
  return [...state.feedDifferences]
    .filter(([key, { to_day }]) => key.startsWith(`${connectionId} `) && to_day >= from && to_day <= to)
    .map(([, { portfolio_id, name, isin, from_day, to_day, before, moved, stated }]) => ({
      ...{ portfolio_id, name, isin, from: from_day, to: to_day },
      difference: addDecimals(stated, negateDecimal(addDecimals(before, moved))),
    }))
    .sort(
      (a, b) => compareText(a.to, b.to) || compareText(a.portfolio_id, b.portfolio_id) || compareText(a.name, b.name),
    );
}
