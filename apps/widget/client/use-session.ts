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
const lookAgainAfter = { processing: 1_000, approval: 3_000, unreachable: 3_000, otherwise: 30_000 };

/** Keeps the shown state at what the server says: after each form, when the page is seen again, and every now and then. */
export function useSession(client: SessionClient, first: StateAnswer): [StateAnswer, Session] {
  const [answer, setAnswer] = useState(first);
  const [busy, setBusy] = useState(false);
  const [unreachable, setUnreachable] = useState(false);
  const working = useRef(false);
  const csrfToken = useRef(first.csrf_token);
  // Answers that were asked for earlier must not undo later ones.
  const latest = useRef(0);

  const take = useCallback(async (question: () => Promise<StateAnswer>, keepsFaults: boolean) => {
    latest.current += 1;
    const turn = latest.current;
    try {
      const next = await question();
      if (turn !== latest.current) return;
      setUnreachable(false);
      if (next.csrf_token !== "") csrfToken.current = next.csrf_token;
      setAnswer((shown) => (keepsFaults && isSame(shown, next) ? shown : next));
    } catch {
      if (turn === latest.current) setUnreachable(true);
    }
  }, []);

  const look = useCallback(() => {
    if (!working.current) void take(() => client.state(), true);
  }, [client, take]);

  const send = useCallback(
    async (step: string, fields: Readonly<Record<string, string>> = {}) => {
      if (working.current) return;
      working.current = true;
      setBusy(true);
      await take(() => client.send(step, fields, csrfToken.current), false);
      working.current = false;
      setBusy(false);
    },
    [client, take],
  );

  const pause = unreachable ? lookAgainAfter.unreachable : pauseAfter(answer);
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
    addEventListener("online", look);
    return () => {
      document.removeEventListener("visibilitychange", seenAgain);
      removeEventListener("pageshow", shownFromCache);
      removeEventListener("online", look);
    };
  }, [look]);

  return [answer, { send: (step, fields) => void send(step, fields), busy, unreachable, look }];
}

function pauseAfter({ state }: StateAnswer): number | null {
  if (state.screen === "outcome" || state.screen === "notice") return null;
  if (state.screen === "processing") return lookAgainAfter.processing;
  const approves = state.screen === "challenge" && state.qr !== null;
  return approves ? lookAgainAfter.approval : lookAgainAfter.otherwise;
}

/** Faults belong to a form that was sent; looking again brings none and must not take them away. */
function isSame(shown: StateAnswer, next: StateAnswer): boolean {
  return JSON.stringify(shown.state) === JSON.stringify(next.state);
}
