import { baseUrl, secret } from "@org/provider-kit";
import { z } from "zod";

/** The settings of `providers set snaptrade`. */
export const snapTradeSettings = z.strictObject({
  client_id: z.string().min(1),
  consumer_key: secret(),
  /** A `commercial` key has a user of SnapTrade for each customer; a `personal` one shows the accounts of its owner. */
  key_type: z.enum(["commercial", "personal"]).default("commercial"),
  base_url: baseUrl.default("https://api.snaptrade.com"),
});

export type SnapTradeSettings = z.output<typeof snapTradeSettings>;
