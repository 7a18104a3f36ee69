import { useAnswer } from "../../api/answers.js";
import { useWords } from "../../language/language.js";
import { type Filter, FilterBar, useFilters, useOrder } from "../../listing/filter-bar.js";
import { List } from "../../listing/list.js";
import { Badge } from "../../parts/badge.js";
import { Moment } from "../../parts/moment.js";
import { useSize } from "../../parts/size.js";
import { feedsWords } from "./words.js";

const states = ["taken", "held", "dropped", "expired"] as const;
const tones = { taken: "good", held: "warn", dropped: "neutral", expired: "bad" } as const;

/** Files that came from sources, with the outcome of each. */
export function TakenFiles() {
  const words = useWords(feedsWords);
  const sizeText = useSize();
  const sources = useAnswer("/operator/v1/sources/list", {}).data?.items ?? [];
  const filters: readonly Filter[] = [
    {
      kind: "choice",
      name: "state",
      label: words.state,
      options: states.map((value) => ({ value, label: words.fileStates[value] })),
    },
    {
      kind: "choice",
      name: "source",
      label: words.source,
      options: sources.map(({ source }) => ({ value: source, label: source })),
    },
  ];
  const { values, clear } = useFilters(filters);
  const { sort, order, sortsOf } = useOrder({ "-came": "newest", came: "oldest" });
  return (
    <>
      <FilterBar filters={filters} />
      <List
        path="/operator/v1/sources/list-files"
        body={{
          source: values.source ?? null,
          state: states.find((one) => one === values.state) ?? null,
          order,
        }}
        caption={words.taken}
        sort={sort}
        keyOf={({ file_id }) => file_id}
        nameOf={({ name }) => name}
        columns={[
          { id: "name", header: words.file, cell: ({ name }) => name },
          {
            id: "state",
            header: words.state,
            cell: (file) => <Badge tone={tones[file.state]}>{words.fileStates[file.state]}</Badge>,
          },
          { id: "source", header: words.source, cell: ({ source }) => source, isWideOnly: true },
          { id: "came", header: words.came, sorts: sortsOf("came"), cell: ({ came_at }) => <Moment at={came_at} /> },
          { id: "size", header: words.size, isNumeric: true, cell: ({ size }) => sizeText(size), isWideOnly: true },
        ]}
        empty={{ title: words.noneTaken, text: words.noneTakenText }}
        clear={clear}
      />
    </>
  );
}
