import { fileCauseOf } from "@org/core/file-steps";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { forget } from "../../api/answers.js";
import { type ApiProblem, causeOf, faultOf } from "../../api/api-problem.js";
import type { AnswerOf } from "../../api/paths.js";
import { usePerson } from "../../api/session.js";
import { useWords } from "../../language/language.js";
import { Badge } from "../../parts/badge.js";
import { Button } from "../../parts/button.js";
import { DropZone } from "../../parts/drop-zone.js";
import { Facts } from "../../parts/facts.js";
import { Problem } from "../../parts/problem.js";
import { useSize } from "../../parts/size.js";
import { keepRefusedUpload } from "../mappings/refused-upload.js";
import { ingestFile } from "./ingest-file.js";
import { refusalWords } from "./refusal-words.js";
import { RefusedActions } from "./refused-actions.js";
import { emptyTarget, isTarget, type Target, TargetFields, targetOf } from "./target-fields.js";
import { feedsWords } from "./words.js";

type Ingestion = AnswerOf<"/operator/v1/datafeeds/ingest">;

/** Uploads a file for a letter or a connection. */
export function SendFile() {
  const words = useWords(feedsWords);
  const size = useSize();
  const { notTaken, whatWasSaid } = useWords(refusalWords);
  const { may } = usePerson();
  const [target, setTarget] = useState<Target>(emptyTarget);
  const [file, setFile] = useState<File | null>(null);
  const send = useMutation<Ingestion, ApiProblem, File>({
    mutationFn: (sent) => ingestFile(sent, targetOf(target)),
    onSuccess: () => forget(["/operator/v1/datafeeds/", "/operator/v1/letters/"]),
  });
  if (!may("work")) return <p className="notice">{words.readOnly}</p>;
  const refusal = send.error && faultOf(send.error, "file");
  const missing = file === null ? words.fileFirst : isTarget(target) ? null : words.needsId;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (file !== null && missing === null && !send.isPending) send.mutate(file);
      }}
    >
      <TargetFields target={target} onChange={setTarget} problem={send.error} />
      <DropZone
        label={words.dropHere}
        fault={causeOf(send.error) === null ? faultOf(send.error, "file") : null}
        onChoose={setFile}
      >
        <p role="status">{file && `${file.name}, ${size(file.size)}`}</p>
      </DropZone>
      {file && refusal !== null ? (
        <div className="problem" role="alert">
          <h2>{notTaken}</h2>
          <RefusedActions
            cause={causeOf(send.error)}
            reason={refusal}
            name={file.name}
            toMapping={{
              search: { upload: file.name },
              onClick: () => keepRefusedUpload({ file, target: targetOf(target) }),
            }}
          />
          <details open={fileCauseOf(causeOf(send.error)) !== "format"}>
            <summary>{whatWasSaid}</summary>
            <p>{refusal}</p>
          </details>
        </div>
      ) : (
        <Problem problem={send.error} />
      )}
      <Button type="submit" look="first" isBusy={send.isPending} reason={missing}>
        {words.sendIt}
      </Button>
      <div role="status">{send.data && <Ingested result={send.data} />}</div>
    </form>
  );
}

function Ingested({ result }: { readonly result: Ingestion }) {
  const words = useWords(feedsWords);
  return (
    <section>
      <Badge tone={result.status === "ingested" ? "good" : "neutral"}>{words.ingested[result.status]}</Badge>
      <Facts
        facts={[
          [words.format, result.format],
          [words.portfolios, String(result.portfolios)],
          [words.holdings, String(result.holdings)],
          [words.transactions, String(result.transactions)],
          [words.kept, shownCount(result.kept)],
          [words.corrected, shownCount(result.corrected)],
          [words.repeated, shownCount(result.repeated)],
          [words.leftOut, shownCount(result.left_out)],
          [words.differences, shownCount(result.differences)],
        ]}
      />
      {result.warnings.length > 0 && (
        <ul className="notice" aria-label={words.warnings}>
          {result.warnings.map(({ place, message }) => (
            <li key={`${place} ${message}`}>
              <code>{place}</code>: {message}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Null for zero. */
function shownCount(count: number): string | null {
  return count > 0 ? String(count) : null;
}
