import type { UseQueryResult } from "@tanstack/react-query";
import { useAnswer } from "../../api/answers.js";
import type { ApiProblem } from "../../api/api-problem.js";
import type { AnswerOf } from "../../api/paths.js";
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

/** A figure: its answer, or why the server refuses it. */
export type Figure<A> = Pick<UseQueryResult<A, ApiProblem>, "data" | "error">;

export type Performance = AnswerOf<"/data/v1/performance">;
export type Summary = AnswerOf<"/data/v1/summary">;

/** Reads everything that a report says. */
export function useReport({ client_ref, currency, stale_after, allow_gaps, ...period }: ReportOf, enabled: boolean) {
  const { from, to } = period;
  const scope = client_ref === null ? {} : { client_ref };
  const asked = { ...scope, stale_after, ...(currency !== null && { currency }) };
  const listed = { page_size: MAX_ROWS } as const;
  const options = { enabled };
  const summary = (date: string, by: "type" | "currency" | "bank" | "client") => ({ ...asked, ...listed, date, by });
  const opening = useAnswer("/data/v1/summary", summary(dayBefore(from), "type"), options);
  const closing = useAnswer("/data/v1/summary", summary(to, "type"), options);
  const byCurrency = useAnswer("/data/v1/summary", summary(to, "currency"), options);
  const byBank = useAnswer("/data/v1/summary", summary(to, "bank"), options);
  const byClient = useAnswer("/data/v1/summary", summary(to, "client"), {
    enabled: enabled && client_ref === null,
  });
  const timeWeighted = useAnswer("/data/v1/performance", { ...asked, ...period, method: "twr", allow_gaps }, options);
  const moneyWeighted = useAnswer("/data/v1/performance", { ...asked, ...period, method: "mwr", allow_gaps }, options);
  // Its coverage is known even where amounts are refused.
  const close = useAnswer("/data/v1/list-history", { ...asked, from: to, to, include_coverage: true }, options);
  const holdings = useAnswer("/data/v1/holdings-at", { ...asked, ...listed, date: to }, options);
  const gains = useAnswer("/data/v1/gains", { ...asked, ...listed, date: to }, options);
  const by = isLong(period) ? "year" : "month";
  const income = useAnswer("/data/v1/income", { ...asked, ...listed, ...period, by }, options);
  const kind = ["fee", "tax"] as const;
  const costs = useAnswer("/data/v1/income", { ...asked, ...listed, ...period, by: "kind", kind: [...kind] }, options);
  const portfolios = useAnswer(
    "/data/v1/list-portfolios",
    {
      ...scope,
      ...listed,
      include_source_token: true,
      fields: ["id", "name", "refAccount", "currency", "bank"],
    },
    options,
  );
  const connections = useAnswer(
    "/data/v1/search-connections",
    { page_size: MAX_ROWS, ...(client_ref !== null && { query: { client_ref_in: [client_ref] } }) },
    options,
  );
  const profile = useAnswer("/profile", {}, options);
  const figures = {
    ...{ opening, closing, close, byCurrency, byBank, timeWeighted, moneyWeighted, holdings, gains, income, costs },
    ...{ portfolios, connections, profile, ...(client_ref === null && { byClient }) },
  };
  const all = Object.values(figures) as readonly UseQueryResult<unknown, ApiProblem>[];
  return {
    ...figures,
    byClient,
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
