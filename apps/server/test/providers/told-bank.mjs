// A provider whose bank says what a test has written for a customer: <folder>/<username>.json has the members of a snapshot.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

const depot = { key: "1", name: "Depot", balance: "12.50", currency: "EUR", ref_account: null, type: "S" };

export default {
  name: "told-bank",
  title: "Told Bank",
  settings: z.strictObject({ folder: z.string() }),
  connectors: () => [{ id: "esp:told", name: "Banco Contado", country: "ES" }],
  create: ({ settings: { folder }, clock }) => ({
    login: async ({ fields: { username } }) => ({ kind: "authenticated", user_key: username, access: { username } }),
    fetch: async ({ access: { username } }) => {
      const told = JSON.parse(await readFile(join(folder, `${username}.json`), "utf8"));
      const snapshot = { as_of: clock(), portfolios: [depot], holdings: [], ...told };
      return { snapshot, consent_expires_at: null };
    },
  }),
};
