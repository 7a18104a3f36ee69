import { createInstitutionCalls, defineProvider, ReadInterrupted } from "@org/provider-kit";
import { z } from "zod";

/** As long as a customer's login may wait for its turn. */
const WAIT_MS = 30_000;

/**
 * A provider whose institution has a rate limit, for the application or for each customer's key.
 * @param base_url of its stand-in
 * @param calls requests of one fetch, one after another
 */
export function limitedProvider({ name, base_url, limits, isShared, calls }) {
  return defineProvider({
    name,
    title: name,
    settings: z.strictObject({}),
    hosts: () => [new URL(base_url).host],
    create({ http, pace, clock }) {
      return {
        login: async () => ({ kind: "refused", reason: "credentials" }),
        async fetch({ access: { key }, awaited, signal }) {
          const institution = createInstitutionCalls(
            {
              auth: (request) => ({ ...request, headers: { ...request.headers, "x-key": key } }),
              limits: limits.map((limit) => ({ ...limit, shared: isShared })),
            },
            {
              http,
              pace,
              clock,
              base_url,
              key: {},
              identity: key,
              mayWait: awaited ? { until: new Date(clock().getTime() + WAIT_MS) } : null,
              signal,
            },
          );
          try {
            for (let made = 0; made < calls; made += 1) await institution.get(`/part/${made}`, z.object({}));
          } catch (error) {
            if (error instanceof ReadInterrupted) return error.end;
            throw error;
          }
          return {
            consent_expires_at: null,
            snapshot: { as_of: clock(), portfolios: [], holdings: [], transactions: [] },
          };
        },
      };
    },
  });
}
