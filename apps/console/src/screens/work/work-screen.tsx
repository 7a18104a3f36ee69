import type { KeyboardEvent } from "react";
import { usePages } from "../../api/pages.js";
import { usePerson } from "../../api/session.js";
import { useLanguage, useWords } from "../../language/language.js";
import { listWords } from "../../listing/list-words.js";
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
import { workWords } from "./words.js";
import { WorkActionButton } from "./work-action.js";
import { WorkFacts } from "./work-facts.js";
import { nameOf, placeOf, type WorkKind, type WorkLine, workKinds } from "./work-places.js";

/** The server stops counting the lines of a kind here. */
const MAX_COUNTED = 1_000;

const tones = { high: "bad", medium: "warn", low: "neutral" } as const;

/** The work queue: what needs attention now. It is the start screen. */
export default function WorkScreen() {
  const { retry } = useWords(listWords);
  const words = useWords(workWords);
  const language = useLanguage();
  const { audience } = usePerson();
  const { search, setSearch } = useAddress();
  const kind = workKinds.find((each) => each === search.kind);
  const isOperator = audience === "operator";
  const kinds = kind && [kind];
  const found = usePages(isOperator ? "/operator/v1/work/list" : "/events/v1/list-work", {
    page_size: 100,
    ...(kinds && { kinds: kinds as never }),
    ...(isOperator && search.tenant && { tenant_id: search.tenant }),
  });
  const counts: Readonly<Partial<Record<WorkKind, number>>> = found.page?.counts ?? {};
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const number = new Intl.NumberFormat(language);
  const countOf = (count: number) => `${number.format(count)}${count >= MAX_COUNTED ? "+" : ""}`;

  const columns: readonly Column<WorkLine>[] = [
    {
      id: "what",
      header: words.what,
      cell: (line) => (
        <>
          <Link {...placeOf(line)}>
            {words.kinds[line.kind]}: {nameOf(line)}
          </Link>
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
    { id: "since", header: words.since, cell: ({ since }) => <Moment at={since} />, isWideOnly: true },
    { id: "next", header: words.next, cell: (line) => <WorkActionButton line={line} /> },
  ];

  return (
    <Screen title={words.title} lead={words.lead}>
      <Problem problem={found.error}>
        <Button onClick={found.retry}>{retry}</Button>
      </Problem>
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
      {!found.isPending && found.table.count === 0 && (
        <Empty title={kind && all > 0 ? words.nothingOfKind : words.nothing}>
          {kind && all > 0 ? (
            <Button onClick={() => setSearch({ kind: "" }, true)}>{words.showAll}</Button>
          ) : (
            <p>{words.nothingLead}</p>
          )}
        </Empty>
      )}
      {found.table.count > 0 && (
        // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the table's rows, which have the focus.
        <div onKeyDown={act}>
          <DataTable caption={words.title} columns={columns} {...found.table} keyOf={keyOf} />
          <p className="hint">{words.keys}</p>
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

function keyOf({ kind, subject }: WorkLine): string {
  return `${kind} ${subject.id}`;
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
