import { useEffect, useRef, useState } from "react";
import { ApiProblem } from "../../api/api-problem.js";
import { call } from "../../api/call.js";
import type { BodyOf } from "../../api/paths.js";
import { usePerson } from "../../api/session.js";
import { useLanguage, useWords } from "../../language/language.js";
import { Button } from "../../parts/button.js";
import { isForPage } from "../../parts/page-keys.js";
import { Problem } from "../../parts/problem.js";
import { waitingMoves } from "../../undo/waiting-moves.js";
import { BulkMoves } from "../letters/bulk-moves.js";
import { BulkNext } from "./bulk-next.js";
import { HandOver, Snooze } from "./mark-dialogs.js";
import { RunNotice, RunResults, useOwnRun } from "./run-results.js";
import { workWords } from "./words.js";
import { type BulkStep, bulkStepsFor, nameOf, type WorkLine } from "./work-places.js";
import { startStep, workRun } from "./work-run.js";

type Search = BodyOf<"/operator/v1/work/list">;

/**
 * What can be done with the selected lines, or by `t`, `s` and `h` with the focused one; then what became of them, with a way back. Letters are moved
 * with the preview that the list of letters has.
 */
export function WorkBulk({
  chosen,
  lineOf,
  search,
  all,
  onChoose,
}: {
  readonly chosen: readonly WorkLine[];
  /** The line of a row that is drawn. */
  readonly lineOf: (index: number) => WorkLine | undefined;
  readonly search: Search;
  /** How many lines match the filters. */
  readonly all: number;
  readonly onChoose: (lines: readonly WorkLine[]) => void;
}) {
  const { marks, bulk } = useWords(workWords);
  const me = usePerson();
  const { audience } = me;
  const number = new Intl.NumberFormat(useLanguage());
  const { run, undo } = useOwnRun();
  const [asking, setAsking] = useState<{ what: "handOver" | "snooze"; lines: readonly WorkLine[] } | null>(null);
  const [isShowing, setShowing] = useState(false);
  const [next, setNext] = useState<{ step: BulkStep; lines: readonly WorkLine[] } | null>(null);
  const [moving, setMoving] = useState<readonly WorkLine[] | null>(null);
  const everything = useEverything(search, onChoose);
  const isBusy = run?.isRunning === true;
  // What was done is told until the screen is left; a reload does not come here.
  useEffect(
    () => () => {
      const left = workRun.here.get();
      if (left && left.outcomes.length === left.items.length) workRun.end();
    },
    [],
  );

  function act(what: "take" | "wake" | "handOver" | "snooze", lines: readonly WorkLine[]): void {
    if (lines.length === 0 || isBusy) return;
    if (what === "handOver" || what === "snooze") setAsking({ what, lines });
    else make({ what }, lines);
  }
  function make(step: Parameters<typeof startStep>[1], lines: readonly WorkLine[]): void {
    setAsking(null);
    setNext(null);
    startStep(me, step, lines);
    if (lines === chosen) onChoose([]);
  }

  useMarkKeys((what, index) => {
    if (what === "undo") {
      undo?.();
      return;
    }
    const focused = index === null ? undefined : lineOf(index);
    act(what, chosen.length > 0 ? chosen : focused ? [focused] : []);
  });

  const letters = chosen.filter(({ subject }) => subject.type === "letter");
  const areLetters = audience === "operator" && letters.length > 0 && letters.length === chosen.length;
  const isSnoozed = search.snoozed === true;
  return (
    <>
      <RunNotice onShow={() => setShowing(true)} />
      <Problem problem={everything.problem} />
      {chosen.length > 0 && (
        <fieldset className="actions work-bulk">
          <legend className="spoken">{marks.chosen(number.format(chosen.length))}</legend>
          <span>{marks.chosen(number.format(chosen.length))}</span>
          {all > chosen.length && (
            <Button look="plain" isBusy={everything.isBusy} onClick={everything.load}>
              {marks.chooseAll(number.format(all))}
            </Button>
          )}
          <Button look="first" isBusy={isBusy} onClick={() => act("take", chosen)}>
            {marks.take}
          </Button>
          <Button isBusy={isBusy} onClick={() => act("handOver", chosen)}>
            {marks.handOver}
          </Button>
          {isSnoozed ? (
            <Button isBusy={isBusy} onClick={() => act("wake", chosen)}>
              {marks.wake}
            </Button>
          ) : (
            <Button isBusy={isBusy} onClick={() => act("snooze", chosen)}>
              {marks.snooze}
            </Button>
          )}
          {areLetters && <Button onClick={() => setMoving(letters)}>{marks.moveLetters(letters.length)}</Button>}
          {audience === "operator" &&
            bulkStepsFor(chosen).map((each) => (
              <Button key={each.step} isBusy={isBusy} onClick={() => setNext(each)}>
                {bulk.steps[each.step](each.lines.length)}
              </Button>
            ))}
          <Button look="plain" onClick={() => onChoose([])}>
            {marks.clear}
          </Button>
        </fieldset>
      )}
      {asking?.what === "handOver" && (
        <HandOver
          count={asking.lines.length}
          onMake={(step) => make(step, asking.lines)}
          onClose={() => setAsking(null)}
        />
      )}
      {asking?.what === "snooze" && (
        <Snooze
          count={asking.lines.length}
          onMake={(step) => make(step, asking.lines)}
          onClose={() => setAsking(null)}
        />
      )}
      {next && (
        <BulkNext
          {...next}
          onMake={(note) => {
            make({ what: next.step, note }, next.lines);
            onChoose([]);
            setShowing(true);
          }}
          onClose={() => setNext(null)}
        />
      )}
      {isShowing && run && <RunResults onClose={() => setShowing(false)} />}
      {moving && <MoveLetters lines={moving} onClose={() => setMoving(null)} onDone={() => onChoose([])} />}
    </>
  );
}

function MoveLetters({
  lines,
  onClose,
  onDone,
}: {
  readonly lines: readonly WorkLine[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const names = new Map(lines.map((line) => [line.subject.id, nameOf(line)]));
  return (
    <BulkMoves
      ids={[...names.keys()]}
      nameOf={(id) => names.get(id)}
      onClose={() => {
        onClose();
        onDone();
      }}
    />
  );
}

const keys = { t: "take", s: "snooze", h: "handOver", z: "undo" } as const;

/** `t`, `s`, `h` and `z` work from anywhere that is not a field. @param onKey gets the index of the focused row */
function useMarkKeys(onKey: (what: (typeof keys)[keyof typeof keys], index: number | null) => void): void {
  const newest = useRef(onKey);
  useEffect(() => {
    newest.current = onKey;
  });
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const target = event.target as Element;
      const what = keys[event.key as keyof typeof keys];
      if (what === undefined || !isForPage(event) || target.closest("[role=menu]")) return;
      // A mail that waits is undone by its notice, which has the same key.
      if (what === "undo" && waitingMoves.get().length > 0) return;
      const row = target.closest<HTMLElement>("tr[data-row]");
      event.preventDefault();
      newest.current(what, row ? Number(row.dataset.row) : null);
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, []);
}

/** Loads all lines that match, page by page, and selects them. */
function useEverything(search: Search, onChoose: (lines: readonly WorkLine[]) => void) {
  const { audience } = usePerson();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  async function load(): Promise<void> {
    setBusy(true);
    setProblem(null);
    const found: WorkLine[] = [];
    const path = audience === "operator" ? "/operator/v1/work/list" : "/events/v1/list-work";
    try {
      for (let page_token: string | null | undefined; page_token !== null; ) {
        const body = { ...search, page_size: 200, ...(page_token !== undefined && { page_token }) };
        const page = await call(path, body as never);
        found.push(...page.items);
        page_token = page.next_page_token;
      }
      onChoose(found);
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      setProblem(error);
    } finally {
      setBusy(false);
    }
  }
  return { isBusy, problem, load: () => void load() };
}
