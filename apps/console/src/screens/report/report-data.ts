import type { UseQueryResult } from "@tanstack/react-query";
import { useAnswer } from "../../api/answers.js";
import type { ApiProblem } from "../../api/api-problem.js";
import { useAnswers } from "../../api/many-answers.js";
import type { AnswerOf } from "../../api/paths.js";
import { portfoliosById, usePortfolioList } from "../wealth/names.js";
import { useFigure } from "../wealth/use-figure.js";
import { dayBefore, isLong, type Period } from "./period.js";

/** What a report is of, and how its figures are reckoned. */
export interface ReportOf extends Period {
  /** Null = all clients of the tenant. */
  readonly client_ref: string | null;
  /** Null = each amount in its own. */
  readonly currency: string | null;
  /** How many days a value counts. */
  readonly stale_after: number;
  readonly allow_gaps: boolean;
}

/** More are not listed, and the report says so. */
const MAX_ROWS = 500;

/** With more portfolios, no file is named for each. */
const MAX_TRACED = 50;

/** A figure: its answer, or why the server refuses it. */
export type Figure<A> = Pick<UseQueryResult<A, ApiProblem>, "data" | "error">;

export type Performance = AnswerOf<"/data/v1/performance">;
export type Summary = AnswerOf<"/data/v1/summary">;

/** Reads everything that a report says. */
export function useReport({ client_ref, currency, stale_after, allow_gaps, ...period }: ReportOf, enabled: boolean) {
  const { from, to } = period;
  const scope = client_ref === null ? {} : { client_ref };
  const of = { ...scope, stale_after, currency };
  const listed = { page_size: MAX_ROWS } as const;
  const options = { enabled };
  const [before, close] = [
    { ...listed, date: dayBefore(from) },
    { ...listed, date: to },
  ];
  const opening = useFigure("/data/v1/summary", of, { ...before, by: "type" }, options);
  const closing = useFigure("/data/v1/summary", of, { ...close, by: "type" }, options);
  const byCurrency = useFigure("/data/v1/summary", of, { ...close, by: "currency" }, options);
  const byBank = useFigure("/data/v1/summary", of, { ...close, by: "bank" }, options);
  const isOfAll = { enabled: enabled && client_ref === null };
  const byClient = useFigure("/data/v1/summary", of, { ...close, by: "client" }, isOfAll);
  const timeWeighted = useFigure("/data/v1/performance", of, { ...period, method: "twr", allow_gaps }, options);
  const moneyWeighted = useFigure("/data/v1/performance", of, { ...period, method: "mwr", allow_gaps }, options);
  // Its coverage is known even where amounts are refused.
  const covered = useFigure("/data/v1/list-history", of, { from: to, to, include_coverage: true }, options);
  const holdings = useFigure("/data/v1/holdings-at", of, close, options);
  const gains = useFigure("/data/v1/gains", of, close, options);
  const by = isLong(period) ? "year" : "month";
  const income = useFigure("/data/v1/income", of, { ...listed, ...period, by }, options);
  const kind: ("fee" | "tax")[] = ["fee", "tax"];
  const costs = useFigure("/data/v1/income", of, { ...listed, ...period, by: "kind", kind }, options);
  const portfolios = usePortfolioList(scope, options);
  const names = portfoliosById(portfolios.data?.items ?? []);
  const traced = names.size > MAX_TRACED ? [] : [...names.keys()];
  const origins = useAnswers(
    "/data/v1/why",
    traced.map((id) => ({ id, date: to })),
  );
  const connections = useAnswer(
    "/data/v1/search-connections",
    { page_size: MAX_ROWS, ...(client_ref !== null && { query: { client_ref_in: [client_ref] } }) },
    options,
  );
  const profile = useAnswer("/profile", {}, options);
  const figures = {
    ...{ opening, closing, covered, byCurrency, byBank, timeWeighted, moneyWeighted, holdings, gains, income, costs },
    ...{ portfolios, connections, profile, ...(client_ref === null && { byClient }) },
  };
  const all = [...Object.values(figures), ...origins] as readonly UseQueryResult<unknown, ApiProblem>[];
  return {
    ...figures,
    byClient,
    /** The portfolios by their ids. */
    names,
    /** What states the value of each portfolio at the close, by its id. */
    origins: new Map(traced.map((id, at) => [id, origins[at]?.data])),
    /** Something has not arrived. */
    isPending: all.some(({ isPending }) => isPending),
    /** What could not be read; what the server refuses is said in the report. */
    problem: all.find(({ error }) => error !== null && !isRefused(error))?.error ?? null,
    retry() {
      for (const each of all) if (each.isError && !isRefused(each.error)) void each.refetch();
    },
  };
}

export type ReportData = ReturnType<typeof useReport>;

/** Whether a figure is refused because it would be a guess, or because it needs one currency. */
function isRefused(problem: ApiProblem): boolean {
  return problem.code === "INSUFFICIENT_DATA" || needsCurrency(problem);
}

/** Whether amounts of several currencies cannot be added up without one that is chosen. */
export function needsCurrency({ code, details }: ApiProblem): boolean {
  return code === "VALIDATION_ERROR" && details.length > 0 && details.every(({ field }) => field === "currency");
}
