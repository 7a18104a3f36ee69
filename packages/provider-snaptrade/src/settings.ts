import { isPrivateTransport, parseUrl, secret } from "@org/provider-kit";
import { z } from "zod";

const address = z
  .url()
  .refine((text) => {
    const url = parseUrl(text);
    return url !== null && isPrivateTransport(url);
  }, "must begin with https:// (http:// is for this machine only)")
  .transform((url) => url.replace(/(?<!\/)\/+$/, ""));

/** The settings of `providers set snaptrade`. */
export const snapTradeSettings = z.strictObject({
  client_id: z.string().min(1),
  consumer_key: secret(),
  /** A `commercial` key has a user of SnapTrade for each customer; a `personal` one shows the accounts of its owner. */
  key_type: z.enum(["commercial", "personal"]).default("commercial"),
  base_url: address.default("https://api.snaptrade.com"),
});

export type SnapTradeSettings = z.output<typeof snapTradeSettings>;
