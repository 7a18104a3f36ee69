import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ApiProblem } from "../../api/api-problem.js";
import { call } from "../../api/call.js";
import type { AnswerOf } from "../../api/paths.js";
import { usePerson } from "../../api/session.js";

/** A connector as filters see it. */
export type CatalogueConnector = AnswerOf<"/connect/v2/connectors/list-connectors">["items"][number];

const PAGE = 500;
/** The most pages fetched concurrently. */
const MAX_CONCURRENT = 4;
const FRESH_MS = 5 * 60_000;

/**
 * The whole catalogue: for a tenant's people what is available to the tenant, for operators what is available to any. Loaded once and cached for a
 * while.
 */
export function useCatalogue() {
  const { audience } = usePerson();
  const [known, setKnown] = useState(0);
  const { data, error, refetch } = useQuery<readonly CatalogueConnector[], ApiProblem>({
    queryKey: ["/catalogue", audience],
    queryFn: ({ signal }) =>
      audience === "tenant"
        ? call("/letters/v1/list-connectors", {}, signal).then(({ items }) => items)
        : everyPage(signal, setKnown),
    staleTime: FRESH_MS,
  });
  return { connectors: data ?? null, known, error, refetch };
}

async function everyPage(
  signal: AbortSignal,
  onKnown: (known: number) => void,
): Promise<readonly CatalogueConnector[]> {
  const pageAt = (page: number) => call("/operator/v1/connectors/list", { page, page_size: PAGE }, signal);
  const first = await pageAt(1);
  const rows: CatalogueConnector[] = [...first.items];
  for (let page = 2; page <= first.pages; page += MAX_CONCURRENT) {
    onKnown(rows.length);
    const numbers = Array.from(
      { length: Math.min(MAX_CONCURRENT, first.pages - page + 1) },
      (_, index) => page + index,
    );
    for (const { items } of await Promise.all(numbers.map(pageAt))) rows.push(...items);
  }
  return rows;
}
