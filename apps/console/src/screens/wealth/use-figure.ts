import type { UseQueryResult } from "@tanstack/react-query";
import { type AnswerOptions, useAnswer } from "../../api/answers.js";
import type { ApiProblem } from "../../api/api-problem.js";
import type { AnswerOf, BodyOf } from "../../api/paths.js";
import type { WealthOf } from "./asked.js";

type FigurePath = `/data/v1/${"summary" | "list-history" | "holdings-at" | "performance" | "income" | "gains"}`;

/** What figures are of. */
export interface FiguresOf extends WealthOf {
  /** Null: each amount in its own. */
  readonly currency: string | null;
  /** How many days a value counts; left out: the server's default. */
  readonly stale_after?: number;
}

/** A figure of the Wealth page and of the report, with the body by which it is asked and saved. */
export function useFigure<P extends FigurePath>(
  path: P,
  { currency, ...of }: FiguresOf,
  asked: Omit<BodyOf<P>, keyof FiguresOf>,
  options?: AnswerOptions,
): UseQueryResult<AnswerOf<P>, ApiProblem> & { readonly body: BodyOf<P> } {
  const body = { ...of, ...asked, ...(currency !== null && { currency }) } as unknown as BodyOf<P>;
  return { ...useAnswer(path, body, options), body };
}

/** Those that are offered beside the currencies of the data. */
const usualCurrencies = ["CHF", "EUR", "GBP", "USD"];

/** The currencies that figures can be in. @param chosen offered in any case */
export function useCurrencies(of: WealthOf, chosen: string | null): readonly string[] {
  const { data } = useFigure("/data/v1/summary", { ...of, currency: null }, { by: "currency", page_size: 500 });
  const found = (data?.totals ?? []).map(({ currency }) => currency);
  return [...new Set([...usualCurrencies, ...found, ...(chosen === null ? [] : [chosen])])].sort();
}
