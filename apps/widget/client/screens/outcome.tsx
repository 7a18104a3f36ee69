import { useEffect } from "react";
import { noticeOf, signOf } from "../../src/outcome-words.js";
import type { WidgetState } from "../../src/widget-state.js";
import { Heading, useScreen } from "../screen.js";

/** How it ended; the browser goes back by itself where there is an address to go back to. */
export function Outcome({ status, error_code, return_url }: Extract<WidgetState, { screen: "outcome" }>) {
  const { messages } = useScreen();
  const { title, text } = noticeOf(messages, { status, error_code });
  const sign = signOf(status);
  useEffect(() => {
    if (return_url !== null) location.replace(return_url);
  }, [return_url]);
  return (
    <>
      {sign && (
        <p className={`sign ${sign.kind}`} aria-hidden="true">
          {sign.character}
        </p>
      )}
      <Heading>{title}</Heading>
      <p className="lead" role="status">
        {text}
      </p>
      {return_url === null ? (
        <p>{messages.closePage}</p>
      ) : (
        <>
          <p>{messages.leadingBack}</p>
          <a className="more" href={return_url}>
            {messages.goBackNow}
          </a>
        </>
      )}
    </>
  );
}
