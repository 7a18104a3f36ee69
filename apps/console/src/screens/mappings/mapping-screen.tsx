import { useState } from "react";
import { useAnswer } from "../../api/answers.js";
import { useWords } from "../../language/language.js";
import { jsonText } from "../../listing/json-field.js";
import { useAddress } from "../../parts/address.js";
import { Link } from "../../parts/link.js";
import { Loading } from "../../parts/loading.js";
import { Problem } from "../../parts/problem.js";
import { Screen } from "../../parts/screen.js";
import { type Done, MappingDone } from "./mapping-done.js";
import { MappingEditor } from "./mapping-editor.js";
import { refusedUpload } from "./refused-upload.js";
import { mappingWords } from "./words.js";

/**
 * One mapping, existing or new: a role for each column over the bank's own rows. It comes with the file that was refused, held or uploaded, if a
 * link of that file led here.
 */
export default function MappingScreen() {
  const words = useWords(mappingWords);
  const { search } = useAddress();
  const { name, connector, connection, held } = search;
  const [done, setDone] = useState<Done | null>(null);
  const upload = search.upload === undefined ? null : refusedUpload();
  const owner = { ...(connector && { connector_id: connector }), ...(connection && { connection_id: connection }) };
  const stored = useAnswer(
    "/operator/v1/datafeed-mappings/show",
    { ...owner, name: name ?? "" },
    { enabled: name !== undefined },
  );
  const file = useAnswer(
    "/operator/v1/datafeeds/show-pending-text",
    { file_id: held ?? "" },
    { enabled: held !== undefined },
  );
  const letter = useAnswer(
    "/operator/v1/letters/show",
    { letter_id: upload?.target.letter_id ?? "" },
    { enabled: upload?.target.letter_id !== undefined },
  );
  const mapping = stored.data?.mapping;
  const own = file.data?.connector_ids ?? [];
  const ofUpload = letter.data?.letter.connector_id ?? "";
  const isLoading =
    (name !== undefined && !mapping) ||
    (held !== undefined && !file.data) ||
    (upload?.target.letter_id !== undefined && letter.isPending);
  const error = stored.error ?? file.error;
  const ownConnection = connection ?? upload?.target.connection_id;
  return (
    <Screen
      title={done ? words.saved(done.title) : (mapping?.title ?? words.create)}
      {...(!done && { lead: words.screenLead })}
      above={
        <Link to="/sources" search={{ tab: "mappings" }}>
          {words.back}
        </Link>
      }
    >
      <Problem problem={error} />
      {isLoading && !error && <Loading lines={8} />}
      {done && <MappingDone done={done} />}
      {!done && !isLoading && (
        <MappingEditor
          key={JSON.stringify([owner, name, held, upload?.file.name])}
          name={name ?? null}
          now={mapping ? jsonText(mapping.mapping) : ""}
          version={mapping?.version ?? 0}
          owner={
            ownConnection
              ? { kind: "connection", id: ownConnection }
              : { kind: "connector", id: connector ?? (own.length === 1 ? (own[0] ?? "") : ofUpload) }
          }
          given={file.data ?? null}
          upload={upload}
          onDone={setDone}
        />
      )}
    </Screen>
  );
}
