import { useAnswer } from "../../api/answers.js";
import { useWords } from "../../language/language.js";
import { Nothing } from "../../listing/nothing.js";
import { useAddress } from "../../parts/address.js";
import { Badge } from "../../parts/badge.js";
import { DataTable } from "../../parts/data-table.js";
import { SelectField } from "../../parts/fields.js";
import { Loading } from "../../parts/loading.js";
import { Moment } from "../../parts/moment.js";
import { Problem } from "../../parts/problem.js";
import { useSize } from "../../parts/size.js";
import { feedsWords } from "./words.js";

const states = ["taken", "held", "dropped", "expired"] as const;
const tones = { taken: "good", held: "warn", dropped: "neutral", expired: "bad" } as const;

/** Files that came from sources, with the outcome of each. */
export function TakenFiles() {
  const words = useWords(feedsWords);
  const sizeText = useSize();
  const { search, setSearch } = useAddress();
  const state = states.find((one) => one === search.state) ?? null;
  const sources = useAnswer("/operator/v1/sources/list", {}).data?.items ?? [];
  const source = search.source ?? "";
  const found = useAnswer(
    "/operator/v1/sources/list-files",
    { source: source || null, state, limit: 1_000 },
    { keepsPrevious: true },
  );
  return (
    <>
      <div className="filters">
        <SelectField
          label={words.state}
          value={state ?? ""}
          options={[
            { value: "", label: words.all },
            ...states.map((one) => ({ value: one, label: words.fileStates[one] })),
          ]}
          onChange={(one) => setSearch({ state: one })}
        />
        <SelectField
          label={words.source}
          value={source}
          options={[
            { value: "", label: words.all },
            ...sources.map(({ source: name }) => ({ value: name, label: name })),
          ]}
          onChange={(one) => setSearch({ source: one })}
        />
      </div>
      <Problem problem={found.error} onRetry={() => void found.refetch()} />
      {found.isPending && !found.error && <Loading />}
      {found.data?.items.length === 0 && (
        <Nothing
          empty={{ title: words.noneTaken, text: words.noneTakenText }}
          clear={state || source ? () => setSearch({ state: "", source: "" }) : null}
        />
      )}
      {found.data && found.data.items.length > 0 && (
        <DataTable
          caption={words.taken}
          rows={found.data.items}
          keyOf={({ file_id }) => file_id}
          columns={[
            { id: "name", header: words.file, cell: ({ name }) => name },
            {
              id: "state",
              header: words.state,
              cell: (file) => <Badge tone={tones[file.state]}>{words.fileStates[file.state]}</Badge>,
            },
            { id: "source", header: words.source, cell: ({ source }) => source, isWideOnly: true },
            { id: "came", header: words.came, cell: ({ came_at }) => <Moment at={came_at} /> },
            { id: "size", header: words.size, isNumeric: true, cell: ({ size }) => sizeText(size), isWideOnly: true },
          ]}
        />
      )}
    </>
  );
}
