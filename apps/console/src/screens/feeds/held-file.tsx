import { useState } from "react";
import { useAnswer, useChange } from "../../api/answers.js";
import type { AnswerOf } from "../../api/paths.js";
import { useWords } from "../../language/language.js";
import { useAddress } from "../../parts/address.js";
import { Button } from "../../parts/button.js";
import { Dialog } from "../../parts/dialog.js";
import { Facts } from "../../parts/facts.js";
import { Link } from "../../parts/link.js";
import { Moment } from "../../parts/moment.js";
import { Problem } from "../../parts/problem.js";
import { showToast } from "../../parts/toast.js";
import { FileText } from "./excerpt.js";
import { DropFile, shortNameOf } from "./file-parts.js";
import { RefusedActions } from "./refused-actions.js";
import { emptyTarget, isTarget, type Target, TargetFields, targetOf } from "./target-fields.js";
import { feedsWords } from "./words.js";

export type Held = Extract<AnswerOf<"/operator/v1/datafeeds/list-pending">["items"][number], { state: "held" }>;

/** A held file, with its findings and an excerpt. */
export function HeldFile({ file, onClose }: { readonly file: Held; readonly onClose: () => void }) {
  const words = useWords(feedsWords);
  const { file_id } = file;
  const { go } = useAddress();
  const shown = useAnswer("/operator/v1/datafeeds/show-pending", { file_id });
  const [target, setTarget] = useState<Target>(emptyTarget);
  const [isDropping, setDropping] = useState(false);
  const done = (text: string) => () => {
    showToast(text);
    onClose();
  };
  const changes = ["/operator/v1/letters/"];
  const retry = useChange("/operator/v1/datafeeds/retry-pending", {
    changes,
    onDone: ({ outcome }) => done(outcome === "held" ? words.stillHeld : words.takenNow)(),
  });
  const route = useChange("/operator/v1/datafeeds/route-pending", { changes, onDone: done(words.routed) });
  if (isDropping)
    return (
      <DropFile
        path="/operator/v1/datafeeds/drop-pending"
        body={{ file_id }}
        name={file.name}
        onDropped={onClose}
        onClose={() => setDropping(false)}
      />
    );
  const { findings } = shown.data?.file ?? file;
  // The drop folder names the target, so there is nothing to route.
  const isDropped = file.source === "drop-folder";
  const [first] = findings;
  const accounts = findings.filter(({ account }) => account !== null);
  return (
    <Dialog title={shortNameOf(file.name)} look="wide" onClose={onClose}>
      <Facts
        facts={[
          [words.source, file.source],
          [words.came, <Moment at={file.came_at} look="both" />],
          [words.heldUntil, <Moment at={file.held_until} look="both" />],
          [words.size, `${file.size} B`],
        ]}
      />
      <ul className="notice" aria-label={words.open}>
        {findings.map(({ part, account, reason, proposals }) => (
          <li key={`${part} ${account}`}>
            {account && <strong>{account}: </strong>}
            {reason}
            {proposals.map(({ letter_id, why }) => (
              <div key={letter_id}>
                {words.maybe} <Link to={`/letters/${letter_id}`}>{letter_id}</Link> ({why}){" "}
                <Button look="plain" onClick={() => setTarget({ kind: "letter_id", id: letter_id })}>
                  {words.choose}
                </Button>
              </div>
            ))}
          </li>
        ))}
      </ul>
      <Problem problem={shown.error} />
      {first && first.cause !== "account" && (
        <RefusedActions
          cause={first.cause}
          reason={first.reason}
          name={shortNameOf(file.name)}
          // The table is inside of a container: it has to be dropped on its own.
          toMapping={{ search: first.part === file.name ? { held: file_id } : {} }}
          onReplace={() => go("/feeds", { tab: "send" })}
        />
      )}
      {shown.data && <FileText excerpt={shown.data.excerpt} />}
      {isDropped && (
        <TargetFields target={target} hint={words.otherTarget} onChange={setTarget} problem={retry.error} />
      )}
      <Problem problem={retry.error} />
      {accounts.length > 0 && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (!route.isPending && isTarget(target)) route.mutate({ file_id, ...targetOf(target) });
          }}
        >
          <p className="quiet">{words.routeText}</p>
          <TargetFields target={target} onChange={setTarget} problem={route.error} />
          <Problem problem={route.error} />
          <Button type="submit" look="first" isBusy={route.isPending} reason={isTarget(target) ? null : words.needsId}>
            {words.route}
          </Button>
        </form>
      )}
      <div className="actions">
        <Button
          isBusy={retry.isPending}
          reason={!isDropped || isTarget(target, true) ? null : words.needsId}
          onClick={() => retry.mutate({ file_id, ...(isDropped && targetOf(target)) })}
        >
          {words.tryAgain}
        </Button>
        <Button look="ends" onClick={() => setDropping(true)}>
          {words.drop}
        </Button>
      </div>
    </Dialog>
  );
}
