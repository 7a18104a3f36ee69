import { useState } from "react";
import { useChange } from "../../api/answers.js";
import { faultOf } from "../../api/api-problem.js";
import type { AnswerOf } from "../../api/paths.js";
import { useWords } from "../../language/language.js";
import { ConflictNotice } from "../../listing/conflict-notice.js";
import { ConnectorField } from "../../listing/connector-field.js";
import type { EditedVersion } from "../../listing/edited-version.js";
import { Button } from "../../parts/button.js";
import { SelectField, TextField } from "../../parts/fields.js";
import { TargetField } from "../feeds/target-fields.js";
import { mappingWords } from "./words.js";

/** Whose files a mapping is for. */
export interface Owner {
  readonly kind: "connector" | "connection";
  readonly id: string;
}

/** The form that saves a mapping: its name, whose files it is for, and the conflict if somebody else was faster. */
export function KeepMapping({
  mapping,
  isNew,
  before,
  now,
  seen,
  reason,
  onTitle,
  onKept,
}: {
  readonly mapping: Readonly<Record<string, unknown>> | null;
  readonly isNew: boolean;
  /** The owner and the name that it has. */
  readonly before: Owner & { readonly name: string | null };
  readonly now: string;
  readonly seen: EditedVersion<string>;
  /** Why it cannot be saved yet. */
  readonly reason: string | null;
  readonly onTitle: (title: string) => void;
  readonly onKept: (answer: AnswerOf<"/operator/v1/datafeed-mappings/set">, owner: Owner) => void;
}) {
  const words = useWords(mappingWords);
  const [owner, setOwner] = useState<Owner>({ kind: before.kind, id: before.id });
  const id = owner.id.trim();
  const keep = useChange("/operator/v1/datafeed-mappings/set", {
    changes: ["/operator/v1/sources/", "/operator/v1/datafeeds/"],
    onDone: (answer) => onKept(answer, { ...owner, id }),
  });
  return (
    <form
      className="keep"
      onSubmit={(event) => {
        event.preventDefault();
        if (mapping === null || id === "" || reason !== null || keep.isPending) return;
        const isSame = mapping.name === before.name && owner.kind === before.kind && id === before.id;
        const whose = owner.kind === "connector" ? { connector_id: id } : { connection_id: id };
        keep.mutate({ mapping, ...whose, version: isSame ? seen.version : 0 });
      }}
    >
      <h2>{words.save}</h2>
      {mapping !== null && (
        <TextField
          label={words.title}
          hint={isNew ? words.titleHint : undefined}
          value={typeof mapping.title === "string" ? mapping.title : ""}
          fault={faultOf(keep.error, "mapping.title") ?? faultOf(keep.error, "mapping.name")}
          onChange={onTitle}
        />
      )}
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
        <TargetField
          kind="connection_id"
          value={owner.id}
          fault={faultOf(keep.error, "connection_id")}
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
          reason={reason ?? (id === "" ? words.ownerFirst : null)}
        >
          {words.keep}
        </Button>
      </div>
    </form>
  );
}

/** A short name from a title: a letter or digit, then letters, digits and hyphens. */
export function shortName(title: string): string {
  const plain = title
    .normalize("NFD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  return plain.slice(0, 60) || "mapping";
}
