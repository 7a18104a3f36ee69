import { useWords } from "../../language/language.js";
import type { RowOf } from "../../listing/list.js";
import { Badge } from "../../parts/badge.js";
import { Moment } from "../../parts/moment.js";
import { connectionWords } from "./words.js";

/** A connection as its tenant's people see it; operators also see the tenant. */
export type Connection = RowOf<"/data/v1/search-connections">;

const tones = { pending: "neutral", ready: "good", needs_relogin: "warn", blocked: "bad" } as const;

export function StateBadge({ state }: Pick<Connection, "state">) {
  const words = useWords(connectionWords);
  return <Badge tone={tones[state]}>{words.states[state]}</Badge>;
}

/** When a connection is refreshed next, or what the refresh waits for. */
export function NextRefresh({ refresh }: Pick<Connection, "refresh">) {
  const words = useWords(connectionWords);
  return refresh.next_at === null ? (
    <span className="quiet">{words.plans[refresh.state]}</span>
  ) : (
    <Moment at={refresh.next_at} />
  );
}
