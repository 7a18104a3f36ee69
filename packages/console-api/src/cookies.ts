import type { IncomingMessage, ServerResponse } from "node:http";
import { createPageCookies } from "@org/pages";
import { CEREMONY_COOKIE, CEREMONY_MS, SESSION_COOKIE } from "@org/people";

/** Holds a person's session. */
const PERSON_COOKIE = "wc-person";

/** Ceremonies that a cookie tracks from the question to the browser's answer. Each kind has its own cookie, so that one does not end another. */
export type Ceremony = "join" | "sign-in" | "confirm" | "add-passkey" | "provider";

/** The cookies of the console. */
export function createConsoleCookies(publicUrl: string) {
  const sessions = createPageCookies(publicUrl, SESSION_COOKIE);
  const ceremonies = createPageCookies(publicUrl, CEREMONY_COOKIE);
  const nameOf = (kind: Ceremony) => `wc-${kind}`;
  const send = (response: ServerResponse, cookie: string) => void response.appendHeader("Set-Cookie", cookie);
  return {
    /** Undefined when there is no cookie, or one that this server did not write. */
    session: (request: IncomingMessage) => sessions.read(request, PERSON_COOKIE),
    setSession: (response: ServerResponse, value: string, end: Date) =>
      send(response, sessions.set(PERSON_COOKIE, value, end)),
    clearSession: (response: ServerResponse) => send(response, sessions.clear(PERSON_COOKIE)),
    /** Same, as a value of `Set-Cookie`, for pages outside the console. */
    clearedSession: () => sessions.clear(PERSON_COOKIE),
    ceremony: (request: IncomingMessage, kind: Ceremony) => ceremonies.read(request, nameOf(kind)),
    setCeremony: (response: ServerResponse, kind: Ceremony, value: string, lifeMs = CEREMONY_MS) =>
      send(response, ceremonies.set(nameOf(kind), value, lifeMs / 1000)),
    clearCeremony: (response: ServerResponse, kind: Ceremony) => send(response, ceremonies.clear(nameOf(kind))),
  };
}

export type ConsoleCookies = ReturnType<typeof createConsoleCookies>;
