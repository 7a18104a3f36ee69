import { useId } from "react";
import { useAnswer } from "../api/answers.js";
import { usePerson } from "../api/session.js";
import { useWords } from "../language/language.js";
import { TextField } from "../parts/fields.js";
import { clientWords } from "./client-words.js";

/** The most suggestions shown. */
const PROPOSED = 20;

/** A field for a client's reference. Suggests the tenant's own clients whose name or reference contains the input; operators type it. */
export function ClientField({
  label,
  fault,
  value,
  hint,
  onChange,
}: {
  readonly label: string;
  readonly fault?: string | null;
  readonly value: string;
  /** Null: none. */
  readonly hint?: string | null;
  readonly onChange: (value: string) => void;
}) {
  const words = useWords(clientWords);
  const { audience } = usePerson();
  const id = useId();
  const isOperator = audience === "operator";
  const name = value.trim();
  const found = useAnswer(
    "/clients/v1/list",
    { ...(name !== "" && { name }), page_size: PROPOSED },
    { keepsPrevious: true, enabled: !isOperator && name.length <= 200 },
  );
  return (
    <>
      <TextField
        {...{ label, value, onChange }}
        hint={hint === undefined ? (isOperator ? words.operatorHint : words.hint) : hint}
        fault={fault ?? null}
        list={id}
        autoComplete="off"
        spellCheck={false}
      />
      <datalist id={id}>
        {(found.data?.items ?? []).map((client) => (
          <option key={client.client_ref} value={client.client_ref}>
            {client.name}
          </option>
        ))}
      </datalist>
    </>
  );
}
