import { useCallback, useEffect, useRef, useState } from "react";
import type { StateAnswer } from "../src/widget-state.js";
import type { SessionClient } from "./session-client.js";

/** The session as a screen sees it. */
export interface Session {
  /** Sends a form; one at a time, so that a double click counts once. */
  readonly send: (step: string, fields?: Readonly<Record<string, string>>) => void;
  /** A form is on its way. */
  readonly busy: boolean;
  /** The server could not be reached the last time. */
  readonly unreachable: boolean;
  /** Looks where the session stands now. */
  readonly look: () => void;
}

/** How soon to look again, in milliseconds: the bank may answer, a picture may change, time may run out, another tab may go on. */
const lookAgainAfter = { processing: 1_000, challenge: 3_000, unreachable: 3_000, otherwise: 30_000 };

/** What is shown, and how many steps led there: a new one begins with another screen, and with every form that was taken. */
export interface Shown {
  readonly answer: StateAnswer;
  readonly step: number;
}

/** Keeps the shown state at what the server says: after each form, when the page is seen again, and every now and then. */
export function useSession(client: SessionClient, first: StateAnswer): [Shown, Session] {
  const [shown, setShown] = useState<Shown>({ answer: first, step: 0 });
  const [busy, setBusy] = useState(false);
  const [unreachable, setUnreachable] = useState(false);
  const working = useRef(false);
  const looking = useRef(false);
  const csrfToken = useRef(first.csrf_token);
  // Answers that were asked for earlier must not undo later ones.
  const latest = useRef(0);

  const take = useCallback(async (question: () => Promise<StateAnswer>, isForm: boolean) => {
    latest.current += 1;
    const turn = latest.current;
    try {
      const next = await question();
      if (turn !== latest.current) return;
      setUnreachable(false);
      if (next.csrf_token !== "") csrfToken.current = next.csrf_token;
      setShown((before) => following(before, next, isForm));
    } catch {
      if (turn === latest.current) setUnreachable(true);
    }
  }, []);

  const look = useCallback(() => {
    // On a slow line the next look must not overtake this one again and again.
    if (working.current || looking.current) return;
    looking.current = true;
    void take(() => client.state(), false).finally(() => {
      looking.current = false;
    });
  }, [client, take]);

  const send = useCallback(
    async (step: string, fields: Readonly<Record<string, string>> = {}) => {
      if (working.current) return;
      working.current = true;
      setBusy(true);
      await take(() => client.send(step, fields, csrfToken.current), true);
      working.current = false;
      setBusy(false);
    },
    [client, take],
  );

  const pause = unreachable ? lookAgainAfter.unreachable : pauseAfter(shown.answer);
  useEffect(() => {
    if (pause === null) return;
    const timer = setInterval(() => document.visibilityState === "visible" && look(), pause);
    return () => clearInterval(timer);
  }, [pause, look]);

  useEffect(() => {
    const seenAgain = () => document.visibilityState === "visible" && look();
    const shownFromCache = (event: PageTransitionEvent) => event.persisted && look();
    document.addEventListener("visibilitychange", seenAgain);
    addEventListener("pageshow", shownFromCache);
    addEventListener("online", seenAgain);
    return () => {
      document.removeEventListener("visibilitychange", seenAgain);
      removeEventListener("pageshow", shownFromCache);
      removeEventListener("online", seenAgain);
    };
  }, [look]);

  return [shown, { send: (step, fields) => void send(step, fields), busy, unreachable, look }];
}

function pauseAfter({ state }: StateAnswer): number | null {
  if (state.screen === "outcome" || state.screen === "notice") return null;
  if (state.screen === "processing") return lookAgainAfter.processing;
  const changes = state.screen === "challenge" && state.follows_bank;
  return changes ? lookAgainAfter.challenge : lookAgainAfter.otherwise;
}

function following(shown: Shown, next: StateAnswer, isForm: boolean): Shown {
  const { answer, step } = shown;
  // Faults belong to a form that was sent; looking again brings none and must not take them away.
  if (!isForm && JSON.stringify(answer.state) === JSON.stringify(next.state)) return shown;
  const isNew = answer.state.screen !== next.state.screen || (isForm && next.faults.length === 0);
  return { answer: next, step: isNew ? step + 1 : step };
}
