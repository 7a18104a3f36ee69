import { useId } from "react";
import { useAnswer } from "../../api/answers.js";
import { type ApiProblem, faultOf } from "../../api/api-problem.js";
import { useWords } from "../../language/language.js";
import { SelectField, TextField } from "../../parts/fields.js";
import { letterTerms } from "../letters/letter-terms.js";
import { feedsWords } from "./words.js";

/** The letter or connection that a file is for, as typed. */
export interface Target {
  readonly kind: "letter_id" | "connection_id";
  readonly id: string;
}

/** The most letters suggested. */
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

/** Asks which letter or connection a file is for. */
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
  const { statuses } = useWords(letterTerms);
  const list = useId();
  const text = target.id.trim();
  const letters = useAnswer(
    "/operator/v1/letters/search",
    {
      query: {},
      order: "last_changed",
      page: 1,
      page_size: PROPOSED,
      ...(text !== "" && { text: text.slice(0, 200) }),
    },
    { enabled: target.kind === "letter_id", keepsPrevious: true },
  );
  return (
    <div className="filters">
      <SelectField
        label={words.isFor}
        value={target.kind}
        options={[
          { value: "letter_id", label: words.letter },
          { value: "connection_id", label: words.connection },
        ]}
        onChange={(kind) => onChange({ ...target, kind })}
      />
      <TextField
        label={words.id}
        hint={hint ?? (target.kind === "letter_id" ? words.letterHint : undefined)}
        list={target.kind === "letter_id" ? list : undefined}
        value={target.id}
        spellCheck={false}
        autoComplete="off"
        fault={faultOf(problem, target.kind)}
        onChange={(id) => onChange({ ...target, id })}
      />
      <datalist id={list}>
        {(letters.data?.items ?? []).map(({ id, custodian, tenant, status, labels }) => (
          <option key={id} value={id}>
            {[custodian, tenant, statuses[status], ...Object.values(labels)].join(", ")}
          </option>
        ))}
      </datalist>
    </div>
  );
}
