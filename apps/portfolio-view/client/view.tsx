import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { type Row, type ShownTool, singleSource } from "../src/answer.js";
import { languageOf, messagesIn } from "../src/messages/languages.js";
import type { Messages } from "../src/messages/messages.js";
import { AllocationSection } from "./allocation-section.js";
import type { HostContext } from "./host.js";
import { RowTable } from "./row-table.js";
import { SourceList } from "./source-list.js";
import type { ViewState, ViewStore } from "./view-state.js";

/** The whole view in its current state. */
export function View(props: { tool: ShownTool; store: ViewStore; context: HostContext; callsTools: boolean }) {
  const { tool, store, context, callsTools } = props;
  const state = useSyncExternalStore(store.subscribe, store.state);
  const messages = messagesIn[languageOf(context.locale)];
  const title = tool === "svc-portfolios" ? messages.portfolios : messages.investments;
  return (
    <>
      <h1>{title}</h1>
      {state.fault !== null && <Fault {...{ state, store, messages, callsTools }} />}
      {state.phase === "waiting" && <p role="status">{messages.waiting}</p>}
      {state.phase === "cancelled" && <p role="status">{messages.cancelled}</p>}
      {state.phase === "shown" && <Shown {...{ tool, state, store, messages, context, callsTools, title }} />}
    </>
  );
}

function Shown(props: {
  tool: ShownTool;
  state: ViewState;
  store: ViewStore;
  messages: Messages;
  context: HostContext;
  callsTools: boolean;
  title: string;
}) {
  const { tool, state, messages, context, title } = props;
  const { answer, isWhole } = state;
  const sourceOf = useMemo(() => {
    const byToken = new Map((answer?.sources ?? []).map((source) => [source.credentials_token, source]));
    // Rows of a single connection need no bank name.
    const only = answer ? singleSource(answer) : undefined;
    return ({ credentials_token }: Row) => only ?? byToken.get(credentials_token ?? "");
  }, [answer]);
  const bankOf = useCallback((row: Row) => sourceOf(row)?.bank ?? null, [sourceOf]);
  if (!answer) return null;
  return (
    <>
      <SourceList answer={answer} messages={messages} context={context} />
      <AllocationSection {...{ answer, isWhole, messages, bankOf }} />
      <h2>{messages.rows(answer.rows.length, answer.total)}</h2>
      {answer.total === 0 && <p>{messages.nothing}</p>}
      {answer.rows.length > 0 && <RowTable {...{ tool, rows: answer.rows, title, messages, sourceOf }} />}
      <More {...props} />
    </>
  );
}

/** Buttons for data not loaded yet. When they disappear, the focus moves to the rows instead of being lost. */
function More({ state, store, messages, callsTools }: Parameters<typeof Shown>[0]) {
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

function Fault(props: { state: ViewState; store: ViewStore; messages: Messages; callsTools: boolean }) {
  const { state, store, messages, callsTools } = props;
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
