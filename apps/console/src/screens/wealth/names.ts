import { type AnswerOptions, useAnswer } from "../../api/answers.js";
import type { AnswerOf } from "../../api/paths.js";
import type { WealthOf } from "./asked.js";

/** What a portfolio is called, and where it is. */
export interface PortfolioFacts {
  readonly name: string;
  readonly bank: string;
  /** The bank's number of it. */
  readonly account: string | null;
  readonly connection_id: string;
}

/** The portfolios in question: the first 500. */
export function usePortfolioList(of: WealthOf, options?: AnswerOptions) {
  return useAnswer(
    "/data/v1/list-portfolios",
    { ...of, fields: ["id", "name", "bank", "refAccount"], include_source_token: true, page_size: 500 },
    options,
  );
}

/** {@link usePortfolioList} by their ids. */
export function usePortfolios(of: WealthOf): ReadonlyMap<string, PortfolioFacts> {
  return portfoliosById(usePortfolioList(of).data?.items ?? []);
}

export function portfoliosById(
  items: AnswerOf<"/data/v1/list-portfolios">["items"],
): ReadonlyMap<string, PortfolioFacts> {
  return new Map(
    items.map(({ id = "", name, bank = "", refAccount, credentials_token = "" }) => [
      id,
      { name: name ?? "", bank, account: refAccount ?? null, connection_id: credentials_token },
    ]),
  );
}
