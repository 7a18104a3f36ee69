import { useState } from "react";
import { useAnswer } from "../api/answers.js";
import { usePerson } from "../api/session.js";
import { useWords } from "../language/language.js";
import { useName } from "../sentences/names.js";
import { listWords } from "./list-words.js";
import { PickField } from "./pick-field.js";

/** The most suggestions shown. */
const PROPOSED = 20;

/** A connector by its name; the id of one that is gone. */
export function ConnectorName({ id }: { readonly id: string }) {
  const { data } = useName({ id, tenant_id: null });
  return <>{data?.name ?? id}</>;
}

/** The provider of connections that custodians' files feed: the product itself, without a page of its own. */
export const BY_FILES = "datafeed";

/** A provider by its title. */
export function ProviderName({ id }: { readonly id: string }) {
  const words = useWords(listWords);
  const { data } = useName(id === BY_FILES ? null : { id, tenant_id: null, kind: "provider" });
  return <>{id === BY_FILES ? words.byFiles : (data?.name ?? id)}</>;
}

/** A field for a connector: suggests those whose name contains the input, and keeps the id of the chosen one. */
export function ConnectorField({
  label,
  fault,
  value,
  required = false,
  except = [],
  onChange,
}: {
  readonly label: string;
  readonly fault?: string | null;
  readonly value: string;
  readonly required?: boolean;
  /** Ids that are not suggested. */
  readonly except?: readonly string[];
  readonly onChange: (value: string) => void;
}) {
  const words = useWords(listWords);
  const isOperator = usePerson().audience === "operator";
  const [text, setText] = useState("");
  const found = useAnswer(
    "/operator/v1/connectors/list",
    { name: text === "" ? null : text, page_size: PROPOSED },
    { keepsPrevious: true, enabled: isOperator && text.length <= 200 },
  );
  // Those that a tenant may use have no search by name: the first page is looked through.
  const own = useAnswer("/connect/v2/connectors/list-connectors", {}, { enabled: !isOperator });
  const typed = text.toLowerCase();
  const proposals = isOperator
    ? (found.data?.items ?? []).filter(({ id }) => !except.includes(id))
    : (own.data?.items ?? []).filter(({ id, name }) => id === value || name.toLowerCase().includes(typed));
  return (
    <PickField
      {...{ label, value, required, proposals, onChange }}
      hint={words.connectorHint}
      fault={fault ?? null}
      onSearch={setText}
    />
  );
}
