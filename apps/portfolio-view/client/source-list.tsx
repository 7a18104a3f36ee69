import type { Messages } from "../src/messages/messages.js";
import type { Paged } from "../src/reading.js";
import type { HostContext } from "./host.js";
import { momentIn } from "./host-context.js";

/** Bank connections: how current their data are, as of when, why they are not up to date, and how many more there are. */
export function SourceList(props: { answer: Paged; messages: Messages; context: HostContext }) {
  const { answer, messages, context } = props;
  const { sources, connections, upToDate } = answer;
  const moreUpToDate = upToDate - sources.filter(({ state }) => state === "ok").length;
  const moreOthers = connections - sources.length - moreUpToDate;
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
        {moreOthers > 0 && <li className="quiet">{messages.moreNotUpToDate(moreOthers)}</li>}
        {moreUpToDate > 0 && <li className="quiet">{messages.moreUpToDate(moreUpToDate)}</li>}
      </ul>
    </section>
  );
}
