import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { forget } from "../../api/answers.js";
import type { ApiProblem } from "../../api/api-problem.js";
import { call } from "../../api/call.js";
import type { AnswerOf } from "../../api/paths.js";
import { withFreshProof } from "../../api/proving.js";
import { useWords } from "../../language/language.js";
import { Badge } from "../../parts/badge.js";
import { Button } from "../../parts/button.js";
import { DropZone } from "../../parts/drop-zone.js";
import { Facts } from "../../parts/facts.js";
import { Day } from "../../parts/moment.js";
import { Problem } from "../../parts/problem.js";
import { useSize } from "../../parts/size.js";
import { ratesWords } from "./words.js";

type Imported = AnswerOf<"/operator/v1/rates/import">;

/** Imports a file of exchange rates. */
export function ImportRates() {
  const words = useWords(ratesWords);
  const size = useSize();
  const [file, setFile] = useState<File | null>(null);
  const send = useMutation<Imported, ApiProblem, File>({
    mutationFn: (sent) => withFreshProof(() => call(importOf(sent.name), new Blob([sent], { type: OCTETS }))),
    onSuccess: () => forget(["/operator/v1/rates/"]),
  });
  /** Where the file is wrong: its lines are no fields of the page. */
  const refused = send.error?.details ?? [];
  return (
    <section aria-label={words.upload}>
      <h2>{words.upload}</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (file !== null && !send.isPending) send.mutate(file);
        }}
      >
        <DropZone
          label={words.dropHere}
          onChoose={(chosen) => {
            setFile(chosen);
            send.reset();
          }}
        >
          <p role="status">{file && `${file.name}, ${size(file.size)}`}</p>
        </DropZone>
        {refused.length > 0 ? (
          <div className="problem" role="alert">
            <h2>{words.notTaken}</h2>
            <ul>
              {refused.map(({ field, message }) => (
                <li key={field}>
                  <code>{field}</code>: {message}
                </li>
              ))}
            </ul>
          </div>
        ) : (
          <Problem problem={send.error} title={words.notTaken} />
        )}
        <Button type="submit" look="first" isBusy={send.isPending} reason={file === null ? words.fileFirst : null}>
          {words.importIt}
        </Button>
      </form>
      <div role="status">{send.data && <Done imported={send.data} />}</div>
    </section>
  );
}

const OCTETS = "application/octet-stream";

function importOf(name: string) {
  return `/operator/v1/rates/import?${new URLSearchParams({ name })}` as "/operator/v1/rates/import";
}

function Done({ imported }: { readonly imported: Imported }) {
  const words = useWords(ratesWords);
  return (
    <section>
      <Badge tone="good">{words.imported}</Badge>
      <Facts
        facts={[
          [words.stored, String(imported.rows)],
          [words.replaced, String(imported.replaced)],
          [words.firstDay, <Day key="first" at={imported.first_date} />],
          [words.lastDay, <Day key="last" at={imported.last_date} />],
        ]}
      />
    </section>
  );
}
