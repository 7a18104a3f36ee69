import { useState } from "react";
import { useAnswer, useChange } from "../../api/answers.js";
import { faultOf } from "../../api/api-problem.js";
import { usePerson } from "../../api/session.js";
import { useWords } from "../../language/language.js";
import { ConflictNotice } from "../../listing/conflict-notice.js";
import { ConnectorField } from "../../listing/connector-field.js";
import { useTypedText } from "../../listing/edited-version.js";
import { JsonField, jsonText, objectIn } from "../../listing/json-field.js";
import { listWords } from "../../listing/list-words.js";
import { useAddress } from "../../parts/address.js";
import { Button } from "../../parts/button.js";
import { SelectField, TextField } from "../../parts/fields.js";
import { Link } from "../../parts/link.js";
import { Loading } from "../../parts/loading.js";
import { Problem } from "../../parts/problem.js";
import { Screen } from "../../parts/screen.js";
import { showToast } from "../../parts/toast.js";
import { MappingDraft, MappingTrial } from "./mapping-trial.js";
import { SampleFile, useSample } from "./sample-file.js";
import { mappingWords } from "./words.js";

/** One mapping, existing or new: edited as JSON, tested with a file of the bank, stored for a connector or a connection. */
export default function MappingScreen() {
  const words = useWords(mappingWords);
  const { search } = useAddress();
  const { name, connector, connection } = search;
  const owner = { ...(connector && { connector_id: connector }), ...(connection && { connection_id: connection }) };
  const { data, error } = useAnswer(
    "/operator/v1/datafeed-mappings/show",
    { ...owner, name: name ?? "" },
    { enabled: name !== undefined },
  );
  const mapping = data?.mapping;
  return (
    <Screen
      title={mapping?.title ?? words.create}
      lead={words.screenLead}
      above={
        <Link to="/sources" search={{ tab: "mappings" }}>
          {words.back}
        </Link>
      }
    >
      <Problem problem={error} />
      {name !== undefined && !data && !error && <Loading lines={8} />}
      {(name === undefined || mapping) && (
        <Editor
          key={JSON.stringify([owner, name])}
          name={name ?? null}
          now={mapping ? jsonText(mapping.mapping) : ""}
          version={mapping?.version ?? 0}
          owner={connection ? { kind: "connection", id: connection } : { kind: "connector", id: connector ?? "" }}
        />
      )}
    </Screen>
  );
}

interface Owner {
  readonly kind: "connector" | "connection";
  readonly id: string;
}

function Editor({
  name,
  now,
  version,
  owner: before,
}: {
  /** The name of the mapping to change; null for a new one. */
  readonly name: string | null;
  readonly now: string;
  readonly version: number;
  readonly owner: Owner;
}) {
  const words = useWords(mappingWords);
  const general = useWords(listWords);
  const { may } = usePerson();
  const { go } = useAddress();
  const { typed: text, type: setText, ...seen } = useTypedText(version, now);
  const [owner, setOwner] = useState(before);
  const { sample, choose } = useSample();
  const test = useChange("/operator/v1/datafeed-mappings/test");
  const draft = useChange("/operator/v1/datafeed-mappings/draft", {
    onDone({ mapping }) {
      test.reset();
      setText(jsonText(mapping));
    },
  });
  const keep = useChange("/operator/v1/datafeed-mappings/set", {
    changes: ["/operator/v1/sources/"],
    onDone({ mapping, retried, taken }) {
      seen.keep(mapping.version, text);
      showToast(words.kept(retried, taken));
      go("/mapping", { name: mapping.name, [owner.kind]: owner.id.trim() });
    },
  });
  const mapping = objectIn(text);
  const noMapping = mapping === null ? (text === "" ? words.mappingFirst : general.notJson) : null;
  const noFile = sample === null ? words.fileFirst : null;
  const id = owner.id.trim();
  return (
    <>
      <SampleFile sample={sample} onChoose={choose} />
      {may("work") && (
        <div className="actions">
          <Button
            reason={noFile ?? noMapping}
            isBusy={test.isPending}
            onClick={() => sample && mapping && test.mutate({ ...sample.body, mapping })}
          >
            {words.test}
          </Button>
          <Button reason={noFile} isBusy={draft.isPending} onClick={() => sample && draft.mutate(sample.body)}>
            {words.draft}
          </Button>
        </div>
      )}
      <Problem problem={test.error ?? draft.error} />
      {test.data && <MappingTrial result={test.data} />}
      {draft.data && !test.data && <MappingDraft draft={draft.data} />}
      <JsonField label={words.mapping} rows={24} text={text} onChange={setText} />
      {may("administer") && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (mapping === null || id === "" || keep.isPending) return;
            const isSame = mapping.name === name && owner.kind === before.kind && id === before.id;
            const whose = owner.kind === "connector" ? { connector_id: id } : { connection_id: id };
            keep.mutate({ mapping, ...whose, version: isSame ? seen.version : 0 });
          }}
        >
          <SelectField
            label={words.whose}
            value={owner.kind}
            options={[
              { value: "connector", label: words.ofConnector },
              { value: "connection", label: words.ofConnection },
            ]}
            onChange={(kind) => setOwner({ kind, id: "" })}
          />
          {owner.kind === "connector" ? (
            <ConnectorField
              label={words.connector}
              value={owner.id}
              fault={faultOf(keep.error, "connector_id")}
              onChange={(value) => setOwner({ ...owner, id: value })}
            />
          ) : (
            <TextField
              label={words.connection}
              value={owner.id}
              fault={faultOf(keep.error, "connection_id")}
              spellCheck={false}
              autoComplete="off"
              onChange={(value) => setOwner({ ...owner, id: value })}
            />
          )}
          <ConflictNotice seen={seen} change={keep}>
            {now !== seen.there && <pre>{now}</pre>}
          </ConflictNotice>
          <div className="actions">
            <Button
              type="submit"
              look="first"
              isBusy={keep.isPending}
              reason={noMapping ?? (id === "" ? words.ownerFirst : null)}
            >
              {words.keep}
            </Button>
          </div>
        </form>
      )}
    </>
  );
}
