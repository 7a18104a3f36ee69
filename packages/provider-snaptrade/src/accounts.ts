import type { InstitutionCalls } from "@org/provider-kit";
import { z } from "zod";
import { anyText, optionalFigure } from "./holdings.js";

/** A connection at a brokerage. */
export const connection = z.object({
  id: z.string().min(1),
  disabled: z.boolean().nullish(),
  created_date: anyText,
  brokerage: z.object({ slug: anyText }).nullish().catch(null),
});

const synced = z.object({ initial_sync_completed: z.boolean().nullish() }).nullish();
const account = z.object({
  id: z.string().min(1),
  name: anyText,
  number: anyText,
  institution_account_id: anyText,
  institution_name: anyText,
  account_category: anyText,
  balance: z.object({ total: z.object({ amount: optionalFigure, currency: anyText }).nullish() }).nullish(),
  sync_status: z
    .object({
      transactions: synced,
      holdings: z
        .object({ initial_sync_completed: z.boolean().nullish(), holdings_unavailable: z.boolean().nullish() })
        .nullish(),
    })
    .nullish(),
});
export type BrokerageAccount = z.output<typeof account>;

/** Of an account as a login reads it: an odd one may come later. */
const owned = z.object({ institution_account_id: anyText }).catch({ institution_account_id: null });

const pathOf = (connectionId: string) => `/authorizations/${encodeURIComponent(connectionId)}/accounts`;

/** The accounts of a connection, in an order that stays. */
export async function readAccounts(
  calls: InstitutionCalls,
  connectionId: string,
): Promise<readonly BrokerageAccount[]> {
  const accounts = await calls.get(pathOf(connectionId), z.array(account));
  return accounts.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

/**
 * Who has these accounts: the brokerage's own ids of all of them, the same over every connection; null where one has none. Account numbers may be masked,
 * and those of two customers alike.
 */
export function holderOf(accounts: readonly z.output<typeof owned>[]): string | null {
  const ids = accounts.map(({ institution_account_id }) => institution_account_id);
  return ids.length > 0 && ids.every(Boolean) ? `accounts ${ids.toSorted().join(" ")}` : null;
}

/** Who has the accounts of a connection; see {@link holderOf}. */
export async function readHolder(calls: InstitutionCalls, connectionId: string): Promise<string | null> {
  return holderOf(await calls.get(pathOf(connectionId), z.array(owned)));
}
