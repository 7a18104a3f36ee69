import { type Steps, utcDay } from "@org/provider-kit";
import {
  type DayArguments,
  type Fold,
  type GainsAnswer,
  gains,
  type HistoryAnswer,
  type HistoryArguments,
  type HoldingsAtAnswer,
  historyDays,
  historyFold,
  holdingsAt,
  type IncomeAnswer,
  type IncomeArguments,
  incomeFold,
  needsHoldings,
  type PerformanceAnswer,
  type PerformanceArguments,
  performance,
  periodAsked,
  type Rate,
  type SummaryAnswer,
  type SummaryArguments,
  summary,
  WealthError,
  type WealthFacts,
} from "@org/wealth";
import { CoreError, invalid, invalidValue } from "../errors.js";
import { createEventLoopYielder, type EventLoopYielder, runInSteps, waitOf } from "../event-loop-yielder.js";
import type { TenantActor } from "../ports/actor.js";
import type { Runtime } from "../ports/runtime.js";
import { parseUuid, type Uuid } from "../schemas/identifier.js";
import { clientsNamed, connectionsOfClients, knownId, unknownIds } from "./client-connections.js";
import type { DataReader } from "./data-reader.js";
import { connectionsAtOnce, factsInPieces } from "./fact-pieces.js";
import type { InvestmentData } from "./investment-data.js";
import type { RateStore } from "./rate-store.js";
import type { AuditedRead } from "./read-audit.js";
import type { Source, SourceCounts } from "./rows.js";
import type { WealthQuery, WealthReader } from "./wealth-reader.js";

/** What a question is about, already checked for shape. */
export interface WealthScope {
  readonly client_ref?: string | readonly string[] | undefined;
  readonly credentials_token?: string | readonly string[] | undefined;
  readonly portfolio_id?: string | readonly string[] | undefined;
  readonly currency?: string | undefined;
  /** 7 if left out. */
  readonly stale_after?: number | undefined;
}

/** Which page of a list to answer. */
export interface WealthPage {
  readonly page: number;
  readonly page_size: number;
}

/** How far what was read can be trusted, as the data tools say it. */
export interface WealthSources {
  readonly sources: readonly Source[];
  readonly source_counts: SourceCounts;
}

type Request<Arguments> = WealthScope & Omit<Arguments, "portfolio_ids" | "currency" | "stale_after">;
type Paged<Answer> = Answer & WealthSources & WealthPage & { readonly pages: number; readonly total: number };

/**
 * Figures over stored valuations, movements and exchange rates. Days are `YYYY-MM-DD`; today is that of UTC.
 * @throws CoreError NOT_FOUND for an unknown client_ref, credentials_token or portfolio_id; VALIDATION_ERROR for days in the future or too many;
 * INSUFFICIENT_DATA, with what is missing, where a figure would be a guess
 */
export interface Wealth {
  history(actor: TenantActor, request: Request<HistoryArguments> & WealthPage): Promise<Paged<HistoryAnswer>>;
  holdingsAt(actor: TenantActor, request: Request<DayArguments> & WealthPage): Promise<Paged<HoldingsAtAnswer>>;
  summary(actor: TenantActor, request: Request<SummaryArguments> & WealthPage): Promise<Paged<SummaryAnswer>>;
  performance(actor: TenantActor, request: Request<PerformanceArguments>): Promise<PerformanceAnswer & WealthSources>;
  income(actor: TenantActor, request: Request<IncomeArguments> & WealthPage): Promise<Paged<IncomeAnswer>>;
  gains(actor: TenantActor, request: Request<DayArguments> & WealthPage): Promise<Paged<GainsAnswer>>;
}

const STALE_AFTER_DAYS = 7;
/** How many days before a figure's day a rate may be. */
const RATE_DAYS = 7;
/** How often a figure is reckoned while connections become other clients'. */
const MAX_TRIES = 3;
const DAY_MS = 24 * 60 * 60 * 1_000;

export function createWealth(deps: {
  readonly data: Pick<InvestmentData, "portfolios">;
  readonly reader: Pick<DataReader, "connectionsOf">;
  readonly facts: WealthReader;
  readonly rates: Pick<RateStore, "between">;
  readonly runtime: Pick<Runtime, "clock" | "loop">;
}): Wealth {
  const today = () => utcDay(deps.runtime.clock());

  return {
    history: (actor, request) =>
      sourced("history", actor, request, async (args, now) => {
        const { page, page_size } = request;
        const days = await refusing(() => historyDays(request, now));
        // Only the days of the page are read and reckoned. A page without days still finds out what is not there.
        const shown = days.slice((page - 1) * page_size, page * page_size);
        const [last = request.from] = days.slice(-1);
        const period = { from: shown[0] ?? last, to: shown.at(-1) ?? last };
        // Of every day all valuations are read: a look-up of each would cost more.
        const closes = (request.interval ?? "day") === "day" ? {} : { closes: shown.length > 0 ? shown : [last] };
        const answer = await fold(args, { ...period, ...closes, with_movements: false, holdings: "none" }, (rates) =>
          historyFold(rates, { ...request, ...period, ...args.common }, now),
        );
        const items = shown.length > 0 ? answer.items : [];
        return { ...answer, items, page, page_size, pages: Math.ceil(days.length / page_size), total: days.length };
      }),
    holdingsAt: (actor, request) =>
      paged("holdings-at", actor, request, (args, now) =>
        ofDay(args, request.date ?? now, "all", (facts) => holdingsAt(facts, { ...request, ...args.common }, now)),
      ),
    summary: (actor, request) =>
      paged("summary", actor, request, (args, now) =>
        ofDay(args, request.date ?? now, holdingsBy[request.by], (facts) =>
          summary(facts, { ...request, ...args.common }, now),
        ),
      ),
    performance: (actor, request) =>
      sourced("performance", actor, request, async (args, now) => {
        await refusing(() => periodAsked(request, now));
        const query = { from: request.from, to: request.to ?? now, with_movements: true } as const;
        const size = {
          ...query,
          ...portfoliosOf(args),
          connection_ids: args.connection_ids,
          holdings: "none",
        } as const;
        const known = { ...args, connection_ids: await connectionsAtOnce(deps.facts, actor.tenant_id, size) };
        const { connections, rates } = await read(known, { ...query, holdings: "none" });
        const facts = { connections: await withHoldings(known, connections, query), rates };
        return refusing(() => inSteps(args, performance(facts, { ...request, ...args.common }, now)));
      }),
    income: (actor, request) =>
      paged("income", actor, request, async (args, now) => {
        await refusing(() => periodAsked(request, now));
        const to = request.to ?? now;
        const query = { from: request.from, to, closes: [to], with_movements: true, holdings: "none" } as const;
        return fold(args, query, (rates) => incomeFold(rates, { ...request, ...args.common }, now));
      }),
    gains: (actor, request) =>
      paged("gains", actor, request, (args, now) =>
        ofDay(args, request.date ?? now, "all", (facts) => gains(facts, { ...request, ...args.common }, now)),
      ),
  };

  /** Answers a question with what its sources are worth. */
  async function sourced<Answer>(
    read_as: AuditedRead,
    actor: TenantActor,
    request: WealthScope,
    answer: (args: ScopeArguments, now: string) => Promise<Answer>,
  ): Promise<Answer & WealthSources> {
    const args = await argumentsOf(actor, request);
    const { client_ref, credentials_token } = request;
    const named = { client_ref, credentials_token, page: 1, page_size: 1, totals_only: true, read_as };
    const figure = whileClientsChange(args, request, (found) => answer(found, today()));
    const [read, found] = await Promise.allSettled([deps.data.portfolios(actor, named), figure]);
    // What is not there is said before what a figure lacks.
    if (read.status === "rejected") throw read.reason;
    if (found.status === "rejected") throw found.reason;
    const { sources, source_counts } = read.value;
    return { ...found.value, sources, source_counts };
  }

  /** A figure whose connections become another client's, or whose client gets another reference, is reckoned anew: it is that of after. */
  async function whileClientsChange<Answer>(
    first: ScopeArguments,
    request: WealthScope,
    answer: (args: ScopeArguments) => Promise<Answer>,
  ): Promise<Answer> {
    let args = first;
    for (let tries = 1; ; tries += 1) {
      try {
        return await answer(args);
      } catch (error) {
        if (!(error instanceof ClientsChanged)) throw error;
        if (tries === MAX_TRIES) throw new CoreError("UNAVAILABLE", error.message, { retryAfterSeconds: 1 });
      }
      args = await argumentsOf(args.actor, request);
    }
  }

  async function paged<Answer extends { readonly items: readonly unknown[] }>(
    read_as: AuditedRead,
    actor: TenantActor,
    request: WealthScope & WealthPage,
    answer: (args: ScopeArguments, now: string) => Promise<Answer>,
  ): Promise<Paged<Answer>> {
    const { page, page_size } = request;
    const found = await sourced(read_as, actor, request, answer);
    const total = found.items.length;
    const items = found.items.slice((page - 1) * page_size, page * page_size);
    return { ...found, items, page, page_size, pages: Math.ceil(total / page_size), total };
  }

  /** A figure of one day, of facts that are there at once. */
  async function ofDay<Answer>(
    args: ScopeArguments,
    date: string,
    holdings: WealthQuery["holdings"],
    figure: (facts: WealthFacts) => Steps<Answer>,
  ): Promise<Answer> {
    const query = { from: date, to: date, closes: [date], with_movements: false, holdings };
    // A day that is refused is not read.
    const facts = date > today() ? { connections: [], rates: [] } : await read(args, query);
    return refusing(() => inSteps(args, figure(facts)));
  }

  /** A figure that is reckoned piece by piece. Each piece is a transaction: none lasts while others work in between. */
  async function fold<Answer>(
    args: ScopeArguments,
    query: Omit<WealthQuery, "connection_ids">,
    start: (rates: readonly Rate[]) => Fold<Answer>,
  ): Promise<Answer> {
    const { actor, connection_ids, common } = args;
    const figure = start(common.currency === null ? [] : await ratesOf(query.from, query.to));
    const known = new Set<string>();
    const pace = paceOf(args);
    const asked = { ...query, ...portfoliosOf(args), connection_ids };
    for await (const piece of factsInPieces(deps.facts, actor.tenant_id, asked)) {
      const connections = stillOf(args, piece);
      if (common.portfolio_ids !== null) addPortfolios(known, connections);
      await runInSteps(figure.add(connections), pace);
    }
    refuseUnknown(args, known);
    return refusing(() => runInSteps(figure.answer(), pace));
  }

  /** Many accounts over many days, and searches for a return, take seconds: others work in between. */
  function inSteps<Answer>(args: ScopeArguments, steps: Steps<Answer>): Promise<Answer> {
    return runInSteps(steps, paceOf(args));
  }

  function paceOf({ actor }: ScopeArguments): EventLoopYielder {
    return createEventLoopYielder(waitOf(deps.runtime.loop, actor.tenant_id));
  }

  async function read(args: ScopeArguments, query: Omit<WealthQuery, "connection_ids">): Promise<WealthFacts> {
    const { actor, connection_ids, common } = args;
    const connections = stillOf(args, await deps.facts.facts(actor.tenant_id, { connection_ids, ...query }));
    if (common.portfolio_ids !== null) {
      const known = new Set<string>();
      addPortfolios(known, connections);
      refuseUnknown(args, known);
    }
    if (common.currency === null) return { connections, rates: [] };
    let first = dayBefore(query.from, 1);
    for (const { movements } of connections)
      for (const { operation_date } of movements) if (operation_date < first) first = operation_date;
    return { connections, rates: await ratesOf(first, query.to) };
  }

  /** Those of a connection are many times what else is known of it: the others go without. */
  async function withHoldings(
    args: ScopeArguments,
    connections: WealthFacts["connections"],
    query: Omit<WealthQuery, "connection_ids" | "holdings">,
  ): Promise<WealthFacts["connections"]> {
    const needing = new Set(
      connections.filter(needsHoldings).map(({ credentials_token }) => credentials_token as Uuid),
    );
    if (needing.size === 0) return connections;
    const asked = { ...query, connection_ids: [...needing], holdings: "all" } as const;
    const found = stillOf(args, await deps.facts.facts(args.actor.tenant_id, asked));
    const held = new Map(found.map((connection) => [connection.credentials_token, connection]));
    return connections.flatMap((one) =>
      needing.has(one.credentials_token as Uuid) ? (held.get(one.credentials_token) ?? []) : one,
    );
  }

  function ratesOf(from: string, to: string): Promise<readonly Rate[]> {
    return deps.rates.between(dayBefore(from, RATE_DAYS), to);
  }

  async function argumentsOf(actor: TenantActor, request: WealthScope): Promise<ScopeArguments> {
    const { client_ref, credentials_token } = request;
    const named =
      credentials_token === undefined
        ? null
        : [...new Set([credentials_token].flat())].map((token) => knownId("credentials_token", token));
    const clients = clientsNamed(actor, client_ref);
    const connection_ids =
      clients === null ? named : await connectionsOfClients(deps.reader, actor.tenant_id, clients, named);
    return { actor, clients, connection_ids, common: commonOf(request) };
  }
}

interface ScopeArguments {
  readonly actor: TenantActor;
  /** Null = all of the tenant. */
  readonly clients: readonly string[] | null;
  /** Null = all of the tenant. */
  readonly connection_ids: readonly Uuid[] | null;
  readonly common: {
    readonly portfolio_ids: readonly string[] | null;
    readonly currency: string | null;
    readonly stale_after: number;
  };
}

function commonOf({ portfolio_id, currency, stale_after }: WealthScope): ScopeArguments["common"] {
  return {
    portfolio_ids:
      portfolio_id === undefined ? null : [...new Set([portfolio_id].flat())].map((id) => id.toLowerCase()),
    currency: currency?.toUpperCase() ?? null,
    stale_after: stale_after ?? STALE_AFTER_DAYS,
  };
}

/** @throws CoreError for what the figures refuse */
async function refusing<Answer>(answer: () => Answer | Promise<Answer>): Promise<Answer> {
  try {
    return await answer();
  } catch (error) {
    throw error instanceof WealthError ? refusalOf(error) : error;
  }
}

/** What a summary needs of holdings. */
const holdingsBy = { type: "sums", currency: "sums", bank: "none", client: "none", security: "all" } as const;

/** The portfolios in question, of those that can be: an id that cannot be one has no connection. */
function portfoliosOf({ common }: ScopeArguments): { portfolio_ids: readonly Uuid[] | null } {
  const ids = common.portfolio_ids?.map(parseUuid).filter((id) => id !== null);
  return { portfolio_ids: ids ?? null };
}

/** @throws ClientsChanged if one has become another client's since it was looked up */
function stillOf({ clients }: ScopeArguments, connections: WealthFacts["connections"]): WealthFacts["connections"] {
  if (clients === null) return connections;
  const asked = new Set<string | null>(clients);
  if (connections.some(({ client_ref }) => !asked.has(client_ref))) throw new ClientsChanged();
  return connections;
}

class ClientsChanged extends Error {
  constructor() {
    super("connections became other clients' while this was reckoned");
  }
}

function addPortfolios(known: Set<string>, connections: WealthFacts["connections"]): void {
  for (const { accounts } of connections) for (const { shown_as } of accounts) known.add(shown_as);
}

/** @throws CoreError NOT_FOUND */
function refuseUnknown({ common }: ScopeArguments, known: ReadonlySet<string>): void {
  const unknown = common.portfolio_ids?.filter((id) => !known.has(id)) ?? [];
  if (unknown.length > 0) throw unknownIds("portfolio_id", unknown);
}

/** A number of days earlier; no day is before the year 1. */
function dayBefore(day: string, days: number): string {
  return utcDay(new Date(Math.max(Date.parse(day) - days * DAY_MS, Date.parse("0001-01-01"))));
}

function refusalOf({ code, message, field = "", details }: WealthError): CoreError {
  if (code === "INSUFFICIENT_DATA") return new CoreError(code, message, { missing: details });
  const rule = message.startsWith(`${field}: `) ? message.slice(field.length + 2) : message;
  return invalid(invalidValue(field, rule));
}
