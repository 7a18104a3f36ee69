import { type UseQueryResult, useQueries } from "@tanstack/react-query";
import { asked } from "./answers.js";
import type { ApiProblem } from "./api-problem.js";
import type { AnswerOf, BodyOf, Path } from "./paths.js";

/** The answers of a path to several bodies, in their order. Apart from `useAnswer`, since few screens need it. */
export function useAnswers<P extends Path>(
  path: P,
  bodies: readonly BodyOf<P>[],
): readonly UseQueryResult<AnswerOf<P>, ApiProblem>[] {
  return useQueries({ queries: bodies.map((body) => asked(path, body)) }) as readonly UseQueryResult<
    AnswerOf<P>,
    ApiProblem
  >[];
}
