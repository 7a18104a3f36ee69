import {
  type ConnectionFinder,
  type ConnectionRecord,
  consentNoticeEnd,
  type ListedConnection,
  searchKey,
} from "@org/core";
import type { Transactions } from "../transactions.js";
import { recordColumns } from "./connections.js";

/** {@link ConnectionFinder}: each page is one prepared statement that calls a function of sql/0004_connections.sql. */
export function connectionFinder({ read }: Transactions): ConnectionFinder {
  return {
    async page(tenantId, { bank, client_refs, ready_only, attention_at, with_accounts, page, page_size }) {
      const banks = bank === null ? null : await banksNamed(tenantId, bank);
      const consentBefore = attention_at && consentNoticeEnd(attention_at).toISOString();
      const values = [
        tenantId,
        banks,
        ready_only,
        consentBefore,
        with_accounts,
        (page - 1) * page_size,
        page_size,
        client_refs,
      ];
      const rows = await read<Row>(tenantId, { name: "list_connections", text: LIST, values, rowMode: "array" });
      // Beyond the last page the function returns one row with the total and no connection.
      const found = rows.filter(([, , id]) => id !== null);
      return { items: found.map((row) => listed(row, with_accounts)), total: Number(rows[0]?.[0]) };
    },
  };

  /** The tenant's bank names that match: one function strips accents for all searches, and the database has none. */
  async function banksNamed(tenantId: string, part: string): Promise<readonly string[]> {
    const query = { name: "bank_names", text: "select * from bank_names($1)", values: [tenantId] };
    const rows = await read<[bank: string]>(tenantId, { ...query, rowMode: "array" });
    const wanted = searchKey(part);
    return rows.flatMap(([bank]) => (searchKey(bank).includes(wanted) ? [bank] : []));
  }
}

const LIST = `select total, accounts, ${recordColumns.join(", ")} from list_connections($1, $2, $3, $4, $5, $6, $7, $8)`;

type Row = [total: string, accounts: NonNullable<ListedConnection["accounts"]> | null, ...columns: unknown[]];

function listed([, accounts, ...columns]: Row, withAccounts: boolean): ListedConnection {
  const record = Object.fromEntries(recordColumns.map((name, place) => [name, columns[place]]));
  return { ...(record as unknown as ConnectionRecord), ...(withAccounts && { accounts: accounts ?? [] }) };
}
