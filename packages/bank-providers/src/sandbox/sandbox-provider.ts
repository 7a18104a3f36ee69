import { defineProvider } from "@org/provider-kit";
import { z } from "zod";
import { SANDBOX, sandboxCatalogue } from "./catalogue.js";
import { createSandboxBanks } from "./sandbox-banks.js";

/** The sandbox banks as an ordinary provider, without settings. */
export const sandboxProvider = defineProvider({
  name: SANDBOX,
  title: "Sandbox banks",
  settings: z.strictObject({}),
  connectors: () =>
    sandboxCatalogue().map(({ id, name, countries, type, available, provider_ref }) => ({
      id,
      name,
      countries,
      type,
      available,
      ...(provider_ref !== null && { provider_ref }),
    })),
  create: createSandboxBanks,
});
