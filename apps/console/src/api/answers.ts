import {
  keepPreviousData,
  QueryClient,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
} from "@tanstack/react-query";
import { ApiProblem } from "./api-problem.js";
import { call } from "./call.js";
import { onServerReturn } from "./connection.js";
import type { AnswerOf, BodyOf, Path } from "./paths.js";
import { withFreshProof } from "./proving.js";

/** The page's query cache; its keys are path and body. */
export const answers = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: "always",
      staleTime: 15_000,
      // No retries: `connection` handles outages and refetches everything afterwards. A read that the server was too busy for says so, and is made
      // again at the time that the server named, while the page is visible. Changes are never made again by themselves.
      retry: false,
      refetchInterval: ({ state }) => retryMsOf(state.error),
    },
    mutations: { networkMode: "always", retry: false },
  },
});
onServerReturn(() => void answers.invalidateQueries());

/** A longer time is left to the user. */
const MAX_RETRY_SECONDS = 300;

/** When a read that was refused is made again; false = not by itself. */
export function retryMsOf(problem: unknown): number | false {
  const seconds = problem instanceof ApiProblem && !problem.isUnavailable ? problem.retryAfterSeconds : null;
  return seconds !== null && seconds <= MAX_RETRY_SECONDS && seconds * 1_000;
}

/** Options of {@link useAnswer}. */
export interface AnswerOptions {
  /** False: do not fetch yet, for example while an id is unknown. */
  readonly enabled?: boolean;
  /** Polling interval while the page is visible. */
  readonly everyMs?: number;
  /** Whether the previous answer stays visible until the answer to a new body arrives. */
  readonly keepsPrevious?: boolean;
}

/** The answer of a path; refetched when it is stale and when its subject changes. */
export function useAnswer<P extends Path>(
  path: P,
  body: BodyOf<P>,
  { enabled = true, everyMs, keepsPrevious = false }: AnswerOptions = {},
): UseQueryResult<AnswerOf<P>, ApiProblem> {
  return useQuery<AnswerOf<P>, ApiProblem>({
    ...asked(path, body),
    enabled,
    ...(everyMs !== undefined && { refetchInterval: ({ state }) => retryMsOf(state.error) || everyMs }),
    ...(keepsPrevious && { placeholderData: keepPreviousData }),
  });
}

/** A question as the query library takes it. */
export function asked<P extends Path>(path: P, body: BodyOf<P>) {
  return {
    queryKey: [path, body],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) => call(path, body, signal),
  };
}

/** Options of {@link useChange}. */
export interface ChangeOptions<P extends Path> {
  /** Prefixes of further paths whose answers the change affects; sibling paths are always refetched. */
  readonly changes?: readonly string[];
  readonly onDone?: (answer: AnswerOf<P>, body: BodyOf<P>) => void;
}

/**
 * Makes a change. If the server asks for fresh proof of identity, the page asks the user first and then repeats the change. Answers of sibling
 * paths (`/operator/v1/letters/…`) are refetched.
 */
export function useChange<P extends Path>(
  path: P,
  { changes = [], onDone }: ChangeOptions<P> = {},
): UseMutationResult<AnswerOf<P>, ApiProblem, BodyOf<P>> {
  const beside = path.slice(0, path.lastIndexOf("/") + 1);
  return useMutation<AnswerOf<P>, ApiProblem, BodyOf<P>>({
    mutationFn: (body) => withFreshProof(() => call(path, body)),
    async onSuccess(answer, body) {
      onDone?.(answer, body);
      await forget([beside, ...changes]);
    },
    // After a conflict the page shows the other person's change first.
    onError: (problem) => (problem.code === "CONFLICT" ? forget([beside]) : undefined),
  });
}

/** Refetches the answers on screen whose paths have one of these prefixes. */
export function forget(beginnings: readonly string[]): Promise<void> {
  return answers.invalidateQueries({
    predicate: ({ queryKey: [path] }) => beginnings.some((beginning) => String(path).startsWith(beginning)),
  });
}
