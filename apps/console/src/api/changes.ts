import { accessEnded } from "./access.js";
import { answers } from "./answers.js";
import { renewSession } from "./session.js";

/** An entry of the event log. */
interface Change {
  /** Such as `letter.moved`. */
  readonly type: string;
  readonly object: Readonly<Record<string, unknown>>;
  readonly tenant_id: string | null;
}

const RETRY_DELAY_MS = 3_000;
/** Changes within this window share one refetch. */
const TOGETHER_MS = 500;

/**
 * Follows the event log on one connection per tab and refetches whatever changed. The browser resumes after the last event that it received.
 * @returns a function that stops it
 */
export function followChanges(): () => void {
  let source: EventSource | null = null;
  let again: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  connect();
  return () => {
    isOver = true;
    clearTimeout(again);
    source?.close();
  };

  function connect(): void {
    source = new EventSource("/console/api/events");
    source.addEventListener("change", ({ data }) => changed(data));
    source.addEventListener("signed_out", () => {
      source?.close();
      accessEnded();
    });
    source.addEventListener("error", () => {
      // EventSource reconnects on its own; only a refusal closes it for good.
      if (source?.readyState !== EventSource.CLOSED || isOver) return;
      again = setTimeout(() => void reconnect(), RETRY_DELAY_MS);
    });
  }

  async function reconnect(): Promise<void> {
    try {
      const { person } = await renewSession();
      if (person === null || isOver) return;
    } catch {
      if (!isOver) again = setTimeout(() => void reconnect(), RETRY_DELAY_MS);
      return;
    }
    connect();
    // Events sent while disconnected were missed, so refetch everything.
    await answers.invalidateQueries();
  }
}

let waiting: Set<string> | null = null;
let isAsking = false;

function changed(data: string): void {
  const change = JSON.parse(data) as Change;
  if (waiting === null) {
    waiting = new Set();
    if (!isAsking) setTimeout(askAgain, TOGETHER_MS);
  }
  for (const noun of nounsOf(change.type)) waiting.add(noun);
}

/** One refetch at a time: the next one waits until the answers have arrived. */
async function askAgain(): Promise<void> {
  const nouns = [...(waiting ?? [])];
  waiting = null;
  isAsking = true;
  await answers.invalidateQueries({
    predicate: ({ queryKey: [path] }) => nouns.some((noun) => String(path).includes(noun)),
  });
  isAsking = false;
  if (waiting !== null) setTimeout(askAgain, TOGETHER_MS);
}

/** Path segments that an event type affects: `letter.moved` affects `letters` and the work queue. Each event is delivered to webhooks. */
function nounsOf(type: string): readonly string[] {
  const [noun = type] = type.split(".");
  return [noun, "work", "list-deliveries", ...(noun === "connection" ? ["/data/v1/"] : [])];
}
