/**
 * SnapTrade: accounts at many brokerages, which customers connect in its portal.
 *
 *   index.ts          the provider: check, catalogue rows, and dispatch of its calls
 *   settings.ts       the key of the installation, commercial or personal
 *   calls.ts          the requests, with their limits and errors; signature.ts signs them, and verifies notifications
 *   login.ts          visits of the portal, repairs, and what goes with a connection
 *   fetch.ts          a connection's accounts.ts, holdings.ts and activities.ts
 *   brokerages.ts     a catalogue row for each brokerage
 *   notifications.ts  webhooks
 */
import { AnswerFailure, type CheckResult, defineProvider, ReadInterrupted } from "@org/provider-kit";
import { client, connectorsOf } from "./brokerages.js";
import { openCalls } from "./calls.js";
import { fetchConnection } from "./fetch.js";
import { portalLogins, stepOf } from "./login.js";
import { readNotification } from "./notifications.js";
import { snapTradeSettings } from "./settings.js";

/** Nothing holds up a call that no customer makes. */
const pace = async () => null;

// biome-ignore lint/style/noDefaultExport: the server loads a provider as the default export of its module.
export default defineProvider({
  name: "snaptrade",
  title: "SnapTrade",
  settings: snapTradeSettings,

  connectors: (settings, { signal, ...services }) =>
    connectorsOf(openCalls(settings, { ...services, pace }, { user: null, signal })),

  tenantOnly: ({ key_type }) =>
    key_type === "personal"
      ? "a personal key shows the accounts of its owner to whoever connects: such settings belong to the tenant of the owner"
      : null,

  async check({ settings, signal, ...services }): Promise<CheckResult> {
    try {
      await openCalls(settings, { ...services, pace }, { user: null, signal }).get("/snapTrade/partners", client);
      return { ok: true, message: "SnapTrade knows the client" };
    } catch (failure) {
      if (failure instanceof ReadInterrupted && "throttled" in failure.end)
        return { ok: false, cause: "throttled", message: "SnapTrade asks for fewer requests" };
      const isRefused =
        failure instanceof ReadInterrupted || (failure instanceof AnswerFailure && failure.status === 401);
      if (!isRefused) throw failure;
      return { ok: false, cause: "client_refused", message: "SnapTrade refuses the client" };
    }
  },

  create({ settings, ...services }) {
    const portal = portalLogins(settings, services);
    return {
      credentialFields: () => [],
      terms: () => ({ rights: "read", through: "SnapTrade", holdings: "daily", transactions: "all" }),
      login: (request) => stepOf(() => portal.login(request)),
      resume: (request) => stepOf(() => portal.resume(request)),
      fetch: (request) => fetchConnection(settings, services, request),
      revoke: ({ access, kept_accesses = [], signal }) => portal.revoke(access, kept_accesses, signal),
      async notify(request) {
        return readNotification(settings, request, services.clock());
      },
    };
  },
});
