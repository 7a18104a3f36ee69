import { useState } from "react";
import { useAnswer } from "../../api/answers.js";
import type { AnswerOf } from "../../api/paths.js";
import { usePerson } from "../../api/session.js";
import { useWords } from "../../language/language.js";
import { FormDialog, type FormValues } from "../../listing/form-dialog.js";
import { listWords } from "../../listing/list-words.js";
import { Amount } from "../../parts/amount.js";
import { Badge } from "../../parts/badge.js";
import { Button } from "../../parts/button.js";
import { type Column, DataTable } from "../../parts/data-table.js";
import { Loading } from "../../parts/loading.js";
import { Problem } from "../../parts/problem.js";
import { useSize } from "../../parts/size.js";
import { limitWords } from "./limit-words.js";
import { tenantWords } from "./words.js";

type Limit = AnswerOf<"/operator/v1/tenants/limits">["items"][number];

/** The limits of a tenant, or with null of every tenant, with current usage, and the form to change them. */
export function Limits({ tenantId }: { readonly tenantId: string | null }) {
  const words = useWords(tenantWords);
  const { names, inBytes } = useWords(limitWords);
  const general = useWords(listWords);
  const { may } = usePerson();
  const [isChanging, setChanging] = useState(false);
  const { data, error, refetch } = useAnswer("/operator/v1/tenants/limits", { tenant_id: tenantId });
  if (error) return <Problem problem={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading lines={7} />;
  const own = tenantId === null ? "installation" : "tenant";
  const { items, version } = data;

  return (
    <>
      <p className="lead">{tenantId === null ? words.limitsOfAllLead : words.limitsLead}</p>
      <DataTable
        caption={tenantId === null ? words.limitsOfAll : words.limits}
        rows={items}
        keyOf={({ name }) => name}
        columns={[
          { id: "name", header: words.limit, cell: ({ name }) => names[name] },
          {
            id: "value",
            header: words.value,
            cell: ({ name, value }) => <Counted {...{ name, value }} />,
            isNumeric: true,
          },
          ...(tenantId === null
            ? []
            : ([
                {
                  id: "used",
                  header: words.used,
                  cell: ({ name, used, value }) =>
                    used !== null && (
                      <>
                        <Counted name={name} value={used} />{" "}
                        {used >= value * 0.9 && (
                          <Badge tone="warn">{`${Math.round((used / Math.max(value, 1)) * 100)} %`}</Badge>
                        )}
                      </>
                    ),
                  isNumeric: true,
                },
              ] satisfies Column<Limit>[])),
          { id: "from", header: words.from, cell: ({ source }) => words.sources[source], isWideOnly: true },
        ]}
      />
      {may("administer") && <Button onClick={() => setChanging(true)}>{words.change}</Button>}
      {isChanging && (
        <FormDialog
          title={words.change}
          lead={tenantId === null ? words.limitsOfAllLead : words.limitsLead}
          path="/operator/v1/tenants/change-limits"
          action={general.save}
          version={version}
          fields={items.map(({ name, value, source }) => ({
            name,
            label: isBytes(name) ? inBytes(names[name]) : names[name],
            kind: "number" as const,
            initial: source === own ? String(value) : "",
          }))}
          question={({ history_days: typed = "" }) => {
            const kept = items.find(({ name }) => name === "history_days");
            if (!kept || Number(typed) >= kept.value || (typed === "" && kept.source !== own)) return null;
            return { title: words.shorten, effects: [typed === "" ? words.shortenedToOthers : words.shortened(typed)] };
          }}
          bodyOf={(values) => ({ tenant_id: tenantId, ...changeOf(items, values) })}
          onClose={() => setChanging(false)}
        />
      )}
    </>
  );
}

/** A count, or a size. */
function Counted({ name, value }: { readonly name: string; readonly value: number }) {
  const size = useSize();
  return isBytes(name) ? size(value) : <Amount value={String(value)} />;
}

function isBytes(name: string): boolean {
  return name.endsWith("_bytes");
}

/** The values to set, and the names to reset because their field was emptied. */
function changeOf<Name extends string>(items: readonly { readonly name: Name }[], values: FormValues) {
  const names = items.map(({ name }) => name);
  return {
    set: Object.fromEntries(names.flatMap((name) => (values[name] ? [[name, Number(values[name])]] : []))) as Partial<
      Record<Name, number>
    >,
    reset: names.filter((name) => !values[name]),
  };
}
