import { useState } from "react";
import { useAnswer } from "../../api/answers.js";
import { type ApiProblem, faultOf } from "../../api/api-problem.js";
import { useWords } from "../../language/language.js";
import { nameWithClient, type OfClient } from "../../listing/client-name.js";
import { PickField, type Proposal } from "../../listing/pick-field.js";
import { SelectField } from "../../parts/fields.js";
import { connectionWords } from "../connections/words.js";
import { letterTerms } from "../letters/letter-terms.js";
import { feedsWords } from "./words.js";

/** The letter or connection that a file is for, as typed. */
export interface Target {
  readonly kind: "letter_id" | "connection_id";
  readonly id: string;
}

/** The most that are suggested. */
const PROPOSED = 20;

export const emptyTarget: Target = { kind: "letter_id", id: "" };

/** The members of a request body; empty if nothing was typed. */
export function targetOf({ kind, id }: Target): { letter_id?: string; connection_id?: string } {
  return id.trim() === "" ? {} : { [kind]: id.trim() };
}

/** Whether it is an id, or with `isOptional` empty. Core's own check would add zod to the page. */
export function isTarget({ id }: Target, isOptional = false): boolean {
  return id.trim() === "" ? isOptional : /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id.trim());
}

/** Asks which letter or connection a file is for: people type whose it is or the bank, and choose. */
export function TargetFields({
  target,
  hint,
  problem = null,
  onChange,
}: {
  readonly target: Target;
  readonly hint?: string;
  readonly problem?: ApiProblem | null;
  readonly onChange: (target: Target) => void;
}) {
  const words = useWords(feedsWords);
  return (
    <div className="filters">
      <SelectField
        label={words.isFor}
        value={target.kind}
        options={[
          { value: "letter_id", label: words.letter },
          { value: "connection_id", label: words.connection },
        ]}
        onChange={(kind) => onChange({ kind, id: "" })}
      />
      <TargetField
        key={target.kind}
        kind={target.kind}
        value={target.id}
        fault={faultOf(problem, target.kind)}
        {...(hint !== undefined && { hint })}
        onChange={(id) => onChange({ ...target, id })}
      />
    </div>
  );
}

/** Asks for a letter, or for a connection, in the same way. */
export function TargetField({
  kind,
  value,
  hint,
  fault,
  required = false,
  onChange,
}: {
  readonly kind: Target["kind"];
  /** Its id. */
  readonly value: string;
  readonly hint?: string;
  readonly fault: string | null;
  readonly required?: boolean;
  readonly onChange: (id: string) => void;
}) {
  const words = useWords(feedsWords);
  const [text, setText] = useState("");
  const isLetter = kind === "letter_id";
  const wanted = isTarget({ kind, id: value }) ? value.trim() : text;
  const letters = useLetters(isLetter, wanted);
  const connections = useConnections(!isLetter, wanted);
  return (
    <PickField
      label={isLetter ? words.letter : words.connection}
      hint={hint ?? (isLetter ? words.letterHint : words.connectionHint)}
      proposals={isLetter ? letters : connections}
      onSearch={setText}
      {...{ value, fault, required, onChange }}
    />
  );
}

/** A letter or connection by its name, as the field suggests it; the id of one that is gone. */
export function TargetName({ kind, id }: { readonly kind: Target["kind"]; readonly id: string }) {
  const letters = useLetters(kind === "letter_id", id);
  const connections = useConnections(kind === "connection_id", id);
  return <>{[...letters, ...connections].find((each) => each.id === id)?.name ?? id}</>;
}

function useLetters(enabled: boolean, text: string): readonly Proposal[] {
  const { statuses } = useWords(letterTerms);
  const found = useAnswer(
    "/operator/v1/letters/search",
    {
      query: {},
      order: "last_changed",
      page: 1,
      page_size: PROPOSED,
      ...(text !== "" && { text: text.slice(0, 200) }),
    },
    { enabled, keepsPrevious: true },
  );
  return unlike(
    (found.data?.items ?? []).map(({ id, custodian, tenant, status, labels, ...letter }) => ({
      id,
      name: [nameWithClient(letter, custodian), ...others(labels, letter), statuses[status], tenant].join(", "),
    })),
  );
}

function useConnections(enabled: boolean, text: string): readonly Proposal[] {
  const { states } = useWords(connectionWords);
  const isId = isTarget({ kind: "connection_id", id: text }) && text !== "";
  const found = useAnswer(
    "/operator/v1/connections/search",
    { query: isId ? { connection_id: text } : text === "" ? {} : { bank: text.slice(0, 200) }, page_size: PROPOSED },
    { enabled, keepsPrevious: true },
  );
  return unlike(
    (found.data?.items ?? []).map(({ connection_id, bank, tenant, state, ...connection }) => ({
      id: connection_id,
      name: [nameWithClient(connection, bank), states[state], tenant].join(", "),
    })),
  );
}

/** Labels that say more than whose it is. */
function others(labels: Readonly<Record<string, string>>, of: OfClient): readonly string[] {
  return Object.values(labels).filter((value) => value !== of.client_ref && value !== of.client_name);
}

/** Tells apart those that have the same name, by the end of their ids. */
function unlike(proposals: readonly Proposal[]): readonly Proposal[] {
  return proposals.map(({ id, name }) => ({
    id,
    name: proposals.some((other) => other.id !== id && other.name === name) ? `${name} (${id.slice(-4)})` : name,
  }));
}
