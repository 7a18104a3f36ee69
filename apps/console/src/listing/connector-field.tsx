import { useId } from "react";
import { useAnswer } from "../api/answers.js";
import { useWords } from "../language/language.js";
import { TextField } from "../parts/fields.js";
import { listWords } from "./list-words.js";

/** The most suggestions shown. */
const PROPOSED = 20;

/** A field for a connector's id, for operators. Suggests connectors whose name contains the input. */
export function ConnectorField({
  label,
  fault,
  value,
  required = false,
  onChange,
}: {
  readonly label: string;
  readonly fault?: string | null;
  readonly value: string;
  readonly required?: boolean;
  readonly onChange: (value: string) => void;
}) {
  const words = useWords(listWords);
  const id = useId();
  const name = value.trim();
  const found = useAnswer(
    "/operator/v1/connectors/list",
    { name: name === "" ? null : name, page_size: PROPOSED },
    { keepsPrevious: true, enabled: name.length <= 200 },
  );
  return (
    <>
      <TextField
        {...{ label, value, required, onChange }}
        hint={words.connectorHint}
        fault={fault ?? null}
        list={id}
        autoComplete="off"
        spellCheck={false}
      />
      <datalist id={id}>
        {(found.data?.items ?? []).map((connector) => (
          <option key={connector.id} value={connector.id}>
            {connector.name}
          </option>
        ))}
      </datalist>
    </>
  );
}
