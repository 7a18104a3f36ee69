import { utcDay } from "@org/provider-kit";
import type { FigureVersion, WhyAnswer } from "@org/wealth";
import { invalid, invalidValue } from "../errors.js";
import type { TenantActor } from "../ports/actor.js";
import type { Runtime } from "../ports/runtime.js";
import type { Uuid } from "../schemas/identifier.js";
import { clientsNamed, connectionsOfClients, knownId, unknownIds } from "./client-connections.js";
import type { DataReader } from "./data-reader.js";
import type { ReadAudit } from "./read-audit.js";
import type { ValuationSource } from "./snapshot-store.js";

/** Which number is in question. */
export interface WhyQuery {
  readonly id: Uuid;
  /** Null = all of the tenant. */
  readonly connection_ids: readonly Uuid[] | null;
  /** `YYYY-MM-DD` */
  readonly date: string;
}

/** Reads what a number says, and what it said before. */
export interface FigureReader {
  /** Null if nothing has this id. The current version comes first, then former ones, the latest first: at most ten. */
  versions(tenantId: string, query: WhyQuery): Promise<StoredFigure | null>;
}

/** What is stored of a number. */
export interface StoredFigure {
  readonly connection_id: Uuid;
  readonly what: "portfolio" | "holding" | "transaction";
  /** Of a transaction its description. */
  readonly name: string | null;
  readonly date: string | null;
  readonly parts: readonly string[];
  readonly versions: readonly FigureVersion[];
}

/** A valuation of an account on a day, or what it said before. */
export interface ValuationVersion {
  readonly balance: string | null;
  readonly currency: string;
  /** Sums of its holdings by currency; null = unknown. */
  readonly value: Readonly<Record<string, string>> | null;
  readonly came_at: Date;
  readonly stated_at: Date;
  readonly source: ValuationSource;
  /** As in `StatedValuation`. */
  readonly places: readonly string[];
  /** The holdings as a JSON array; null = none are listed. */
  readonly items: string | null;
}

/** What valuations of one day say of an account. @param versions the current one first */
export function accountVersions(versions: readonly ValuationVersion[]): readonly FigureVersion[] {
  return versions.map((version, index) => {
    const { balance, currency, value } = version;
    const [only = [currency, "0"], ...others] = value === null ? [[currency, null] as const] : Object.entries(value);
    const summed = others.length === 0 ? { balance: only[1], currency: only[0] } : { balance: null, currency };
    return {
      ...{ amount: null, valuation_date: null, ...(balance === null ? summed : { balance, currency }) },
      ...{ came_at: version.came_at.toISOString(), current: index === 0, source: sourceAt(version, 0) },
    };
  });
}

/** What valuations of one day say of a holding, without those that say what the next one says, and what the first of them calls it. */
export function holdingVersions(
  versions: readonly ValuationVersion[],
  holdingId: string,
): Pick<StoredFigure, "name" | "versions"> {
  const found: FigureVersion[] = [];
  let name: string | null = null;
  let next: string | null = null;
  for (const [index, version] of versions.entries()) {
    const items = JSON.parse(version.items ?? "[]") as readonly StoredHolding[];
    const number = items.findIndex(({ id }) => id === holdingId);
    const item = items[number];
    const said = item ? JSON.stringify(item) : null;
    name ??= item?.name ?? null;
    if (item && said !== next)
      found.push({
        ...{ amount: item.amount, balance: item.balance, currency: item.currency, valuation_date: item.valuation_date },
        ...{ came_at: version.came_at.toISOString(), current: index === 0, source: sourceAt(version, number + 1) },
      });
    next = said;
  }
  return { name, versions: found };
}

interface StoredHolding {
  readonly id: string;
  readonly name: string;
  readonly valuation_date: string | null;
  readonly amount: string | null;
  readonly balance: string | null;
  readonly currency: string;
}

function sourceAt({ source, places, stated_at }: ValuationVersion, number: number): FigureVersion["source"] {
  if (source.kind === "provider") {
    const { kind, provider, version = null } = source;
    return { kind, provider, version, read_at: stated_at.toISOString() };
  }
  const { kind, name, sha256, part, format, format_version = null } = source;
  return { kind, name, sha256, part, place: places[number] || null, format, format_version };
}

/** What a question is about, already checked for shape. */
export interface WhyRequest {
  readonly id: string;
  readonly date?: string | undefined;
}

/**
 * Says where a number comes from, and what it was before it was corrected.
 * @throws CoreError NOT_FOUND for an unknown id; VALIDATION_ERROR for a day in the future
 */
export type Why = (actor: TenantActor, request: WhyRequest) => Promise<WhyAnswer>;

/** @param deps `reads` is notified of every answer */
export function createWhy(deps: {
  readonly reader: Pick<DataReader, "connectionsOf">;
  readonly figures: FigureReader;
  readonly runtime: Pick<Runtime, "clock">;
  readonly reads?: ReadAudit;
}): Why {
  return async (actor, { id: text, date }) => {
    const now = deps.runtime.clock();
    const today = utcDay(now);
    if (date !== undefined && date > today) throw invalid(invalidValue("date", "must not be after today (UTC)"));
    const id = knownId("id", text);
    const clients = clientsNamed(actor, undefined);
    const connection_ids =
      clients === null ? null : await connectionsOfClients(deps.reader, actor.tenant_id, clients, null);
    const found = await deps.figures.versions(actor.tenant_id, { id, connection_ids, date: date ?? today });
    if (found === null) throw unknownIds("id", [text]);
    const { connection_id: credentials_token, what, ...figure } = found;
    deps.reads?.note(actor, "why", [{ credentials_token, as_of: now.toISOString() }], 0);
    return { id, what, credentials_token, ...figure, parts: [...figure.parts], versions: [...figure.versions] };
  };
}
