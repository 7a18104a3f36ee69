import "./work.css";
import { type KeyboardEvent, useEffect, useState } from "react";
import { forget } from "../../api/answers.js";
import { usePages } from "../../api/pages.js";
import type { BodyOf } from "../../api/paths.js";
import { usePerson } from "../../api/session.js";
import { labelled, useLanguage, useWords } from "../../language/language.js";
import { clientWords } from "../../listing/client-words.js";
import { type Filter, FilterBar, useFilters } from "../../listing/filter-bar.js";
import { listWords } from "../../listing/list-words.js";
import { useTenantNames } from "../../listing/tenant-names.js";
import { useAddress } from "../../parts/address.js";
import { Badge } from "../../parts/badge.js";
import { Button } from "../../parts/button.js";
import { type Column, DataTable } from "../../parts/data-table.js";
import { Empty } from "../../parts/empty.js";
import { Link } from "../../parts/link.js";
import { Loading } from "../../parts/loading.js";
import { Moment } from "../../parts/moment.js";
import { Problem } from "../../parts/problem.js";
import { Screen } from "../../parts/screen.js";
import { NothingToDo } from "./first-steps.js";
import { useWorkers } from "./mark-dialogs.js";
import { workWords } from "./words.js";
import { WorkActionButton } from "./work-action.js";
import { WorkBulk } from "./work-bulk.js";
import { WorkFacts } from "./work-facts.js";
import { keyOfLine, nameOf, placeOf, type WorkKind, type WorkLine, workKinds } from "./work-places.js";

/** The server stops counting the lines of a kind here. */
const MAX_COUNTED = 10_000;
/** Snoozed lines come back by themselves. */
const RENEWED_MS = 60_000;

const tones = { high: "bad", medium: "warn", low: "neutral" } as const;

/** The work queue: what needs attention now. It is the start screen. */
export default function WorkScreen() {
  const { retry } = useWords(listWords);
  const words = useWords(workWords);
  const language = useLanguage();
  const { audience, may } = usePerson();
  const { search, setSearch } = useAddress();
  const kind = workKinds.find((each) => each === search.kind);
  const isOperator = audience === "operator";
  const asked: BodyOf<"/operator/v1/work/list"> = {
    ...(kind && { kinds: [kind] }),
    ...(isOperator && search.tenant && { tenant_id: search.tenant }),
    ...(search.text && { search: search.text }),
    ...(search.custodian && { custodian: search.custodian }),
    ...(search.client && { client_refs: [search.client] }),
    ...(search.owner && { owner: search.owner }),
    ...(search.snoozed && { snoozed: true }),
  };
  const found = usePages(isOperator ? "/operator/v1/work/list" : "/events/v1/list-work", {
    page_size: 100,
    ...(asked as object),
  });
  /** The selected lines by key, since distant rows are not kept. */
  const [chosen, setChosen] = useState<ReadonlyMap<string, WorkLine>>(new Map());
  const chooseLines = (lines: readonly WorkLine[]) => setChosen(new Map(lines.map((line) => [keyOfLine(line), line])));
  const list = JSON.stringify(asked);
  useEffect(() => setChosen(new Map()), [list]);
  useEffect(() => {
    const timer = setInterval(() => void forget(["/operator/v1/work/", "/events/v1/list-work"]), RENEWED_MS);
    return () => clearInterval(timer);
  }, []);
  const filters = useWorkFilters();
  const { clear } = useFilters(filters);
  const isNarrowed = kind !== undefined || clear !== null;
  const counts: Readonly<Partial<Record<WorkKind, number>>> = found.page?.counts ?? {};
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const number = new Intl.NumberFormat(language);
  const countOf = (count: number) => `${number.format(count)}${count >= MAX_COUNTED ? "+" : ""}`;

  function choose(keys: ReadonlySet<string>): void {
    const shown = new Map(found.table.rows.map((line) => [keyOfLine(line), line]));
    chooseLines([...keys].flatMap((key) => chosen.get(key) ?? shown.get(key) ?? []));
  }

  const columns: readonly Column<WorkLine>[] = [
    {
      id: "what",
      header: words.what,
      cell: (line) => (
        <>
          <Link {...placeOf(line)}>{labelled(words.kinds[line.kind], nameOf(line))}</Link>
          <WorkFacts line={line} />
        </>
      ),
    },
    {
      id: "severity",
      header: "",
      cell: ({ severity }) => <Badge tone={tones[severity]}>{words.severities[severity]}</Badge>,
      isWideOnly: true,
    },
    ...(isOperator
      ? [
          {
            id: "tenant",
            header: words.tenant,
            cell: ({ tenant, tenant_id }: WorkLine) =>
              tenant_id === null ? <span className="quiet">{words.installation}</span> : (tenant ?? tenant_id),
            isWideOnly: true,
          },
        ]
      : []),
    {
      id: "owner",
      header: words.marks.owner,
      cell: ({ owner }) => owner && <Owner name={owner.name} />,
      isWideOnly: true,
    },
    { id: "since", header: words.since, cell: ({ since }) => <Moment at={since} />, isWideOnly: true },
    { id: "next", header: words.next, cell: (line) => <WorkActionButton line={line} /> },
  ];

  return (
    <Screen title={words.title} lead={words.lead}>
      <Problem problem={found.error}>
        <Button onClick={found.retry}>{retry}</Button>
      </Problem>
      <FilterBar filters={filters} />
      {found.isPending && !found.error && <Loading lines={6} />}
      {!found.isPending && all > 0 && (
        <fieldset className="actions">
          <legend className="spoken">{words.filter}</legend>
          <Choice
            name={words.all}
            count={countOf(all)}
            isChosen={!kind}
            onChoose={() => setSearch({ kind: "" }, true)}
          />
          {workKinds
            .filter((each) => (counts[each] ?? 0) > 0 || each === kind)
            .map((each) => (
              <Choice
                key={each}
                name={words.kinds[each]}
                count={countOf(counts[each] ?? 0)}
                isChosen={each === kind}
                onChoose={() => setSearch({ kind: each === kind ? "" : each }, true)}
              />
            ))}
        </fieldset>
      )}
      {!found.isPending && !found.error && found.table.count === 0 && !isNarrowed && <NothingToDo />}
      {!found.isPending && found.table.count === 0 && isNarrowed && (
        <Empty title={words.nothingForFilter}>
          <Button
            onClick={() => {
              clear?.();
              setSearch({ kind: "" }, true);
            }}
          >
            {words.showAll}
          </Button>
        </Empty>
      )}
      {may("work") && (
        <WorkBulk
          chosen={[...chosen.values()]}
          lineOf={found.table.rowAt}
          search={asked}
          all={kind ? (counts[kind] ?? 0) : all}
          onChoose={chooseLines}
        />
      )}
      {found.table.count > 0 && (
        // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the table's rows, which have the focus.
        <div onKeyDown={act}>
          <DataTable
            caption={words.title}
            columns={columns}
            {...found.table}
            keyOf={keyOfLine}
            nameOf={(line) => labelled(words.kinds[line.kind], nameOf(line))}
            {...(may("work") && { selection: { chosen: new Set(chosen.keys()), onChange: choose } })}
          />
          <p className="hint by-keys">{words.keys}</p>
        </div>
      )}
    </Screen>
  );
}

/** A kind of line with its count; pressing it filters the list to that kind. */
function Choice({
  name,
  count,
  isChosen,
  onChoose,
}: {
  readonly name: string;
  readonly count: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}) {
  return (
    <Button look={isChosen ? "first" : "usual"} aria-pressed={isChosen} onClick={onChoose}>
      {name} {count}
    </Button>
  );
}

/** Who looks after a line: initials and name. */
function Owner({ name }: { readonly name: string }) {
  const initials = name
    .split(/\s+/)
    .map((part) => part[0] ?? "")
    .slice(0, 2)
    .join("")
    .toUpperCase();
  return (
    <span className="work-owner">
      <span className="initials" aria-hidden="true">
        {initials}
      </span>
      {name}
    </span>
  );
}

/** The filters besides the kind. */
function useWorkFilters(): readonly Filter[] {
  const words = useWords(workWords);
  const { audience, person_id } = usePerson();
  const { marks } = words;
  const { client } = useWords(clientWords);
  const tenants = useTenantNames();
  const others = useWorkers().filter((person) => person.person_id !== person_id);
  return [
    { kind: "text", name: "text", label: marks.search },
    ...(audience === "operator"
      ? [{ kind: "choice", name: "tenant", label: words.tenant, options: tenants.options } as const]
      : []),
    { kind: "client", name: "client", label: client },
    { kind: "text", name: "custodian", label: marks.custodian },
    {
      kind: "choice",
      name: "owner",
      label: marks.owner,
      none: marks.anybody,
      options: [
        { value: "me", label: marks.mine },
        { value: "nobody", label: marks.nobody },
        ...others.map(({ person_id: value, name, email }) => ({ value: value as string, label: name || email })),
      ],
    },
    {
      kind: "choice",
      name: "snoozed",
      label: marks.shown,
      none: marks.notSnoozed,
      options: [{ value: "yes", label: marks.snoozed }],
    },
  ];
}

/** `a` runs the next action of the focused line. */
function act(event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  const isTyped = event.ctrlKey || event.metaKey || event.altKey || target.matches("input, select, textarea");
  if (event.key !== "a" || isTyped || target.closest("dialog")) return;
  const next = target.closest("tr[data-row]")?.querySelector<HTMLElement>("[data-next]");
  if (!next) return;
  event.preventDefault();
  next.click();
}
