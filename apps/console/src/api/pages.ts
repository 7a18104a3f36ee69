import { skipToken, type UseQueryResult, useQueries, useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef } from "react";
import { type AnswerOptions, answers } from "./answers.js";
import type { ApiProblem } from "./api-problem.js";
import { call } from "./call.js";
import {
  type Chain,
  chainStart,
  EMPTY_CHAIN,
  lastPlace,
  nextPage,
  pageRequestAt,
  placesIn,
  rowsOf,
  type View,
  withAnswer,
  withNext,
  withPage,
} from "./page-chain.js";
import type { AnswerOf, BodyOf, Path } from "./paths.js";

/** What a table needs from a paged list. */
export interface TableOf<R> {
  /** The rows in memory. */
  readonly rows: readonly R[];
  /** The number of rows known so far. */
  readonly count: number;
  /** The row at an index; undefined while it is not in memory. */
  readonly rowAt: (index: number) => R | undefined;
  /** The total, if the server counts the rows. */
  readonly total: number | null;
  /** Whether more rows follow the known ones. */
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  /** The last fetch failed; only the user can retry. */
  readonly hasFailed: boolean;
  readonly onMore: () => void;
  /** Reports the visible rows: only their pages are kept, and refetched after changes. */
  readonly onView: (first: number, last: number) => void;
}

/** A list read page by page, with numbers or tokens. */
export interface Pages<P extends Path> {
  readonly table: TableOf<RowOf<P>>;
  /** The newest of the visible pages; it has the facts about the whole list besides its rows. */
  readonly page: AnswerOf<P> | undefined;
  /** Nothing has arrived yet. */
  readonly isPending: boolean;
  readonly error: ApiProblem | null;
  /** Refetches what failed. */
  readonly retry: () => void;
}

type RowOf<P extends Path> = AnswerOf<P> extends { items: readonly (infer R)[] } ? R : never;

/** Used until the table reports its visible rows: the most that fits on a screen. */
const FIRST_VIEW: View = { first: 0, last: 60 };
const WHOLE: View = { first: 0, last: Number.POSITIVE_INFINITY };
/** Rows fetched on either side of the visible ones. Together with a screenful they are fewer than a page. */
const AHEAD = 20;
/** After a long scroll, rows are fetched only once it has stopped for this long. */
const STANDING_MS = 120;
/** Pages kept on either side of the visible rows. */
const KEPT_PAGES = 10;
/** How long the chain of a list is kept for a user who comes back. */
const CHAIN_MS = 30 * 60_000;

/**
 * A list of which only the visible pages are kept: each is a query of its own, refetched when it is stale or its subject changes. The chain of pages
 * is stored separately, for users who come back. Numbered pages allow jumping anywhere. @param options.isWhole keeps all pages, for lists that are
 * searched in the browser
 */
export function usePages<P extends Path>(
  path: P,
  body: BodyOf<P>,
  { enabled = true, isWhole = false }: Pick<AnswerOptions, "enabled"> & { readonly isWhole?: boolean } = {},
): Pages<P> {
  const chainKey = [path, body, "chain"];
  const list = JSON.stringify(chainKey);
  const { data: stored = EMPTY_CHAIN } = useQuery<Chain>({ queryKey: chainKey, queryFn: skipToken, gcTime: CHAIN_MS });
  const change = (by: (chain: Chain) => Chain) =>
    answers.setQueryData<Chain>(chainKey, (before) => by(before ?? EMPTY_CHAIN));
  const places = placesIn(stored, isWhole ? WHOLE : (stored.view ?? FIRST_VIEW));
  const asked = places.map((at) => pageRequestAt(stored, at));
  const keyOf = (page: object) => [path, body, "page", page];
  const ask = (more: object, signal: AbortSignal) => call(path, { ...(body as object), ...more } as BodyOf<P>, signal);
  const results = useQueries({
    queries: places.map((at, index) => {
      const page = asked[index] ?? null;
      if (page !== null)
        return {
          queryKey: keyOf(page),
          enabled,
          retryOnMount: false,
          queryFn: ({ signal }: { signal: AbortSignal }) => ask(page, signal),
        };
      // The row before it determines the request.
      const before = at * (stored.numbered?.pageSize ?? 1);
      return {
        queryKey: [path, body, "behind", before],
        enabled,
        retryOnMount: false,
        gcTime: 0,
        queryFn: ({ signal }: { signal: AbortSignal }) => ask({ page: before, page_size: 1 }, signal),
      };
    }),
  }) as UseQueryResult<AnswerOf<P>, ApiProblem>[];
  /** Adds the answers to the chain, which may have grown meanwhile. */
  const learn = (chain: Chain) =>
    places.reduce((known, at, index) => {
      const { data, dataUpdatedAt } = results[index] as UseQueryResult<AnswerOf<P>>;
      const page = asked[index];
      if (page) return data ? withAnswer(withPage(known, at, page), at, page, data, dataUpdatedAt) : known;
      return data ? withPage(known, at, nextPage(data) ?? { page: at + 1 }) : known;
    }, chain);
  const chain = learn(stored);
  useEffect(() => {
    if (chain !== stored) change(learn);
  }, [list, chain, stored]);

  const from = Math.max((places[0] ?? 0) - KEPT_PAGES, 0);
  const until = Math.min((places.at(-1) ?? 0) + KEPT_PAGES, lastPlace(chain)) + 1;
  const held: HeldPage[] = [];
  for (let at = from; at < until; at += 1) {
    const page = chain.pages[at];
    const state = page && answers.getQueryState<AnswerOf<P>>(keyOf(page.asked));
    if (state?.data)
      held.push({ begin: chainStart(chain, at), page: state.data, news: `${at} ${state.dataUpdatedAt}` });
  }
  const news = held.map((page) => page.news).join();
  const { rows, rowAt } = useMemo(() => rowsIn<RowOf<P>>(held), [list, news]);
  useForgotten(list, from, until, (at) => {
    const link = stored.pages[at];
    if (link) answers.removeQueries({ queryKey: keyOf(link.asked), exact: true, type: "inactive" });
  });

  const standing = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(standing.current), [list]);
  const onView = useCallback(
    (first: number, last: number) => {
      clearTimeout(standing.current);
      const known = answers.getQueryData<Chain>(chainKey) ?? EMPTY_CHAIN;
      const view = { first: Math.max(first - AHEAD, 0), last: last + AHEAD };
      const wanted = placesIn(known, view);
      if (`${placesIn(known, known.view ?? FIRST_VIEW)}` === `${wanted}`) return;
      const look = () => change((before) => ({ ...before, view }));
      if (wanted.every((at) => pageRequestAt(known, at) !== null)) look();
      else standing.current = setTimeout(look, STANDING_MS);
    },
    [list],
  );
  const last = results.at(-1);
  const newest = results.reduce((one, other) => (other.dataUpdatedAt > one.dataUpdatedAt ? other : one));
  const end = chain.pages[lastPlace(chain)];
  const isGrowing = chain.numbered === null && end?.next === undefined;
  return {
    table: {
      rows,
      rowAt,
      onView,
      count: rowsOf(chain),
      total: chain.numbered?.total ?? (newest.data as { total?: number } | undefined)?.total ?? null,
      hasMore: chain.numbered === null && (isGrowing || end?.next !== null),
      isLoadingMore: isGrowing && last?.isFetching === true,
      hasFailed: results.some(({ isError }) => isError),
      onMore() {
        if (!isGrowing) change((before) => withNext(learn(before)));
        else if (last?.isError) void last.refetch();
      },
    },
    page: newest.data,
    isPending: chain.pages[0]?.rows === null,
    error: results.find(({ error }) => error !== null)?.error ?? null,
    retry() {
      for (const result of results) if (result.isError) void result.refetch();
    },
  };
}

/** A fetched page and the index of its first row. */
interface HeldPage {
  readonly begin: number;
  readonly page: unknown;
  /** Changes with every fetch. */
  readonly news: string;
}

function rowsIn<R>(held: readonly HeldPage[]) {
  const pages = held.map(({ begin, page }) => ({ begin, items: (page as { items?: readonly R[] }).items ?? [] }));
  return {
    rows: pages.flatMap(({ items }) => items),
    rowAt(index: number): R | undefined {
      const page = pages.findLast(({ begin }) => begin <= index);
      return page?.items[index - page.begin];
    },
  };
}

/** Drops pages that are no longer near the visible rows. */
function useForgotten(list: string, from: number, until: number, forget: (at: number) => void): void {
  const held = useRef({ list, from, until });
  useEffect(() => {
    const before = held.current;
    held.current = { list, from, until };
    if (before.list !== list) return;
    for (let at = before.from; at < before.until; at += 1) if (at < from || at >= until) forget(at);
  }, [list, from, until]);
}
