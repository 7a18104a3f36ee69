import { useEffect, useState } from "react";
import { useChange } from "../../api/answers.js";
import type { ApiProblem } from "../../api/api-problem.js";
import { call } from "../../api/call.js";
import { nextPage } from "../../api/page-chain.js";
import type { AnswerOf } from "../../api/paths.js";
import { useWords } from "../../language/language.js";
import { Button } from "../../parts/button.js";
import { Confirm } from "../../parts/confirm.js";
import { Dialog } from "../../parts/dialog.js";
import { partWords } from "../../parts/part-words.js";
import { showToast } from "../../parts/toast.js";
import { webhookWords } from "./words.js";

/** As many events as are sent again in one step, and at most at a time. */
const STEP = 1_000;
const MAX_EVENTS = 10_000;

/** Sends everything again that was given up, oldest first, after saying how many there are. What is sent stays so if a later step fails. */
export function ResendFailed({ endpointId, onClose }: { readonly endpointId: string; readonly onClose: () => void }) {
  const words = useWords(webhookWords);
  const { loading, close } = useWords(partWords);
  const [failed, setFailed] = useState<readonly string[] | null>(null);
  const [done, setDone] = useState({ events: 0, queued: 0 });
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const again = useChange("/events/v1/replay");
  useEffect(() => {
    let isOpen = true;
    readFailed(endpointId).then(
      (ids) => isOpen && setFailed(ids),
      (error: ApiProblem) => isOpen && setProblem(error),
    );
    return () => {
      isOpen = false;
    };
  }, [endpointId]);

  async function send(ids: readonly string[]): Promise<void> {
    setBusy(true);
    setProblem(null);
    let { events, queued } = done;
    try {
      while (events < ids.length) {
        const event_ids = ids.slice(events, events + STEP);
        const answer = await again.mutateAsync({ endpoint_id: endpointId, event_ids });
        events += event_ids.length;
        queued += answer.queued;
        setDone({ events, queued });
      }
      showToast(words.replayed(queued, false));
      onClose();
    } catch (error) {
      setProblem(error as ApiProblem);
    } finally {
      setBusy(false);
    }
  }

  const left = (failed?.length ?? 0) - done.events;
  if (failed?.length === 0)
    return (
      <Dialog title={words.replayFailed} onClose={onClose}>
        <p>{words.noneFailed}</p>
        <div className="actions">
          <Button look="first" onClick={onClose}>
            {close}
          </Button>
        </div>
      </Dialog>
    );
  return (
    <Confirm
      title={words.replayFailed}
      effects={[failed === null ? loading : words.failedLeft(left, failed.length >= MAX_EVENTS)]}
      action={words.replayOne}
      look="first"
      isBusy={isBusy || (failed === null && problem === null)}
      problem={problem}
      onConfirm={() => (failed === null ? onClose() : void send(failed))}
      onClose={onClose}
    />
  );
}

/** The events of deliveries that were given up, oldest first; at most {@link MAX_EVENTS}, the newest. */
async function readFailed(endpoint_id: string): Promise<readonly string[]> {
  const ids: string[] = [];
  let next: object | undefined = {};
  while (next !== undefined && ids.length < MAX_EVENTS) {
    const page: AnswerOf<"/events/v1/list-deliveries"> = await call("/events/v1/list-deliveries", {
      query: { endpoint_id, state_in: ["failed"] },
      page_size: 500,
      ...next,
    });
    ids.push(...page.items.map(({ event_id }) => event_id));
    next = nextPage(page);
  }
  return ids.slice(0, MAX_EVENTS).reverse();
}
