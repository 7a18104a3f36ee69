import { useEffect, useState } from "react";
import { useAnswer } from "../../api/answers.js";
import { useWords } from "../../language/language.js";
import { PickField, type Proposal } from "../../listing/pick-field.js";
import { useTenantNames } from "../../listing/tenant-names.js";
import { namelessActors } from "../../sentences/parts-of-sentence.js";
import { capitalized } from "../../sentences/thing-phrase.js";
import { thingWords } from "../../sentences/thing-words.js";
import { auditWords } from "./words.js";

const WHILE_TYPING_MS = 300;

/** A filter by who acted: people type a part of a name and choose; what no name has is taken as an id. */
export function ActorField({
  label,
  value,
  tenantId,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  /** The tenant whose people are offered; null: operators. */
  readonly tenantId: string | null;
  readonly onChange: (value: string) => void;
}) {
  const words = useWords(auditWords);
  const { actors, kinds } = useWords(thingWords);
  const tenants = useTenantNames();
  const [typed, setTyped] = useState(value);
  const [text, setText] = useState(value);
  useEffect(() => setTyped(value), [value]);
  const found = useAnswer("/find-actors", { text: text.slice(0, 200), tenant_id: tenantId }, { keepsPrevious: true });
  const proposals: readonly Proposal[] = [
    ...(found.data?.items ?? []).map(({ id, kind, name, email, tenant_id }) => ({
      id,
      name:
        kind === "person"
          ? [name, email !== name && email].filter(Boolean).join(", ")
          : [capitalized(kinds.application.named(name, "")), tenants.nameOf(tenant_id)].filter(Boolean).join(", "),
    })),
    ...namelessActors.map((id) => ({ id, name: capitalized(actors[id]) })),
  ];
  const isPart =
    !proposals.some(({ id }) => id === typed) &&
    proposals.some(({ name }) => name.toLowerCase().includes(typed.toLowerCase()));
  const isSettled = typed === "" || (!isPart && !found.isPlaceholderData);
  useEffect(() => {
    if (typed === value || !isSettled) return;
    const timer = setTimeout(() => onChange(typed), WHILE_TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, value, isSettled, onChange]);
  return (
    <PickField
      {...{ label, proposals }}
      placeholder={words.actorHint}
      hint={tenantId !== null && value === "" && found.data?.items.length === 0 ? words.nobody : undefined}
      value={typed}
      onSearch={setText}
      onChange={setTyped}
    />
  );
}
