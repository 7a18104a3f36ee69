import { lazy, Suspense, useState } from "react";
import { useChange } from "../../api/answers.js";
import type { ApiProblem } from "../../api/api-problem.js";
import { usePerson } from "../../api/session.js";
import { labelled, useWords } from "../../language/language.js";
import { Button } from "../../parts/button.js";
import { Link } from "../../parts/link.js";
import { useProblemText } from "../../parts/problem.js";
import { showToast } from "../../parts/toast.js";
import { workWords } from "./words.js";
import { WorkDialog } from "./work-dialogs.js";
import { mannerOf, nameOf, placeOf, placeOfNext, QUEUE, type WorkLine } from "./work-places.js";

const HeldFileById = lazy(() => import("../feeds/held-file.js"));
const SessionDialog = lazy(() => import("../connections/session-dialog.js"));

/** The next action of a line: done here, or at the place that the line links to. */
export function WorkActionButton({ line }: { readonly line: WorkLine }) {
  const words = useWords(workWords);
  const { audience, may } = usePerson();
  const [isOpen, setOpen] = useState(false);
  const problemText = useProblemText();
  const refused = (problem: ApiProblem) => showToast(problemText(problem), "bad");
  const done = () => showToast(words.said.enabled);
  const enable = useChange("/operator/v1/webhooks/enable", { changes: QUEUE, onDone: done });
  const enableOwn = useChange("/events/v1/update-endpoint", { changes: QUEUE, onDone: done });
  const manner = mannerOf(line, audience);
  const label = labelled(words.actions[line.action], nameOf(line));
  if (manner === "go" || !may("work"))
    return (
      <Link
        {...(may("work") ? placeOfNext(line) : placeOf(line))}
        className="button usual"
        data-next
        aria-label={label}
      >
        {may("work") && !(audience === "tenant" && line.subject.type === "letter")
          ? words.actions[line.action]
          : words.look}
      </Link>
    );

  const { id } = line.subject;
  function act(): void {
    if (manner === "enable" && audience === "tenant") enableOwn.mutate({ id, enabled: true }, { onError: refused });
    else if (manner === "enable") enable.mutate({ id }, { onError: refused });
    else setOpen(true);
  }
  return (
    <>
      <Button data-next aria-label={label} isBusy={enable.isPending || enableOwn.isPending} onClick={act}>
        {words.actions[line.action]}
      </Button>
      {isOpen && <NextDialog line={line} manner={manner} onClose={() => setOpen(false)} />}
    </>
  );
}

/** The dialog of a line's action: that of the thing's own page where it has one. */
function NextDialog({ line, manner, onClose }: Parameters<typeof WorkDialog>[0]) {
  const { id } = line.subject;
  if (manner !== "file" && manner !== "link") return <WorkDialog line={line} manner={manner} onClose={onClose} />;
  const connection = { connection_id: id, tenant_id: line.tenant_id };
  return (
    <Suspense>
      {manner === "file" ? (
        <HeldFileById id={id} onClose={onClose} />
      ) : (
        <SessionDialog connection={connection} onClose={onClose} />
      )}
    </Suspense>
  );
}
