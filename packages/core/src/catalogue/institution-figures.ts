import type { Writable } from "@org/provider-kit";
import { createPager } from "../pager.js";
import type { Runtime } from "../ports/runtime.js";
import type { RefreshOutcome } from "../schemas/refresh.js";
import type { Connectors } from "./connectors.js";
import {
  type CountedOutcomes,
  type OutcomeKind,
  type OutcomeStore,
  type Outcomes,
  outcomeKinds,
} from "./outcome-store.js";

const HOUR_MS = 60 * 60_000;
const KEPT_MS = 8 * 24 * HOUR_MS;

/** How a login or a refresh ended, if that counts. */
export type Outcome = keyof Outcomes;

/**
 * How a refresh counts; null = not at all, because the outcome says nothing about the institution. `relogin_needed` counts as the
 * customer's, because only the customer can resolve it.
 */
export const outcomeOfRefresh: Readonly<Record<RefreshOutcome, Outcome | null>> = {
  refreshed: "succeeded",
  incomplete: "succeeded",
  failed: "failed",
  relogin_needed: "customer",
  pending: null,
  throttled: null,
  postponed: null,
  already_exists: null,
  superseded: null,
};

/** The outcomes of one period, and their rate of success. */
export interface SuccessRate extends Outcomes {
  /** The share of `succeeded` in `succeeded` and `failed`, from 0 to 1 with four digits. Null if there were none of both. */
  readonly rate: number | null;
}

/** How well an institution can be reached. */
export interface InstitutionFigures {
  readonly connector_id: string;
  /** The institution's name; the connector's id when the catalogue does not know it. */
  readonly name: string;
  /** The provider's name; null when the catalogue does not know the connector. */
  readonly provider: string | null;
  /** `day`: the last 24 hours; `week`: the last seven days; both in whole hours. */
  readonly logins: { readonly day: SuccessRate; readonly week: SuccessRate };
  readonly refreshes: { readonly day: SuccessRate; readonly week: SuccessRate };
  readonly circuit: "closed" | "open";
  /** RFC 3339; null while it is closed. */
  readonly circuit_open_since: string | null;
}

/**
 * Success of logins and refreshes at each institution, over all servers. Outcomes are counted in memory and added to the store every few
 * seconds, apart from the work that caused them. A server that is killed loses its last few seconds.
 */
export interface InstitutionFigureService {
  note(kind: OutcomeKind, connectorId: string | null, outcome: Outcome | null): void;
  /** Stores what was counted since the last flush. If that fails, the counts are kept for the next one. */
  flush(): Promise<void>;
  /** Ordered by connector id. @throws CoreError VALIDATION_ERROR on `page_token` */
  list(search: {
    readonly page_size: number;
    readonly page_token?: string | null | undefined;
  }): Promise<{ items: readonly InstitutionFigures[]; next_page_token: string | null }>;
  /** Deletes counts that are too old for any figure. */
  reap(now: Date, limit: number): Promise<number>;
}

export function createInstitutionFigures(deps: {
  store: OutcomeStore;
  connectors: Pick<Connectors, "find">;
  runtime: Pick<Runtime, "clock" | "mac">;
}): InstitutionFigureService {
  const { store, connectors, runtime } = deps;
  const page = createPager(runtime.mac);
  let noted = new Map<string, Writable<CountedOutcomes>>();

  return {
    note(kind, connector_id, outcome) {
      if (connector_id !== null && outcome !== null) countOf(kind, connector_id, hourOf(runtime.clock()))[outcome] += 1;
    },

    async flush() {
      if (noted.size === 0) return;
      const counted = noted;
      noted = new Map();
      try {
        await store.add([...counted.values()]);
      } catch (error) {
        for (const { kind, connector_id, hour, ...outcomes } of counted.values()) {
          const count = countOf(kind, connector_id, hour);
          for (const outcome of ["succeeded", "failed", "customer"] as const) count[outcome] += outcomes[outcome];
        }
        throw error;
      }
    },

    async list({ page_size, page_token }) {
      const { rows, next_page_token } = await page({
        query: ["figures"],
        token: page_token,
        size: page_size,
        rows: (after: string | null, limit) => store.figures({ now: runtime.clock(), after, limit }),
        keyOf: ({ connector_id }) => connector_id,
        readKey: (text) => text,
      });
      const items = await Promise.all(
        rows.map(async ({ connector_id, day, week, open_since }): Promise<InstitutionFigures> => {
          const row = await connectors.find(connector_id);
          const of = (kind: OutcomeKind) => ({ day: rateOf(day[kind]), week: rateOf(week[kind]) });
          return {
            connector_id,
            name: row?.name ?? connector_id,
            provider: row?.provider ?? null,
            logins: of("login"),
            refreshes: of("refresh"),
            circuit: open_since === null ? "closed" : "open",
            circuit_open_since: open_since?.toISOString() ?? null,
          };
        }),
      );
      return { items, next_page_token };
    },

    reap: (now, limit) => store.reap(new Date(now.getTime() - KEPT_MS), limit),
  };

  function countOf(kind: OutcomeKind, connector_id: string, hour: Date): Writable<CountedOutcomes> {
    const key = `${outcomeKinds.indexOf(kind)} ${hour.getTime()} ${connector_id}`;
    const known = noted.get(key) ?? { kind, connector_id, hour, succeeded: 0, failed: 0, customer: 0 };
    noted.set(key, known);
    return known;
  }
}

function hourOf(at: Date): Date {
  return new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS);
}

function rateOf(outcomes: Outcomes): SuccessRate {
  const judged = outcomes.succeeded + outcomes.failed;
  return { ...outcomes, rate: judged === 0 ? null : Math.round((outcomes.succeeded / judged) * 10_000) / 10_000 };
}
