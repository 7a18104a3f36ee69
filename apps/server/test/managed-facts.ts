// What the reference of figures is told of the clients of managed-clients.ts: the same statements, in its own form.
import type { ConnectionFacts, WealthFacts } from "../../../packages/wealth/src/facts.js";
import * as build from "../../../packages/wealth/test/cases/build.js";
import { type Account, isinOf, type ManagedClient, type Quarter, RATES } from "./managed-clients.js";

/** What the server calls what it was given. */
export interface Names {
  /** Connection ids by client, as its connections are listed. */
  readonly tokens: ReadonlyMap<string, readonly string[]>;
  /** Portfolio ids by number of account. */
  readonly portfolios: ReadonlyMap<string, string>;
  /** Ids of holdings of cash by id of portfolio. */
  readonly money: ReadonlyMap<string, string>;
  readonly connectorOf: (hasFile: boolean) => string;
}

/** The facts of these clients, whose connections all came by file or never delivered. */
export function factsOf(clients: readonly ManagedClient[], names: Names, quarter: Quarter): WealthFacts {
  const connections = clients.flatMap(({ ref, connections: all }) =>
    all.map(({ accounts, file }, nth): ConnectionFacts => {
      const parts = { client_ref: ref, connector_id: names.connectorOf(file !== null), movements_until: quarter.last };
      const movements = accounts.flatMap((account) => movementsOf(account, names));
      return build.connection(
        names.tokens.get(ref)?.[nth] ?? "",
        accounts.map((account) => accountOf(account, names)),
        { ...parts, movements },
      );
    }),
  );
  const rates = Object.values(quarter).flatMap((day) =>
    Object.entries(RATES).map(([currency, rate]) => build.rate(day, `${currency}/EUR`, rate)),
  );
  return { connections, rates };
}

function accountOf(account: Account, { portfolios, money: cashIds }: Names) {
  const { number, kind, currency } = account;
  const id = portfolios.get(number) ?? number;
  const values = Object.fromEntries(
    account.statements.map(({ day, units, price, cash }) => {
      const held = build.holding(`${number} security`, {
        ...{ name: "Share", isin: isinOf(account), amount: String(units), balance: String(units * price), currency },
        // MT535 tells no type.
        type: kind === "depot" ? "O" : "VI",
      });
      const money = build.holding(cashIds.get(id) ?? number, { balance: String(cash), currency, type: "L" });
      if (kind === "whole") return [day, [held, money]];
      return [day, kind === "depot" ? [held] : [money]];
    }),
  );
  return { whole: build.account, depot: build.depot, cash: build.cash }[kind](id, {
    values,
    currency,
    ref_account: number,
  });
}

function movementsOf({ number, currency, statements }: Account, { portfolios }: Names) {
  const id = portfolios.get(number) ?? number;
  return statements.flatMap(({ day, moved = [] }) =>
    moved.map(([kind, amount]) => build.movement(id, day, { kind, balance: String(amount), currency })),
  );
}
