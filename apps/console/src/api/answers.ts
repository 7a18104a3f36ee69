import {
  keepPreviousData,
  QueryClient,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
} from "@tanstack/react-query";
import type { ApiProblem } from "./api-problem.js";
import { call } from "./call.js";
import { onServerReturn } from "./connection.js";
import type { AnswerOf, BodyOf, Path } from "./paths.js";
import { withFreshProof } from "./proving.js";

/** What the server answered, for all of the page. Its keys are path and body. */
export const answers = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: "always",
      staleTime: 15_000,
      // One try: an interruption is seen to by the connection, which asks for everything again afterwards.
      retry: false,
    },
    mutations: { networkMode: "always", retry: false },
  },
});
onServerReturn(() => void answers.invalidateQueries());

/** How an answer is asked for. */
export interface AnswerOptions {
  /** False: not yet, such as while an id is not known. */
  readonly enabled?: boolean;
  /** Asks again so often while the page is looked at. */
  readonly everyMs?: number;
  /** Whether what was shown stays until the answer to another body is there. */
  readonly keepsPrevious?: boolean;
}

/** The answer of a path; asked again when it is old, and when something it is about changes. */
export function useAnswer<P extends Path>(
  path: P,
  body: BodyOf<P>,
  { enabled = true, everyMs, keepsPrevious = false }: AnswerOptions = {},
): UseQueryResult<AnswerOf<P>, ApiProblem> {
  return useQuery<AnswerOf<P>, ApiProblem>({
    queryKey: [path, body],
    queryFn: ({ signal }) => call(path, body, signal),
    enabled,
    ...(everyMs !== undefined && { refetchInterval: everyMs }),
    ...(keepsPrevious && { placeholderData: keepPreviousData }),
  });
}

/** What happens around a change. */
export interface ChangeOptions<P extends Path> {
  /** Beginnings of paths whose answers it changes, besides those beside its own. */
  readonly changes?: readonly string[];
  readonly onDone?: (answer: AnswerOf<P>, body: BodyOf<P>) => void;
}

/**
 * A change. Where the server asks who one is, so does the page, and the change is made then. Answers of the paths beside it
 * (`/operator/v1/letters/…`) are asked for again.
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
    // What somebody else made of it is shown before the person goes on.
    onError: (problem) => (problem.code === "CONFLICT" ? forget([beside]) : undefined),
  });
}

/** Asks again for what is shown of paths that begin so. */
export function forget(beginnings: readonly string[]): Promise<void> {
  return answers.invalidateQueries({
    predicate: ({ queryKey: [path] }) => beginnings.some((beginning) => String(path).startsWith(beginning)),
  });
}
