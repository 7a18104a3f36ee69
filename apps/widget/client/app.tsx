import { type ReactNode, useEffect, useRef } from "react";
import { messagesIn } from "../src/messages/languages.js";
import type { Messages } from "../src/messages/messages.js";
import type { StateAnswer } from "../src/widget-state.js";
import { ScreenContext } from "./screen.js";
import { BankChoice } from "./screens/bank-choice.js";
import { Challenge } from "./screens/challenge.js";
import { Credentials } from "./screens/credentials.js";
import { Landing } from "./screens/landing.js";
import { Notice } from "./screens/notice.js";
import { Outcome } from "./screens/outcome.js";
import { Processing } from "./screens/processing.js";
import type { SessionClient } from "./session-client.js";
import type { TypedSoFar } from "./typed-so-far.js";
import { useBackButton } from "./use-back-button.js";
import { type Session, useSession } from "./use-session.js";

/** Shows the screen that belongs to the state, and leads the keyboard and the screen reader to each new one. */
export function App({ client, first, typed }: { client: SessionClient; first: StateAnswer; typed: TypedSoFar }) {
  const [{ answer, step }, session] = useSession(client, first);
  const messages = messagesIn[answer.language];
  const { state, faults } = answer;
  const taken = useRef(false);

  useBackButton(state, session);
  useEffect(() => {
    document.documentElement.lang = answer.language;
  }, [answer.language]);
  useEffect(() => {
    // The page was here before: its reader is somewhere in it already.
    if (taken.current && step > 0) {
      document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    taken.current = true;
  }, [step]);

  return (
    <ScreenContext
      value={{ messages, language: answer.language, session, faults, client, typed: step === 0 ? typed : null }}
    >
      {session.unreachable && <Unreachable messages={messages} session={session} />}
      <div key={step} className="screen" aria-busy={session.busy}>
        {screenOf(answer)}
      </div>
    </ScreenContext>
  );
}

function screenOf({ state }: StateAnswer): ReactNode {
  switch (state.screen) {
    case "landing":
      return <Landing {...state} />;
    case "bank-choice":
      return <BankChoice />;
    case "credentials":
      return <Credentials {...state} />;
    case "processing":
      return <Processing />;
    case "challenge":
      return <Challenge {...state} />;
    case "outcome":
      return <Outcome {...state} />;
    case "notice":
      return <Notice {...state} />;
  }
}

function Unreachable({ messages, session }: { messages: Messages; session: Session }) {
  return (
    <div className="problem" role="alert">
      <p>{messages.unreachable}</p>
      <button type="button" onClick={session.look}>
        {messages.tryAgain}
      </button>
    </div>
  );
}
