/**
 * Interactive Brokers, over the Flex Web Service (version 3).
 *
 *   ibkr-flex.ts          login and fetch
 *   statement-request.ts  a statement is asked for, and looked for until it is made
 *   flex-service.ts       the two requests, at the pace that the institution allows
 *   error-codes.ts        what its error codes ask of us
 *   statement.ts          reading what came; what is wrong with a query
 *   access.ts             what is kept for later fetches; who a customer is
 *   words.ts              what customers read
 */
import { defineProvider, isPrivateTransport, parseUrl } from "@org/provider-kit";
import { z } from "zod";
import { createFlexService } from "./flex-service.js";
import { createIbkrFlex } from "./ibkr-flex.js";

const settings = z.strictObject({
  /** The address up to and without `/SendRequest`. */
  base_url: z
    .url()
    .refine((text) => {
      const url = parseUrl(text);
      return url !== null && isPrivateTransport(url);
    }, "must begin with https:// (http:// is for this machine only)")
    .transform((url) => url.replace(/(?<!\/)\/+$/, ""))
    .default("https://ndcdyn.interactivebrokers.com/AccountManagement/FlexWebService"),
});

/** Where the institution has a company of its own, or many customers. It takes customers from most other countries, too. */
const countries = [
  ...["usa", "aus", "aut", "bel", "can", "che", "deu", "dnk", "esp", "fin", "fra", "gbr", "hkg", "ind", "irl", "ita"],
  ...["jpn", "lux", "nld", "nor", "pol", "prt", "sgp", "swe"],
];

// biome-ignore lint/style/noDefaultExport: the server loads a provider as the default export of its module.
export default defineProvider({
  name: "ibkr-flex",
  title: "Interactive Brokers (Flex Web Service)",
  settings,
  connectors: () => [{ id: "usa:interactive-brokers", name: "Interactive Brokers", countries, type: "e-banking" }],
  async check({ settings: { base_url }, http, signal }) {
    // A token that is none: any error of the table says that this is the service, and that the way to it is open.
    const service = createFlexService({ baseUrl: base_url, http, pace: async () => null });
    const answer = await service.send("0", "0", { awaited: true, signal });
    return answer.kind === "error" && answer.code !== null
      ? { ok: true, message: "the Flex Web Service answers; only a customer's own token can show more" }
      : { ok: false, message: "the Flex Web Service takes a token that is none" };
  },
  create: createIbkrFlex,
});
