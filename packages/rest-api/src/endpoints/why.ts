import type { TenantActor } from "@org/core";
import { whyAnswer, whyArguments } from "@org/wealth";
import { jsonInput } from "../body/inputs.js";
import { defineEndpoint, type Endpoint } from "../endpoint.js";

const PORTFOLIO = "0192a5c0-7d4e-7c3b-9f10-2b6f0c8a4e11";

/** Where a number comes from, and what it was before. */
export const showWhy = defineEndpoint({
  path: "/data/v1/why",
  holdsLimit: true,
  reads: true,
  operation: "showWhy",
  summary: "Show why a number is what it is: who stated it, and what it was before it was corrected",
  order: "the version that counts now first, then the former ones, the latest first",
  description:
    "Of a portfolio or holding the last valuation at or before `date` counts. What a corrected file or a later read replaced on that day, or of a transaction, is kept: ten versions, each for 400 days, and deleted with the connection.",
  scopes: ["investments:read"],
  input: jsonInput(whyArguments),
  example: {
    body: { id: PORTFOLIO, date: "2026-03-03" },
    answer: {
      id: PORTFOLIO,
      what: "portfolio",
      name: "Fern depot",
      credentials_token: "0192a5c0-8f21-7d10-8a3b-5c9e1f4b7a20",
      date: "2026-03-03",
      parts: [],
      versions: [
        {
          amount: null,
          balance: "102.00",
          currency: "EUR",
          valuation_date: null,
          came_at: "2026-03-04T06:10:00.000Z",
          current: true,
          source: {
            kind: "file",
            name: "a.csv",
            sha256: "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
            part: null,
            place: "line 2",
            format: "mapping:fern",
            format_version: "91f0c1b3a7de",
          },
        },
      ],
    },
  },
  output: whyAnswer,
  fails: ["NOT_FOUND"],
  handle: ({ why }, { who }, request) => why(who, request),
}) satisfies Endpoint<TenantActor>;
