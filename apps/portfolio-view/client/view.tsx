import { type ComponentType, useEffect, useRef, useSyncExternalStore } from "react";
import { languageOf, messagesIn } from "../src/messages/languages.js";
import type { Messages } from "../src/messages/messages.js";
import type { Paged } from "../src/reading.js";
import type { ShownTool } from "../src/shown-tools.js";
import type { HostContext } from "./host.js";
import type { ViewState, ViewStore } from "./view-state.js";

/** What the content of a view is drawn from. */
export interface ContentProps<A> {
  readonly answer: A;
  readonly isWhole: boolean;
  /** The arguments that the assistant gave. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly messages: Messages;
  readonly context: HostContext;
}

/** The whole view in its current state. */
export function View<A extends Paged>(props: {
  tool: ShownTool;
  store: ViewStore<A>;
  Content: ComponentType<ContentProps<A>>;
  context: HostContext;
  callsTools: boolean;
}) {
  const { tool, store, Content, context, callsTools } = props;
  const state = useSyncExternalStore(store.subscribe, store.state);
  const messages = messagesIn[languageOf(context.locale)];
  const { phase, answer, isWhole, args } = state;
  return (
    <>
      <h1>{messages.titles[tool]}</h1>
      {state.fault !== null && <Fault {...{ state, store, messages, callsTools }} />}
      {phase === "waiting" && <p role="status">{messages.waiting}</p>}
      {phase === "cancelled" && <p role="status">{messages.cancelled}</p>}
      {phase === "shown" && answer && (
        <>
          <Content {...{ answer, isWhole, args, messages, context }} />
          <More {...{ state, store, messages, callsTools }} />
        </>
      )}
    </>
  );
}

interface ActionProps {
  readonly state: ViewState<Paged>;
  readonly store: Pick<ViewStore<Paged>, "readMore" | "readAgain">;
  readonly messages: Messages;
  readonly callsTools: boolean;
}

/** Buttons for data not loaded yet. When they disappear, the focus moves to the rows instead of being lost. */
function More({ state, store, messages, callsTools }: ActionProps) {
  const { answer, isWhole, isLoading } = state;
  const hadFocus = useRef(false);
  const remain = !isWhole && answer !== null && answer.rows.length < answer.total;
  useEffect(() => {
    if (!remain && hadFocus.current) document.querySelector<HTMLElement>(".table")?.focus();
    hadFocus.current = false;
  }, [remain]);
  const read = (all: boolean) => () => {
    hadFocus.current = true;
    void store.readMore(all);
  };
  return (
    <div className="actions">
      {remain && callsTools && (
        <>
          <button type="button" aria-disabled={isLoading} onClick={read(false)}>
            {messages.loadMore}
          </button>
          <button type="button" aria-disabled={isLoading} onClick={read(true)}>
            {messages.loadAll}
          </button>
        </>
      )}
      {remain && !callsTools && <p>{messages.cannotLoad}</p>}
      <p role="status" className="quiet">
        {isLoading ? messages.loading : ""}
        {!isLoading && state.pagesRead > 1 && answer ? messages.rows(answer.rows.length, answer.total) : ""}
      </p>
    </div>
  );
}

function Fault({ state, store, messages, callsTools }: ActionProps) {
  return (
    <div className="problem" role="alert">
      <p>
        <strong>{messages.refused}</strong>
        <br />
        {state.fault || messages.noAnswer}
      </p>
      {callsTools && (
        <button type="button" onClick={() => void store.readAgain()}>
          {state.phase === "refused" ? messages.tryAgain : messages.fromStart}
        </button>
      )}
    </div>
  );
}
