import { z } from "zod";
import type { SnapTradeSettings } from "./settings.js";

const user = z.object({ id: z.string().min(1), secret: z.string().min(1) });

const accessSchema = z.object({
  connection_id: z.string().min(1),
  /** Null with a personal key, which has no users. */
  user: user.nullable(),
  /** Who has the accounts: `accounts …`, or `connection …` where they do not say. */
  user_key: z.string().min(1),
});

/** What a later fetch needs; stored sealed. */
export type PortalAccess = z.output<typeof accessSchema>;

/** The stored access; null if it does not fit the kind of key. */
export function portalAccess({ key_type }: Pick<SnapTradeSettings, "key_type">, stored: unknown): PortalAccess | null {
  const { data } = accessSchema.safeParse(stored);
  return data === undefined || (data.user === null) !== (key_type === "personal") ? null : data;
}

/** What a login stores before it makes a user: all that is needed to delete it. */
export const savedUser = z.strictObject({ user_id: z.string().min(1) });

/** Where a login stands while its customer is in the portal. */
export const loginState = z.object({
  user: user.nullable(),
  /** The connection under repair; null for a new one. */
  repaired: accessSchema.nullable(),
  /** Names this visit of the portal. */
  visit: z.string().min(1),
});
