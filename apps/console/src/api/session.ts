import { allows, type Power } from "@org/people/roles";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import { accessEnded, accessHeld } from "./access.js";
import { answers } from "./answers.js";
import type { ApiProblem } from "./api-problem.js";
import { call } from "./call.js";
import type { SessionAnswer, SignedInPerson } from "./paths.js";
import { isStillTheirs } from "./personal.js";

/** Who uses the console: the installation's operators, or people of one tenant. */
export type Audience = "operator" | "tenant";

export function audienceOf({ tenant_id }: Pick<SignedInPerson, "tenant_id">): Audience {
  return tenant_id === null ? "operator" : "tenant";
}

const KEY = ["/session", {}];

/** The session of this browser. */
export function useSession(): UseQueryResult<SessionAnswer, ApiProblem> {
  return useQuery<SessionAnswer, ApiProblem>({ queryKey: KEY, queryFn: readSession, staleTime: 60_000 });
}

/** Refetches the session after signing in, joining or re-authenticating. */
export function renewSession(): Promise<SessionAnswer> {
  return answers.fetchQuery<SessionAnswer, ApiProblem>({ queryKey: KEY, queryFn: readSession, staleTime: 0 });
}

let known: string | null = null;
let tenant: string | null = null;

/** The tenant of the last person at this page, since a tenant may have its own identity provider. Null = operators, or unknown. */
export function tenantAtPage(): string | null {
  return tenant;
}

async function readSession(): Promise<SessionAnswer> {
  const session = await call("/session", tenant === null ? {} : { tenant_id: tenant });
  const person = session.person?.person_id ?? null;
  if (session.person !== null) tenant = session.person.tenant_id;
  if (person === null) {
    if (known !== null) accessEnded();
    return session;
  }
  // Another person signed in: nothing of the previous one may stay on screen.
  if (!isStillTheirs(person) || (known !== null && known !== person)) {
    location.reload();
    return new Promise(() => {});
  }
  known = person;
  accessHeld(session.csrf_token);
  return session;
}

/** The person at this page. Inside the shell there always is one. */
export const PersonContext = createContext<SignedInPerson | null>(null);

/** The person who is signed in, and what they may do. For display only; the server enforces it. */
export function usePerson(): SignedInPerson & { readonly audience: Audience; may(power: Power): boolean } {
  const person = useContext(PersonContext);
  if (person === null) throw new Error("nobody is signed in here");
  return { ...person, audience: audienceOf(person), may: (power) => allows(person.role, power) };
}
