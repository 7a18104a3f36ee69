import type { Source } from "../src/answer.js";
import type { Messages } from "../src/messages/messages.js";
import type { HostContext } from "./host.js";
import { momentIn } from "./host-context.js";

/** Each bank connection: how far its data can be trusted, as of when, and why it is not up to date. */
export function SourceList(props: { sources: readonly Source[]; messages: Messages; context: HostContext }) {
  const { sources, messages, context } = props;
  return (
    <section aria-labelledby="sources">
      <h2 id="sources">{messages.sources}</h2>
      <ul className="sources">
        {sources.map(({ credentials_token, bank, state, as_of, message }) => (
          <li key={credentials_token}>
            <strong>{bank}</strong>
            <span className={`badge ${state}`}>{messages.states[state]}</span>
            {as_of !== null && <span className="quiet">{messages.asOf(momentIn(context, as_of))}</span>}
            {message !== null && <span className="reason">{message}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
