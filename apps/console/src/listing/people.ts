import { useQuery } from "@tanstack/react-query";
import { call } from "../api/call.js";
import type { AnswerOf, BodyOf } from "../api/paths.js";
import type { RowOf } from "./list.js";

const path = "/people/list";
type Asked = Pick<BodyOf<typeof path>, "ended">;
type Person = RowOf<typeof path>;

/** A bound, for the time that fetching them takes. */
const PAGES = 20;

/** The people of the installation or tenant, all pages of them; empty until they are there. */
export function usePeople(body: Asked, enabled = true): readonly Person[] {
  // The path comes first, so that a change of people fetches them again.
  const queryKey = [path, body, "all"];
  return useQuery({ queryKey, enabled, queryFn: ({ signal }) => allPeople(body, signal) }).data ?? [];
}

/** Fetches them page by page, the oldest 2,000. */
export async function allPeople(body: Asked, signal?: AbortSignal): Promise<readonly Person[]> {
  const people: Person[] = [];
  let page_token: string | null = null;
  for (let page = 0; page < PAGES; page += 1) {
    const answer: AnswerOf<typeof path> = await call(path, { ...body, page_size: 100, page_token }, signal);
    people.push(...answer.items);
    page_token = answer.next_page_token;
    if (page_token === null) break;
  }
  return people;
}
