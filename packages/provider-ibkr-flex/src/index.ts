/**
 * Interactive Brokers, over the Flex Web Service (version 3).
 *
 *   ibkr-flex.ts          login and fetch
 *   statement-request.ts  requests a statement and polls until it is ready
 *   flex-service.ts       the two requests, within the institution's rate limits
 *   error-codes.ts        how to react to its error codes
 *   statement.ts          reads statements; detects what is wrong with a query
 *   access.ts             what is stored for later fetches; identifies customers
 *   words.ts              texts for customers
 */
import { baseUrl, defineProvider } from "@org/provider-kit";
import { z } from "zod";
import { createFlexService } from "./flex-service.js";
import { createIbkrFlex } from "./ibkr-flex.js";

const settings = z.strictObject({
  /** The URL before `/SendRequest`. */
  base_url: baseUrl.default("https://ndcdyn.interactivebrokers.com/AccountManagement/FlexWebService"),
});

/** Countries where the institution has its own company, or many customers. It accepts customers from most other countries too. */
const countries = [
  ...["usa", "aus", "aut", "bel", "can", "che", "deu", "dnk", "esp", "fin", "fra", "gbr", "hkg", "ind", "irl", "ita"],
  ...["jpn", "lux", "nld", "nor", "pol", "prt", "sgp", "swe"],
];

// biome-ignore lint/style/noDefaultExport: the server loads a provider as the default export of its module.
export default defineProvider({
  name: "ibkr-flex",
  title: "Interactive Brokers (Flex Web Service)",
  settings,
  connectors: () => [
    {
      id: "usa:interactive-brokers",
      name: "Interactive Brokers",
      countries,
      identifiers: { domain: "interactivebrokers.com" },
      type: "e-banking",
    },
  ],
  async check({ settings: { base_url }, http, signal }) {
    // Uses an invalid token: any error in the table shows that the service is reachable.
    const service = createFlexService({ baseUrl: base_url, http, pace: async () => null });
    const answer = await service.send("0", "0", { awaited: true, signal });
    return answer.kind === "error" && answer.code !== null
      ? {
          ok: true,
          cause: "needs_login",
          message: "the Flex Web Service answers; only a customer's own token can show more",
        }
      : { ok: false, cause: "unusable_answer", message: "the Flex Web Service takes a token that is none" };
  },
  create: createIbkrFlex,
});
