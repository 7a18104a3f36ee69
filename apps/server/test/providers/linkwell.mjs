// An aggregator that stands between banks and us, and says so. Nobody logs in through it.
import { z } from "zod";

export default {
  name: "linkwell",
  title: "Linkwell",
  settings: z.strictObject({}),
  connectors: () => [
    {
      id: "che:linkwell-alpenrose",
      name: "Banque Alpenrose",
      country: "CHE",
      identifiers: { domain: "alpenrose.example" },
    },
  ],
  create: () => ({
    credentialFields: () => [],
    terms: () => ({ through: "Linkwell", holdings: "daily", transactions: 730 }),
    login: async () => ({ kind: "failed", error_code: "InternalError" }),
    fetch: async () => ({ refused: "rejected" }),
  }),
};
