import { evaluateRelogin } from "@org/relogin-rule";
import { createPager } from "../pager.js";
import type { DeskConnection } from "../ports/connection-desk.js";
import type { Runtime } from "../ports/runtime.js";
import type { Storage } from "../ports/storage.js";
import type { ConnectionSearch, FoundConnection } from "../schemas/connection-search.js";
import { type Uuid, uuidOf } from "../schemas/identifier.js";
import { parseMoment } from "../schemas/moment.js";
import { connectionConditionOf } from "./connection-changes.js";
import type { Connectors, TokenPage } from "./connectors.js";
import { refreshStateOf } from "./refresh-plan.js";

/** A connection in an operator's list. */
export interface DeskConnectionView extends FoundConnection {
  readonly tenant_id: string;
  /** The tenant's name. */
  readonly tenant: string;
}

/** How people who look after connections find them: how they stand, never their data. */
export interface ConnectionDesk {
  /**
   * Newest first, page by page; a tenant of null = all of them.
   * @throws CoreError VALIDATION_ERROR on `page_token`
   */
  search(tenantId: string | null, search: ConnectionSearch): Promise<TokenPage<DeskConnectionView>>;
}

export function createConnectionDesk(deps: {
  storage: Pick<Storage, "connectionDesk">;
  runtime: Pick<Runtime, "clock" | "mac">;
  connectors: Pick<Connectors, "search">;
}): ConnectionDesk {
  const { storage, runtime, connectors } = deps;
  const page = createPager(runtime.mac);

  return {
    async search(tenantId, { query, page_token, page_size }) {
      const { connection_id, bank, state_in, consent_ends_before, is_failing } = query;
      const id = connection_id === undefined ? null : uuidOf(connection_id.toLowerCase());
      const isNobodys = connection_id !== undefined && id === null;
      const wanted = {
        tenant_id: tenantId,
        connection_id: id,
        connector_id_in: await connectorsNamed(bank),
        state_in: state_in ?? null,
        consent_ends_before: consent_ends_before ? (parseMoment(consent_ends_before)?.from ?? null) : null,
        is_failing: is_failing ?? null,
      };
      const asked = [tenantId, connection_id, bank, state_in, consent_ends_before, is_failing];
      const { rows, next_page_token } = await page({
        query: ["connections", ...asked.map((one) => one ?? null)],
        token: page_token,
        size: page_size,
        rows: (after: Uuid | null, limit) =>
          isNobodys ? [] : storage.connectionDesk.list({ ...wanted, after, limit }),
        keyOf: ({ connection_id: last }) => last,
        readKey: uuidOf,
      });
      const now = runtime.clock();
      return { items: rows.map((row) => viewOf(row, now)), next_page_token };
    },
  };

  /** Ids of the connectors with this name: the catalogue is in memory, and knows how names are compared. */
  async function connectorsNamed(name: string | undefined): Promise<readonly string[] | null> {
    if (name === undefined || name.trim() === "") return null;
    const all = { page: 1, page_size: Number.MAX_SAFE_INTEGER };
    return (await connectors.search({ name: name.trim(), ...all }, null)).items.map(({ id }) => id);
  }
}

function viewOf({ status, created_at, refresh, ...connection }: DeskConnection, now: Date): DeskConnectionView {
  return {
    ...connection,
    state: connectionConditionOf(status),
    reasons: evaluateRelogin(status).reasons.map(({ code }) => code),
    last_update: status.last_update,
    consent_expires_at: status.consent_expires_at,
    created_at: created_at.toISOString(),
    refresh: refreshStateOf(refresh, now),
  };
}
