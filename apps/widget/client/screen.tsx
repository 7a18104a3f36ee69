import type { SessionLanguage } from "@org/core";
import { createContext, type FormEvent, type ReactNode, useContext, useEffect, useRef } from "react";
import { inWords } from "../src/fault-words.js";
import type { FormFault } from "../src/form-faults.js";
import type { Messages } from "../src/messages/messages.js";
import type { Refusal } from "../src/widget-state.js";
import type { SessionClient } from "./session-client.js";
import type { TypedSoFar } from "./typed-so-far.js";
import type { Session } from "./use-session.js";

/** What every screen is drawn from. */
export interface ScreenRuntime {
  readonly messages: Messages;
  readonly language: SessionLanguage;
  readonly session: Session;
  readonly client: SessionClient;
  readonly faults: readonly FormFault[];
  /** What was typed before the client took over; null on later steps. */
  readonly typed: TypedSoFar | null;
}

/** The runtime, given by `App`. */
export const ScreenContext = createContext<ScreenRuntime | null>(null);

/** The runtime of this screen. */
export function useScreen(): ScreenRuntime {
  const runtime = useContext(ScreenContext);
  if (!runtime) throw new Error("a screen outside of the app");
  return runtime;
}

/** The heading of a step, which the focus moves to; it is the page's title too. */
export function Heading({ children, failed = false }: { children: string; failed?: boolean }) {
  const { messages } = useScreen();
  useEffect(() => {
    const product = document.title.slice(document.title.lastIndexOf(" – "));
    document.title = `${failed ? `${messages.errorPrefix}: ` : ""}${children}${product}`;
  }, [children, failed, messages]);
  return <h1 tabIndex={-1}>{children}</h1>;
}

/** A form that moves the session on. */
export function StepForm({ step, children }: { step: string; children: ReactNode }) {
  const { session } = useScreen();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const submitter = (event.nativeEvent as SubmitEvent).submitter;
    const fields = new FormData(event.currentTarget, submitter);
    session.send(step, Object.fromEntries([...fields].map(([name, value]) => [name, String(value)])));
  };
  return <form onSubmit={submit}>{children}</form>;
}

/** The main button of a step. It keeps the focus while its form is on its way. */
export function MainButton() {
  const { messages, session } = useScreen();
  return (
    <button className="first" type="submit" aria-disabled={session.busy}>
      {messages.continue}
    </button>
  );
}

/** The way out, on every step of an open session. */
export function CancelButton() {
  const { messages, session } = useScreen();
  return (
    <button className="whole" type="button" onClick={() => session.send("cancel")}>
      {messages.cancel}
    </button>
  );
}

/** What is wrong with the form that was sent, or why the bank refused it; read out at once, each fault a way to its field. */
export function Problems({ refused = null, rejected = "" }: { refused?: Refusal | null; rejected?: string }) {
  const { messages, faults } = useScreen();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (faults.length > 0) box.current?.focus();
  }, [faults]);

  const refusal = refused && { field: null, message: `${rejected} ${messages.attemptsLeft(refused.attempts_left)}` };
  const problems = faults.length > 0 ? inWords(messages, faults) : refusal ? [refusal] : [];
  if (problems.length === 0) return null;
  return (
    <div className="problem" role="alert" ref={box} tabIndex={-1}>
      <h2>{messages.errorHeading}</h2>
      <ul>
        {problems.map(({ field, message }) => (
          <li key={message}>{field === null ? message : <a href={`#${field}`}>{message}</a>}</li>
        ))}
      </ul>
    </div>
  );
}
