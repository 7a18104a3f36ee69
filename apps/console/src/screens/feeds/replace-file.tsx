import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { forget } from "../../api/answers.js";
import { type ApiProblem, faultOf } from "../../api/api-problem.js";
import { call } from "../../api/call.js";
import { withFreshProof } from "../../api/proving.js";
import { useWords } from "../../language/language.js";
import { Button } from "../../parts/button.js";
import { Dialog } from "../../parts/dialog.js";
import { DropZone } from "../../parts/drop-zone.js";
import { partWords } from "../../parts/part-words.js";
import { Problem } from "../../parts/problem.js";
import { useSize } from "../../parts/size.js";
import { showToast } from "../../parts/toast.js";
import { type Held, shortNameOf } from "./file-places.js";
import { ingestFile } from "./ingest-file.js";
import { refusalWords } from "./refusal-words.js";
import type { targetOf } from "./target-fields.js";
import { feedsWords } from "./words.js";

/** Takes a corrected file for whom the held one was, and drops the held one. A file that is refused too changes nothing. */
export function ReplaceFile({
  file,
  target,
  onDone,
  onClose,
}: {
  readonly file: Held;
  readonly target: ReturnType<typeof targetOf>;
  readonly onDone: () => void;
  readonly onClose: () => void;
}) {
  const words = useWords(feedsWords);
  const terms = useWords(refusalWords);
  const { cancel } = useWords(partWords);
  const size = useSize();
  const [chosen, setChosen] = useState<File | null>(null);
  const replace = useMutation<boolean, ApiProblem, File>({
    async mutationFn(sent) {
      await ingestFile(sent, target);
      const drop = () => call("/operator/v1/datafeeds/drop-pending", { file_id: file.file_id });
      return withFreshProof(drop).then(
        () => true,
        () => false,
      );
    },
    onSuccess(isDropped) {
      showToast(isDropped ? terms.replaced : terms.notDropped, isDropped ? "good" : "bad");
      onDone();
      return forget(["/operator/v1/datafeeds/", "/operator/v1/letters/", "/operator/v1/work/"]);
    },
  });
  return (
    <Dialog title={terms.replace} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (chosen !== null && !replace.isPending) replace.mutate(chosen);
        }}
      >
        <p>{terms.replaceLead(shortNameOf(file.name))}</p>
        <DropZone label={words.dropHere} fault={faultOf(replace.error, "file")} onChoose={setChosen}>
          <p role="status">{chosen && `${chosen.name}, ${size(chosen.size)}`}</p>
        </DropZone>
        <Problem problem={faultOf(replace.error, "file") === null ? replace.error : null} />
        <div className="actions">
          <Button
            type="submit"
            look="first"
            isBusy={replace.isPending}
            reason={chosen === null ? words.fileFirst : null}
          >
            {terms.replaceAction}
          </Button>
          <Button onClick={onClose}>{cancel}</Button>
        </div>
      </form>
    </Dialog>
  );
}
