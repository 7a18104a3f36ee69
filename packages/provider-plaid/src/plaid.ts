import { createHash } from "node:crypto";
import {
  AnswerFailure,
  type BankProvider,
  type BankRequest,
  type CheckResult,
  defineProvider,
  ReadInterrupted,
} from "@org/provider-kit";
import { z } from "zod";
import { accessSchema } from "./access.js";
import { fetchItem, HISTORY_DAYS } from "./fetch.js";
import { institutionQuery, institutionRows } from "./institutions.js";
import { beginLink, finishLink, linkStep, removeItem } from "./login.js";
import { plaidWebhooks } from "./notifications.js";
import { openPlaid, openUnlimited } from "./plaid-api.js";
import { baseUrlOf, plaidSettings } from "./settings.js";

/** Until when a call of a fetch may wait for its turn, from its start: the server ends a fetch after a minute. */
const WAIT_MS = 30_000;

/** Investment accounts by way of Plaid. Each institution has a catalogue row, with Plaid's id of it as `provider_ref`; without one, customers choose at Plaid. */
export const plaid = defineProvider({
  name: "plaid",
  title: "Plaid",
  settings: plaidSettings,
  hosts: (settings) => [new URL(baseUrlOf(settings)).host],
  connectors: (settings, services) => institutionRows(settings, services),

  async check({ settings, http, signal }): Promise<CheckResult> {
    const api = openUnlimited(settings, { http, signal });
    try {
      await api.send("POST", "/institutions/get", z.object({}), institutionQuery(settings, 1, 0));
      return { ok: true, message: "Plaid knows the client" };
    } catch (error) {
      if (error instanceof ReadInterrupted)
        return { ok: false, cause: "refused" in error.end ? "client_refused" : "throttled", message: error.message };
      const isOurs = error instanceof AnswerFailure && /INVALID_API_KEYS|UNAUTHORIZED/.test(error.message);
      if (isOurs) return { ok: false, cause: "client_refused", message: error.message };
      throw error;
    }
  },

  create({ settings, ...services }): Omit<BankProvider, "name"> {
    const { http, pace, clock } = services;
    const open = (name: string, awaited: boolean, { signal }: Pick<BankRequest, "signal">) => {
      // Keys of rate limits are stored where every replica sees them.
      const identity = createHash("sha256")
        .update(`${baseUrlOf(settings)} ${name}`)
        .digest("base64url");
      const mayWait = awaited ? { until: new Date(clock().getTime() + WAIT_MS) } : null;
      return openPlaid(settings, { http, pace, clock, identity, mayWait, signal });
    };
    const forLogin = (request: BankRequest) => open(Buffer.from(services.random(16)).toString("hex"), true, request);

    return {
      credentialFields: () => [],
      terms: () => ({ rights: "read", through: "Plaid", holdings: "daily", transactions: HISTORY_DAYS }),
      login: async (request) => linkStep(beginLink(settings, forLogin(request), services, request), false),
      resume: async (request) => linkStep(finishLink(settings, forLogin(request), services, request), true),
      fetch: async (request) =>
        fetchItem(settings, ({ item_id }) => open(item_id, request.awaited, request), services, request),

      async revoke({ access, kept_accesses = [], ...request }) {
        const api = forLogin(request);
        const [own, ...kept] = [access, ...kept_accesses].map((one) => accessSchema.safeParse(one).data);
        if (own === undefined || own.base_url !== baseUrlOf(settings)) return;
        // An Item that was repaired has the token that it had.
        if (kept.some((one) => one?.item_id === own.item_id)) return;
        await removeItem(api, own.access_token);
      },

      notify: plaidWebhooks(settings, services),
    };
  },
});
