import { noticeOfKind } from "../../src/notice-kinds.js";
import type { WidgetState } from "../../src/widget-state.js";
import { Heading, useScreen } from "../screen.js";

/** Says what is the matter and how to go on. */
export function Notice({ notice, trace_id }: Extract<WidgetState, { screen: "notice" }>) {
  const { messages, session } = useScreen();
  const { words, leadsBack } = noticeOfKind(notice);
  const { title, text } = messages[words];
  return (
    <>
      <Heading>{title}</Heading>
      <p className="lead">{text}</p>
      {trace_id !== undefined && <p className="quiet">{messages.reference(trace_id)}</p>}
      {leadsBack && (
        <button type="button" onClick={session.look}>
          {messages.backToPage}
        </button>
      )}
    </>
  );
}
