import { usePerson } from "../../api/session.js";
import { useWords } from "../../language/language.js";
import type { RowOf } from "../../listing/list.js";
import { usePeople } from "../../listing/people.js";
import { Badge } from "../../parts/badge.js";
import { sessionWords } from "./words.js";

/** A session in a list. The console gets no links of sessions that exist. */
export type Session = Omit<RowOf<"/connect/v2/sessions/list-sessions">, "widget_url">;

/** How a session stands, as whoever handed out its link sees it. */
export const sessionStates = ["created", "opened", "finished", "failed", "expired", "ended"] as const;
type SessionState = (typeof sessionStates)[number];

const finished = {
  "Finished:OK": "finished",
  "Finished:Error": "failed",
  "Finished:Expired": "expired",
  "Finished:Aborted": "ended",
} as const;

const tones = {
  created: "neutral",
  opened: "warn",
  finished: "good",
  failed: "bad",
  expired: "neutral",
  ended: "neutral",
} as const;

export function stateOf({ status, opened_at }: Pick<Session, "status" | "opened_at">): SessionState {
  return (finished as Readonly<Record<string, SessionState>>)[status] ?? (opened_at === null ? "created" : "opened");
}

const open = [
  "Waiting:ProvideCredentials",
  "Processing:ProvideCredentials",
  "Waiting:Challenge",
  "Processing:Challenge",
] as const;

/** What to ask the server for sessions in one state; nothing for a state that there is not. */
export function queryOf(state: string | undefined) {
  if (state === "created" || state === "opened") return { status_in: [...open], is_opened: state === "opened" };
  const status = Object.entries(finished).find(([, its]) => its === state)?.[0] as keyof typeof finished | undefined;
  return status ? { status_in: [status] } : {};
}

/** The state of a session, and why it failed. */
export function SessionBadge({ session }: { readonly session: Session }) {
  const words = useWords(sessionWords);
  const state = stateOf(session);
  const why = state === "failed" || state === "ended" ? words.errors[session.error_code ?? "ended"] : null;
  return (
    <>
      <Badge tone={tones[state]}>{words.states[state]}</Badge>
      {why && <> {why}</>}
    </>
  );
}

const PERSON = "person:";

/** Names of those who make sessions: people by name as far as this person may see them, and kinds for others. */
export function useMakers(): (createdBy: string) => string {
  const words = useWords(sessionWords);
  const { audience, person_id, name } = usePerson();
  const people = usePeople({ ended: true });
  return (createdBy) => {
    const id = createdBy.startsWith(PERSON) ? createdBy.slice(PERSON.length) : undefined;
    if (id === undefined) return words.application;
    if (id === person_id) return name;
    const found = people.find((person) => person.person_id === id)?.name;
    return found ?? (audience === "operator" ? words.tenantsPerson : words.operator);
  };
}
