import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { ApiProblem } from "../../api/api-problem.js";
import { call } from "../../api/call.js";
import { withFreshProof } from "../../api/proving.js";
import { labelled, useWords } from "../../language/language.js";
import { Button } from "../../parts/button.js";
import { DataTable } from "../../parts/data-table.js";
import { Dialog } from "../../parts/dialog.js";
import { pdfOf } from "../../parts/file-field.js";
import { Problem } from "../../parts/problem.js";
import { useSize } from "../../parts/size.js";
import { saveFile } from "../letters/export-letters.js";
import type { Letter } from "./letter-history.js";
import { recordWords } from "./record-words.js";
import { letterWords } from "./words.js";

type Kind = Letter["documents"][number]["kind"];

/** The documents of a letter. They are loaded only on request, since the audit trail records each access. */
export function LetterDocuments({ letter, mayWork }: { readonly letter: Letter; readonly mayWork: boolean }) {
  const words = useWords(letterWords);
  const records = useWords(recordWords);
  const sizeText = useSize();
  const [shown, setShown] = useState<{ readonly kind: Kind; readonly file: Blob } | null>(null);
  const read = useMutation<Blob, ApiProblem, { readonly kind: Kind; readonly isToSave: boolean }>({
    mutationFn: async ({ kind }) => {
      const body = { letter_id: letter.id, kind };
      return pdfOf((await withFreshProof(() => call("/operator/v1/letters/document", body))).data);
    },
    onSuccess(file, { kind, isToSave }) {
      if (isToSave) saveFile(file, `${letter.id}-${kind}.pdf`);
      else setShown({ kind, file });
    },
  });
  const isBusyWith = (kind: Kind, isToSave: boolean) =>
    read.isPending && read.variables.kind === kind && read.variables.isToSave === isToSave;
  return (
    <section>
      <header className="section-head">
        <h2>{records.documents}</h2>
      </header>
      <Problem problem={read.error} />
      {letter.documents.length === 0 ? (
        <p className="quiet">{records.noDocuments}</p>
      ) : (
        <DataTable
          caption={records.documents}
          rows={letter.documents}
          keyOf={({ kind }) => kind}
          columns={[
            { id: "kind", header: records.document, cell: ({ kind }) => records.documentKinds[kind] },
            {
              id: "size",
              header: records.size,
              isNumeric: true,
              isWideOnly: true,
              cell: ({ size }) => sizeText(size),
            },
            {
              id: "signature",
              header: records.signature,
              isWideOnly: true,
              cell: ({ signature }) => records.signatures[signature],
            },
            {
              id: "do",
              header: "",
              cell: ({ kind }) => (
                <span className="actions">
                  <Button
                    reason={mayWork ? null : words.readOnly}
                    isBusy={isBusyWith(kind, false)}
                    aria-label={labelled(records.show, records.documentKinds[kind])}
                    onClick={() => read.mutate({ kind, isToSave: false })}
                  >
                    {records.show}
                  </Button>
                  <Button
                    look="plain"
                    icon="download"
                    isIconOnly
                    reason={mayWork ? null : words.readOnly}
                    isBusy={isBusyWith(kind, true)}
                    onClick={() => read.mutate({ kind, isToSave: true })}
                  >
                    {labelled(records.save, records.documentKinds[kind])}
                  </Button>
                </span>
              ),
            },
          ]}
        />
      )}
      {shown && (
        <Dialog title={records.documentKinds[shown.kind]} look="wide" onClose={() => setShown(null)}>
          <PdfFrame file={shown.file} title={records.documentKinds[shown.kind]} />
        </Dialog>
      )}
    </section>
  );
}

/**
 * A PDF in a frame of its own. Its URL is revoked with the frame, so that nothing of the document stays in the tab. The frame has no `sandbox`:
 * Chromium shows no PDF with any value of it. The content can only be a PDF, since the page sets its type, and it inherits the page's policy, which
 * allows it no scripts.
 */
function PdfFrame({ file, title }: { readonly file: Blob; readonly title: string }) {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return url && <iframe className="pdf" src={url} title={title} />;
}
