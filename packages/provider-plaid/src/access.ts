import { z } from "zod";

/** What is stored of a connection, sealed. */
export const accessSchema = z.object({
  /** The interface that the token is for: production and sandbox have tokens of their own. */
  base_url: z.string(),
  access_token: z.string().min(1),
  item_id: z.string().min(1),
  user_key: z.string().min(1),
  /** Names the customer to Plaid; random. */
  client_user_id: z.string().min(1),
  /** All accounts that the Item ever had. */
  accounts: z.array(z.string()),
  /** What these accounts are recognised by if another Item has to take this one's place. */
  marks: z.array(z.string()).default([]),
});
export type ItemAccess = z.output<typeof accessSchema>;
