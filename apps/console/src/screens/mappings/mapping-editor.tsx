import "../../listing/listing.css";
import "./mappings.css";
import {
  type ColumnName,
  columnRolesOf,
  lacksOf,
  type MappingDocument,
  type MappingEdit,
  rowKindOf,
  withEdits,
  withRowKind,
} from "@org/feed-mapping/columns";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useChange } from "../../api/answers.js";
import type { AnswerOf } from "../../api/paths.js";
import { usePerson } from "../../api/session.js";
import { labelled, useWords } from "../../language/language.js";
import { useTypedText } from "../../listing/edited-version.js";
import { JsonField, jsonText, objectIn } from "../../listing/json-field.js";
import { listWords } from "../../listing/list-words.js";
import { useAddress } from "../../parts/address.js";
import { Button } from "../../parts/button.js";
import { SelectField } from "../../parts/fields.js";
import { Problem } from "../../parts/problem.js";
import { Tabs } from "../../parts/tabs.js";
import { showToast } from "../../parts/toast.js";
import { ingestFile } from "../feeds/ingest-file.js";
import { columnWords } from "./column-words.js";
import { KeepMapping, type Owner, shortName } from "./keep-mapping.js";
import type { Done } from "./mapping-done.js";
import { editsOf, MappingQuestions } from "./mapping-questions.js";
import { MappingTable, showFault } from "./mapping-table.js";
import { MappingTrial } from "./mapping-trial.js";
import type { RefusedUpload } from "./refused-upload.js";
import { NoSample, SampleFile, useSample } from "./sample-file.js";
import { useTrial } from "./use-trial.js";
import { mappingWords } from "./words.js";

type Draft = AnswerOf<"/operator/v1/datafeed-mappings/draft">;
type Answer = Draft["to_decide"][number]["answers"][number];

/** Edits a mapping over a file of the bank: as a table, or as JSON. Both are the same document, and each shows what the other changed. */
export function MappingEditor({
  name,
  now,
  version,
  owner,
  given,
  upload,
  onDone,
}: {
  /** The name of the mapping to change; null for a new one. */
  readonly name: string | null;
  readonly now: string;
  readonly version: number;
  readonly owner: Owner;
  /** The held file that it is made for. */
  readonly given: AnswerOf<"/operator/v1/datafeeds/show-pending-text"> | null;
  /** The refused upload that it is made for. */
  readonly upload: RefusedUpload | null;
  readonly onDone: (done: Done) => void;
}) {
  const words = useWords(mappingWords);
  const terms = useWords(columnWords);
  const general = useWords(listWords);
  const { may } = usePerson();
  const { go } = useAddress();
  const { typed: text, type: setText, ...seen } = useTypedText(version, now);
  const { sample, choose, setSample } = useSample();
  const [draft, setDraft] = useState<Draft | null>(null);
  const [answered, setAnswered] = useState<ReadonlyMap<number, Answer>>(new Map());
  /** Whether the text is to be replaced by the draft that was asked for. */
  const replaces = useRef(name === null);
  const mapping = objectIn(text);
  const lacks = mapping === null ? [] : lacksOf(mapping);
  const trial = useTrial(
    sample,
    text,
    lacks.every((lack) => lack === "currency"),
  );
  const drafting = useChange("/operator/v1/datafeed-mappings/draft", {
    onDone(made) {
      setDraft(made);
      setAnswered(new Map());
      if (!replaces.current) return;
      // Its name, which a person may have given, stays.
      const kept = mapping === null ? {} : { name: mapping.name, title: mapping.title };
      setText(jsonText({ ...made.mapping, ...kept }));
    },
  });
  const start = useRef(drafting.mutate);
  useEffect(() => {
    if (given !== null) {
      const body = { file: given.file, file_name: given.file_name };
      setSample({ name: given.file_name, bytes: atob(given.file).length, isCut: given.is_cut, body });
      start.current(body);
    } else if (upload !== null) void choose(upload.file).then((chosen) => chosen && start.current(chosen.body));
  }, [given, upload, choose, setSample]);

  const pick = (file: File | null) => {
    setDraft(null);
    void choose(file).then((chosen) => chosen && drafting.mutate(chosen.body));
  };
  const draftAgain = (wishes: { header_line?: number; roles?: Record<string, string | null> }) => {
    replaces.current = true;
    if (sample) drafting.mutate({ ...sample.body, ...wishes });
  };
  const edit = (changed: MappingDocument) => setText(jsonText(changed));

  function giveRole(table: number, column: ColumnName, role: string | null): void {
    if (mapping === null) return;
    if (role !== "kind_word" && role !== "status") {
      edit(withEdits(mapping, [{ column: column.reference, role, table } as MappingEdit]));
      return;
    }
    // The rules by its words are drafted.
    const columns = draft?.tables[0]?.columns.map((each, index) => ({ ...each, index })) ?? [];
    const roles = columnRolesOf(mapping, 0, columns).map((each, at) =>
      each === "kind_word" ? columns[at]?.role : each,
    );
    roles[column.index] = role as "kind_word" | "status";
    draftAgain({
      ...(draft?.tables[0] && { header_line: draft.tables[0].line }),
      roles: Object.fromEntries(
        roles.map((each, at) => [String(at + 1), at !== column.index && each === role ? null : (each ?? null)]),
      ),
    });
  }

  function answer(index: number, chosen: Answer): void {
    if (mapping === null) return;
    setAnswered(new Map([...answered, [index, chosen]]));
    const edits = editsOf(chosen);
    const kinds = edits.filter((each) => "role" in each && each.role === "kind_word");
    for (const each of kinds)
      if ("column" in each) {
        const at = draft?.tables[0]?.columns.findIndex(({ reference }) => reference === each.column) ?? -1;
        if (at >= 0) giveRole(0, { name: String(each.column), reference: each.column, index: at }, "kind_word");
      }
    if (kinds.length === 0 && edits.length > 0) edit(withEdits(mapping, edits));
  }

  async function kept(answer: AnswerOf<"/operator/v1/datafeed-mappings/set">, whose: Owner): Promise<void> {
    const { mapping: stored, retried, taken, connections = [] } = answer;
    seen.keep(stored.version, text);
    if (upload !== null) {
      const sent = await ingestFile(upload.file, upload.target).catch((problem: unknown) => ({ problem }));
      const isTaken = !("problem" in sent);
      onDone({
        ...{ title: stored.title, retried: retried + 1, taken: taken + (isTaken ? 1 : 0) },
        connections: isTaken ? [sent.connection_id] : connections,
        ...(!isTaken && { problem: sent.problem }),
      });
    } else if (given !== null) onDone({ title: stored.title, retried, taken, connections });
    else {
      showToast(words.kept(retried, taken));
      go("/mapping", { name: stored.name, [whose.kind]: whose.id });
    }
  }

  const table = (): ReactNode => {
    if (sample === null) return <NoSample />;
    if (mapping === null || draft === null)
      return <p className="quiet">{text === "" ? words.mappingFirst : general.notJson}</p>;
    return draft.tables.slice(0, Math.max(1, tablesIn(mapping))).map((shown, index) => (
      <div key={shown.line}>
        <div className="filters">
          {index === 0 && name === null && (
            <SelectField
              label={terms.headerLine}
              value={String(shown.line)}
              options={draft.lines.map(({ line, cells }) => ({
                value: String(line),
                label: labelled(String(line), cells.filter(Boolean).join(", ").slice(0, 60)),
              }))}
              onChange={(line) => draftAgain({ header_line: Number(line) })}
            />
          )}
          {rowKindOf(mapping, index) !== null && (
            <SelectField
              label={terms.rowsAre}
              value={rowKindOf(mapping, index) ?? ""}
              options={Object.entries(terms.rowKinds).map(([value, label]) => ({ value, label }))}
              onChange={(is) => edit(withRowKind(mapping, index, is))}
            />
          )}
        </div>
        <MappingTable
          {...{ table: shown, index, mapping, onChange: edit }}
          trial={trial.result}
          onRole={(column, role) => giveRole(index, column, role)}
        />
      </div>
    ));
  };
  const [first] = draft?.tables ?? [];
  return (
    <>
      <SampleFile sample={sample} onChoose={pick} />
      {name !== null && sample !== null && (
        <div className="actions">
          <Button isBusy={drafting.isPending} onClick={() => draftAgain({})}>
            {words.draft}
          </Button>
        </div>
      )}
      <Problem problem={drafting.error} />
      {draft && replaces.current && draft.to_decide.length > 0 && (
        <MappingQuestions
          questions={draft.to_decide}
          answered={answered}
          onAnswer={answer}
          onReopen={(index) => setAnswered(new Map([...answered].filter(([at]) => at !== index)))}
        />
      )}
      {draft && lacks.length > 0 && (
        <div className="notice" role="status">
          <p>{terms.lackTitle}</p>
          <ul>
            {lacks.map((lack) => (
              <li key={lack}>{terms.lacks[lack]}</li>
            ))}
          </ul>
        </div>
      )}
      {trial.result && lacks.length === 0 && (
        <MappingTrial result={trial.result} onShow={(fault) => first && showFault(first, fault)} />
      )}
      <Problem problem={trial.problem} />
      <Tabs
        label={words.mappingAs}
        name="as"
        tabs={[
          { id: "table", label: words.asTable, content: table },
          {
            id: "json",
            label: words.asJson,
            content: () => <JsonField label={words.mapping} rows={24} text={text} onChange={setText} />,
          },
        ]}
      />
      {may("administer") && (name !== null || text !== "") && (
        <KeepMapping
          {...{ mapping, now, seen, isNew: name === null, before: { ...owner, name } }}
          reason={
            mapping === null
              ? text === ""
                ? words.mappingFirst
                : general.notJson
              : lacks.length > 0
                ? words.lacksFirst
                : null
          }
          onTitle={(title) => mapping && edit({ ...mapping, title, ...(name === null && { name: shortName(title) }) })}
          onKept={(answer, whose) => void kept(answer, whose)}
        />
      )}
    </>
  );
}

function tablesIn({ tables }: MappingDocument): number {
  return Array.isArray(tables) ? tables.length : 0;
}
