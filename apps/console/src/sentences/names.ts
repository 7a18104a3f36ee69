import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { ApiProblem } from "../api/api-problem.js";
import { call } from "../api/call.js";
import type { AnswerOf, BodyOf } from "../api/paths.js";

type Thing = BodyOf<"/names">["things"][number];

/** What an id is called. */
export type Name = AnswerOf<"/names">["items"][number];

/** As many as the server answers at once. */
const MAX_BATCH = 200;
const FRESH_MS = 60_000;

interface Waiting {
  readonly thing: Thing;
  readonly resolve: (name: Name | null) => void;
  readonly reject: (reason: unknown) => void;
}

let waiting: Waiting[] = [];

/** The name of an id, looked up together with all others that are drawn at the same time. `data` is null if it is gone. */
export function useName(thing: Thing | null): UseQueryResult<Name | null, ApiProblem> {
  return useQuery<Name | null, ApiProblem>({
    queryKey: ["/names", thing?.tenant_id ?? null, thing?.kind ?? null, thing?.id ?? null],
    queryFn: () => lookUp(thing as Thing),
    enabled: thing !== null,
    staleTime: FRESH_MS,
  });
}

function lookUp(thing: Thing): Promise<Name | null> {
  return new Promise((resolve, reject) => {
    if (waiting.length === 0) setTimeout(lookUpAll, 0);
    waiting.push({ thing, resolve, reject });
  });
}

function lookUpAll(): void {
  const all = waiting;
  waiting = [];
  for (let begin = 0; begin < all.length; begin += MAX_BATCH) void lookUpBatch(all.slice(begin, begin + MAX_BATCH));
}

async function lookUpBatch(batch: readonly Waiting[]): Promise<void> {
  try {
    const { items } = await call("/names", { things: batch.map(({ thing }) => thing) });
    const keyOf = ({ id, kind }: Thing | Name) => `${kind === "provider"} ${id}`;
    const names = new Map(items.map((item) => [keyOf(item), item]));
    for (const { thing, resolve } of batch) resolve(names.get(keyOf(thing)) ?? null);
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}
