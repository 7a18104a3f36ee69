import { useState } from "react";
import type { BodyOf } from "../../api/paths.js";
import { usePerson } from "../../api/session.js";
import { labelled, useWords } from "../../language/language.js";
import { ConnectorName } from "../../listing/connector-field.js";
import { ConfirmChange, FormDialog, type FormValues } from "../../listing/form-dialog.js";
import type { FieldControl } from "../../listing/form-field.js";
import { List, type RowOf } from "../../listing/list.js";
import { listWords } from "../../listing/list-words.js";
import { NewButton } from "../../listing/new-button.js";
import { useTenantNames } from "../../listing/tenant-names.js";
import { Link } from "../../parts/link.js";
import { Moment } from "../../parts/moment.js";
import { showToast } from "../../parts/toast.js";
import { TargetField, TargetName } from "../feeds/target-fields.js";
import { sourceWords } from "./words.js";

type Rule = RowOf<"/operator/v1/sources/list-routes">;
type NewRule = BodyOf<"/operator/v1/sources/add-route">;

const conditions = ["account", "servicer", "sender", "name"] as const;
const targets = ["connector_id", "letter_id", "connection_id"] as const;
type Target = (typeof targets)[number];

/** The rules that route a source's files. */
export function SourceRules({ source }: { readonly source: string }) {
  const words = useWords(sourceWords);
  const general = useWords(listWords);
  const { may } = usePerson();
  const [making, setMaking] = useState<Target | null>(null);
  const [removing, setRemoving] = useState<Rule | null>(null);
  return (
    <section aria-label={words.rules}>
      <h2>{words.rules}</h2>
      <p className="quiet">{words.rulesLead}</p>
      {may("administer") && (
        <div className="actions">
          {targets.map((target) => (
            <NewButton key={target} look="usual" onClick={() => setMaking(target)}>
              {labelled(words.newRule, words.toKinds[target])}
            </NewButton>
          ))}
        </div>
      )}
      <List
        path="/operator/v1/sources/list-routes"
        body={{ source }}
        caption={words.rules}
        keyOf={({ route_id }) => route_id}
        nameOf={(rule) => whenText(rule) || words.always}
        columns={[
          { id: "when", header: words.when, cell: (rule) => whenText(rule) || words.always },
          { id: "to", header: words.to, cell: (rule) => <ToWhom rule={rule} /> },
          {
            id: "created",
            header: general.created,
            cell: ({ created_at }) => <Moment at={created_at} />,
            isWideOnly: true,
          },
        ]}
        {...(may("administer") && {
          actionsOf: (rule: Rule) => [
            { label: general.remove, look: "ends" as const, onSelect: () => setRemoving(rule) },
          ],
        })}
        empty={{ title: words.noRules, text: words.noRulesText }}
      />
      {making && <NewRuleDialog source={source} target={making} onClose={() => setMaking(null)} />}
      {removing && (
        <ConfirmChange
          {...{ title: labelled(general.remove, whenText(removing) || words.always), action: general.remove }}
          path="/operator/v1/sources/remove-route"
          body={{ route_id: removing.route_id }}
          effects={[words.removeRuleText]}
          onClose={() => setRemoving(null)}
        >
          <ToWhom rule={removing} />
        </ConfirmChange>
      )}
    </section>
  );

  function whenText({ when }: Rule): string {
    return conditions
      .flatMap((name) => (typeof when[name] === "string" ? [labelled(words.ruleFields[name], when[name])] : []))
      .join(", ");
  }
}

function ToWhom({ rule: { to } }: { readonly rule: Rule }) {
  const words = useWords(sourceWords);
  const tenants = useTenantNames();
  const target = targets.find((one) => typeof to[one] === "string");
  if (target === undefined) return null;
  const id = String(to[target]);
  const tenant = typeof to.tenant_id === "string" ? tenants.nameOf(to.tenant_id) : null;
  return (
    <>
      {words.toKinds[target]}:{" "}
      {target === "connector_id" ? (
        <ConnectorName id={id} />
      ) : (
        <Link to={target === "letter_id" ? `/letters/${id}` : `/connections/${id}`}>
          <TargetName kind={target} id={id} />
        </Link>
      )}
      {tenant && ` (${tenant})`}
    </>
  );
}

function NewRuleDialog({
  source,
  target,
  onClose,
}: {
  readonly source: string;
  readonly target: Target;
  readonly onClose: () => void;
}) {
  const words = useWords(sourceWords);
  const general = useWords(listWords);
  const tenants = useTenantNames();
  return (
    <FormDialog
      title={labelled(words.newRule, words.toKinds[target])}
      lead={words.rulesLead}
      path="/operator/v1/sources/add-route"
      action={words.newRule}
      fields={[
        ...conditions.map((name) => ({ name: `when.${name}`, label: words.ruleFields[name] })),
        {
          name: `to.${target}`,
          isRequired: true,
          ...(target === "connector_id"
            ? { label: words.connector, kind: "connector" as const }
            : {
                label: words.toKinds[target],
                control: (field: FieldControl) => <TargetField {...field} kind={target} required />,
              }),
        },
        ...(target === "connector_id"
          ? [
              {
                name: "to.tenant_id",
                label: words.ofTenant,
                kind: "choice" as const,
                options: [{ value: "", label: general.all }, ...tenants.options],
              },
            ]
          : []),
      ]}
      bodyOf={(values) => ({ source, when: partOf(values, "when."), to: partOf(values, "to.") as NewRule["to"] })}
      changes={["/operator/v1/letters/"]}
      onDone={({ retried, taken }) => {
        showToast(words.ruleMade(retried, taken));
        onClose();
      }}
      onClose={onClose}
    />
  );
}

/** The values of the fields with this prefix, without empty ones. */
function partOf(values: FormValues, beginning: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      name.startsWith(beginning) && value.trim() !== "" ? [[name.slice(beginning.length), value.trim()]] : [],
    ),
  );
}
