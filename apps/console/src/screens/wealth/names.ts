import { useAnswer } from "../../api/answers.js";
import type { WealthOf } from "./asked.js";

/** What a portfolio is called, and where it is. */
export interface PortfolioFacts {
  readonly name: string;
  readonly bank: string;
  readonly connection_id: string;
}

/** The portfolios in question by id: the first 500. */
export function usePortfolios(of: WealthOf): ReadonlyMap<string, PortfolioFacts> {
  const { data } = useAnswer("/data/v1/list-portfolios", {
    ...of,
    fields: ["id", "name", "bank"],
    include_source_token: true,
    page_size: 500,
  });
  return new Map(
    (data?.items ?? []).map(({ id = "", name = "", bank = "", credentials_token = "" }) => [
      id,
      { name, bank, connection_id: credentials_token },
    ]),
  );
}
