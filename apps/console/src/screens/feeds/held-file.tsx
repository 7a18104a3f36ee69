import { useState } from "react";
import { useAnswer, useChange } from "../../api/answers.js";
import { labelled, useWords } from "../../language/language.js";
import { useAddress } from "../../parts/address.js";
import { Button } from "../../parts/button.js";
import { Dialog } from "../../parts/dialog.js";
import { Facts } from "../../parts/facts.js";
import { Link } from "../../parts/link.js";
import { Loading } from "../../parts/loading.js";
import { Moment } from "../../parts/moment.js";
import { Problem } from "../../parts/problem.js";
import { useSize } from "../../parts/size.js";
import { showToast } from "../../parts/toast.js";
import { sourceWords } from "../sources/words.js";
import { FileText } from "./excerpt.js";
import { useFileOwner } from "./file-owner.js";
import { DropFile } from "./file-parts.js";
import { type Held, isDropped, mappingPlace, shortNameOf } from "./file-places.js";
import { RefusedActions } from "./refused-actions.js";
import { ReplaceFile } from "./replace-file.js";
import { emptyTarget, isTarget, type Target, TargetFields, targetOf } from "./target-fields.js";
import { feedsWords } from "./words.js";

/** A held file, with its findings and an excerpt. */
export function HeldFile({ file, onClose }: { readonly file: Held; readonly onClose: () => void }) {
  const words = useWords(feedsWords);
  const { kinds } = useWords(sourceWords);
  const sizeText = useSize();
  const { file_id } = file;
  const { go } = useAddress();
  const shown = useAnswer("/operator/v1/datafeeds/show-pending", { file_id });
  const [target, setTarget] = useState<Target>(emptyTarget);
  const [isDropping, setDropping] = useState(false);
  const [isReplacing, setReplacing] = useState(false);
  const owner = useFileOwner(file, target);
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
  if (isReplacing && owner.target)
    return <ReplaceFile file={file} target={owner.target} onDone={onClose} onClose={() => setReplacing(false)} />;
  const { findings } = shown.data?.file ?? file;
  // Then there is nothing to route.
  const hasTarget = isDropped(file);
  const [first] = findings;
  const accounts = findings.filter(({ account }) => account !== null);
  return (
    <Dialog title={shortNameOf(file.name)} look="wide" onClose={onClose}>
      <Facts
        facts={[
          [words.source, hasTarget ? kinds.folder : file.source],
          [words.came, <Moment at={file.came_at} look="both" />],
          [
            words.heldUntil,
            <span key="until">
              <Moment at={file.held_until} look="both" /> · <span className="quiet">{words.thenDeleted}</span>
            </span>,
          ],
          [words.size, sizeText(file.size)],
        ]}
      />
      <ul className="notice" aria-label={words.open}>
        {findings.map(({ part, account, reason, proposals }) => (
          <li key={`${part} ${account}`}>
            {account && <strong>{labelled(account, "")}</strong>}
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
          toMapping={first.part === file.name ? mappingPlace(file_id) : { search: {} }}
          to={owner.address}
          onReplace={() => (owner.target ? setReplacing(true) : go("/feeds", { tab: "send" }))}
        />
      )}
      {shown.data && <FileText excerpt={shown.data.excerpt} />}
      {hasTarget && (
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
          reason={!hasTarget || isTarget(target, true) ? null : words.needsId}
          onClick={() => retry.mutate({ file_id, ...(hasTarget && targetOf(target)) })}
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

/** A held file of which only the id is known, such as that of a line of the work queue. */
export default function HeldFileById({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const shown = useAnswer("/operator/v1/datafeeds/show-pending", { file_id: id });
  const words = useWords(feedsWords);
  const file = shown.data?.file;
  if (file?.state === "held") return <HeldFile file={file as Held} onClose={onClose} />;
  return (
    <Dialog title={words.file} onClose={onClose}>
      {shown.error ? <Problem problem={shown.error} /> : <Loading />}
    </Dialog>
  );
}
