import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useAnswer } from "../../api/answers.js";
import { type TableOf, usePages } from "../../api/pages.js";
import { usePerson } from "../../api/session.js";
import { useLanguage, useWords } from "../../language/language.js";
import { useBeginning } from "../../listing/beginning.js";
import { nameWithClient } from "../../listing/client-name.js";
import { clientWords } from "../../listing/client-words.js";
import { listWords } from "../../listing/list-words.js";
import { Nothing } from "../../listing/nothing.js";
import { SavedViews } from "../../listing/saved-views.js";
import { useAddress } from "../../parts/address.js";
import { Badge } from "../../parts/badge.js";
import { Button } from "../../parts/button.js";
import { DataTable, type Selection } from "../../parts/data-table.js";
import { CheckField, SelectField } from "../../parts/fields.js";
import { Link } from "../../parts/link.js";
import { Loading } from "../../parts/loading.js";
import { Menu } from "../../parts/menu.js";
import { Moment } from "../../parts/moment.js";
import { Problem } from "../../parts/problem.js";
import { Screen } from "../../parts/screen.js";
import { restOf } from "../../shell/runs.js";
import { useStored } from "../../shell/stored.js";
import { BulkMoves } from "./bulk-moves.js";
import { exportLetters, saveFile } from "./export-letters.js";
import { FilterText } from "./filter-text.js";
import { LetterBoard } from "./letter-board.js";
import { filterNames, filtersIn, orders, searchOf } from "./letter-filters.js";
import { badgeTone, type ListedLetter, letterTerms } from "./letter-terms.js";
import { moveRun } from "./move-run.js";
import { RequestLetter } from "./request-letter.js";
import { SubmitTenantLetter } from "./submit-letter.js";
import { lettersWords } from "./words.js";

/** All letters: a strip of statuses, and a table with search, bulk moves and export. */
export default function LettersScreen() {
  const { retry } = useWords(listWords);
  const words = useWords(lettersWords);
  const { may } = usePerson();
  const { search, setSearch } = useAddress();
  const number = new Intl.NumberFormat(useLanguage());
  const cleared = Object.fromEntries(filterNames.map((name) => [name, name === "order" ? (search.order ?? "") : ""]));
  /** The names of the selected letters by id, since distant rows are not kept. */
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(new Map());
  const [isMoving, setMoving] = useState(false);
  /** The search all of whose letters are selected, as text; another search ends that. */
  const [allOf, setAllOf] = useState<string | null>(null);
  const [isSubmitting, setSubmitting] = useBeginning("submit");
  const [isRequesting, setRequesting] = useBeginning("request");
  const asked = searchOf(search, new Date());
  const found = usePages("/operator/v1/letters/search", asked);
  const mayWork = may("work");
  const all = found.table.total ?? found.table.count;
  const isAll = allOf === JSON.stringify(asked);
  const count = isAll ? all : chosen.size;
  const chooseNone = () => {
    setAllOf(null);
    setChosen(new Map());
  };
  const choose = (ids: ReadonlySet<string>) => {
    const names = new Map(found.table.rows.map((letter) => [letter.id, nameOf(letter)]));
    setAllOf(null);
    setChosen(new Map([...ids].map((id) => [id, chosen.get(id) ?? names.get(id) ?? id])));
  };
  const nothing = filtersIn(search) > 0 ? words.noneFound : words.noneYet;
  return (
    <Screen
      title={words.title}
      actions={
        <>
          <ExportButton asked={asked} />
          {mayWork && (
            <Menu
              label={words.begin}
              items={[
                { label: words.submit, onSelect: () => setSubmitting(true) },
                { label: words.request, onSelect: () => setRequesting(true) },
              ]}
            />
          )}
          {mayWork && (
            <Button look="first" reason={count === 0 ? words.chooseFirst : null} onClick={() => setMoving(true)}>
              {words.moveChosen(count)}
            </Button>
          )}
        </>
      }
    >
      {!isMoving && <UnfinishedRun onShow={() => setMoving(true)} />}
      <LetterBoard tenantId={search.tenant} />
      <Filters />
      <Problem problem={found.error}>
        <Button onClick={found.retry}>{retry}</Button>
      </Problem>
      {found.isPending && !found.error && <Loading lines={8} />}
      <p className="quiet" role="status">
        {!found.isPending && found.table.count > 0 && words.found(found.table.total ?? found.table.count)}
        {!found.isPending && found.table.count === 0 && <span className="spoken">{nothing}</span>}
      </p>
      {!found.isPending && found.table.count === 0 && (
        <Nothing
          empty={{ title: words.noneYet, text: words.noneYetText }}
          clear={filtersIn(search) > 0 ? () => setSearch(cleared) : null}
        />
      )}
      {chosen.size > 0 && (
        <p className="actions">
          {isAll ? words.allChosen(number.format(all)) : words.chosen(number.format(chosen.size))}
          {!isAll && all > chosen.size && (
            <Button look="plain" onClick={() => setAllOf(JSON.stringify(asked))}>
              {words.chooseAll(number.format(all))}
            </Button>
          )}
          <Button look="plain" onClick={chooseNone}>
            {words.chooseNone}
          </Button>
        </p>
      )}
      {found.table.count > 0 && (
        <LetterTable
          table={found.table}
          {...(mayWork && { selection: { chosen: new Set(chosen.keys()), onChange: choose } })}
        />
      )}
      {isSubmitting && <SubmitTenantLetter onClose={() => setSubmitting(false)} />}
      {isRequesting && <RequestLetter onClose={() => setRequesting(false)} />}
      {isMoving && (
        <BulkMoves
          ids={[...chosen.keys()]}
          matching={isAll ? { matching: asked, shown: all } : undefined}
          nameOf={(letterId) => chosen.get(letterId)}
          onClose={() => {
            setMoving(false);
            chooseNone();
          }}
        />
      )}
    </Screen>
  );
}

/** Of a run that was stopped, or interrupted by a reload. */
function UnfinishedRun({ onShow }: { readonly onShow: () => void }) {
  const words = useWords(lettersWords);
  const number = new Intl.NumberFormat(useLanguage());
  const { person_id } = usePerson();
  const here = useStored(moveRun.here);
  if (here === null || here.person !== person_id) return null;
  const { left } = restOf(here);
  if (left === 0) return null;
  return (
    <p className="notice">
      {words.unfinished(number.format(left), number.format(here.items.length))}{" "}
      <Button onClick={onShow}>{words.lookAtRun}</Button>
    </p>
  );
}

function nameOf(letter: ListedLetter): string {
  return nameWithClient(letter, `${letter.custodian}, ${letter.tenant}`);
}

function LetterTable({ table, selection }: { readonly table: TableOf<ListedLetter>; readonly selection?: Selection }) {
  const words = useWords(lettersWords);
  const terms = useWords(letterTerms);
  const { search, setSearch } = useAddress();
  const sort = {
    value: Object.keys(orders).find((name) => orders[name] === search.order) ?? "-created",
    onChange: (value: string) => setSearch({ order: value === "-created" ? "" : (orders[value] ?? "") }, true),
    usual: "-created",
  };
  return (
    <DataTable
      caption={words.title}
      keyOf={({ id }) => id}
      {...table}
      {...(selection && { selection })}
      sort={sort}
      nameOf={nameOf}
      columns={[
        {
          id: "custodian",
          header: terms.custodian,
          cell: (letter) => <Link to={`/letters/${letter.id}`}>{nameWithClient(letter, letter.custodian)}</Link>,
        },
        {
          id: "status",
          header: terms.status,
          cell: ({ status, remarks, days_in_status }) => (
            <>
              <Badge tone={badgeTone(status)}>{terms.statuses[status]}</Badge>
              {remarks.length > 0 && (
                <span className="under">
                  <Badge tone="bad">{words.remarks(remarks.length)}</Badge>
                </span>
              )}
              <span className="narrow quiet">{terms.days(days_in_status)}</span>
            </>
          ),
        },
        {
          id: "age",
          header: terms.inStatus,
          isNumeric: true,
          isWideOnly: true,
          sorts: ["-age", "age"],
          cell: ({ days_in_status }) => terms.days(days_in_status),
        },
        { id: "tenant", beneath: "custodian", header: terms.tenant, cell: ({ tenant }) => tenant, isWideOnly: true },
        {
          id: "labels",
          header: terms.labels,
          isWideOnly: true,
          cell: ({ labels }) =>
            Object.entries(labels)
              .slice(0, 3)
              .map(([key, value]) => `${key}=${value}`)
              .join(", "),
        },
        {
          id: "created",
          header: terms.created,
          isWideOnly: true,
          sorts: ["-created", "created"],
          cell: ({ created_at }) => <Moment at={created_at} />,
        },
        {
          id: "changed",
          header: terms.changed,
          isWideOnly: true,
          sorts: ["-changed", "changed"],
          cell: ({ updated_at }) => <Moment at={updated_at} />,
        },
        {
          id: "next",
          beneath: "status",
          header: terms.toDo,
          isWideOnly: true,
          cell: ({ to_do }) => (to_do.by === "nobody" ? null : terms.parties[to_do.by]),
        },
      ]}
    />
  );
}

/** The filters in use most, and the others on demand; those are there from the beginning where the address has one. */
function Filters() {
  const words = useWords(lettersWords);
  const terms = useWords(letterTerms);
  const whose = useWords(clientWords);
  const shared = useWords(listWords);
  const { search, setSearch } = useAddress();
  const tenants = useAnswer("/operator/v1/tenants/list", {}).data?.items ?? [];
  const others = (["client", "custodian", "label", "tenant", "days"] as const).filter((name) => search[name]).length;
  const [hasMore, setMore] = useState(others > 0);
  return (
    <search className="filters" aria-label={words.filters}>
      <FilterText name="text" label={words.text} />
      <CheckField
        label={words.stuck}
        checked={search.stuck === "yes"}
        onChange={(isStuck) => setSearch({ stuck: isStuck ? "yes" : "" }, true)}
      />
      <Button icon="filter" aria-expanded={hasMore} onClick={() => setMore(!hasMore)}>
        {shared.moreFilters(others)}
      </Button>
      <SavedViews names={filterNames} />
      {filtersIn(search) > 0 && (
        <Button look="plain" onClick={() => setSearch(Object.fromEntries(filterNames.map((name) => [name, ""])), true)}>
          {words.clear}
        </Button>
      )}
      {hasMore && (
        <div className="filters">
          <FilterText name="client" label={whose.client} />
          <FilterText name="custodian" label={terms.custodian} />
          <FilterText name="label" label={words.label} placeholder={words.labelForm} />
          <SelectField
            label={terms.tenant}
            value={search.tenant ?? ""}
            options={[
              { value: "", label: words.allTenants },
              ...tenants.map(({ tenant_id, name }) => ({ value: tenant_id, label: name })),
            ]}
            onChange={(tenant) => setSearch({ tenant }, true)}
          />
          <FilterText name="days" label={words.days} inputMode="numeric" />
        </div>
      )}
    </search>
  );
}

function ExportButton({ asked }: { readonly asked: ReturnType<typeof searchOf> }) {
  const words = useWords(lettersWords);
  const [progress, setProgress] = useState<string | null>(null);
  const run = useMutation({
    async mutationFn() {
      const file = await exportLetters(
        asked,
        (read, total) => setProgress(`${read} / ${total}`),
        new AbortController().signal,
      );
      saveFile(file, `letters-${new Date().toISOString().slice(0, 10)}.csv`);
    },
    onSettled: () => setProgress(null),
  });
  return (
    <>
      <Problem problem={run.error} />
      <Button icon="download" isBusy={run.isPending} onClick={() => run.mutate()}>
        {progress ?? words.export}
      </Button>
    </>
  );
}
