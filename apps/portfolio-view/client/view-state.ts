import { bankRequest, PAGE_SIZE, SMALL_PAGE_SIZE } from "../src/answer.js";
import { mergeSources, type Paged, type Reading } from "../src/reading.js";
import type { ShownTool } from "../src/shown-tools.js";
import type { Host } from "./host.js";

/** The state of the view. */
export interface ViewState<A extends Paged> {
  /** The arguments that the assistant gave. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly phase: "waiting" | "cancelled" | "refused" | "shown";
  /** The latest answer, with the rows of all pages read so far. */
  readonly answer: A | null;
  /** Pages that the view fetched itself; 0 while it shows the assistant's answer. */
  readonly pagesRead: number;
  readonly isLoading: boolean;
  readonly isWhole: boolean;
  /** What went wrong, in the words of the server or host; empty if they gave no reason. */
  readonly fault: string | null;
}

/** The state of a view, and the actions of its user. */
export interface ViewStore<A extends Paged> {
  readonly state: () => ViewState<A>;
  readonly subscribe: (onChange: () => void) => () => void;
  took(args: Readonly<Record<string, unknown>>): void;
  gotResult(result: unknown): void;
  cancelled(): void;
  /** Reads the next page, or all remaining ones. */
  readMore(all: boolean): Promise<void>;
  /** Reads the first page of the latest data, and replaces what is shown. */
  readAgain(): Promise<void>;
}

/** @param host resolves once the host has been introduced */
export function createViewStore<A extends Paged>(
  tool: ShownTool,
  reading: Reading<A>,
  host: Promise<Host>,
): ViewStore<A> {
  const listeners = new Set<() => void>();
  let round = 0;
  let pageSize = PAGE_SIZE;
  let state: ViewState<A> = {
    args: {},
    phase: "waiting",
    answer: null,
    pagesRead: 0,
    isLoading: false,
    isWhole: false,
    fault: null,
  };

  return {
    state: () => state,
    subscribe(onChange) {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
    took(given) {
      change({ args: given });
    },
    gotResult(result) {
      round += 1;
      const read = reading.readResult(result);
      if (!read) return;
      if ("refusal" in read) return change({ phase: "refused", fault: read.refusal, isLoading: false });
      const whole = reading.isWhole(result, read);
      change({ phase: "shown", answer: read, pagesRead: 0, isWhole: whole, fault: null, isLoading: false });
      void (whole ? nameBanks(read) : takeOver(read.snapshot));
    },
    cancelled() {
      if (state.phase === "waiting") change({ phase: "cancelled" });
    },
    async readMore(all) {
      if (state.isLoading) return;
      if (state.pagesRead === 0) await takeOver(state.answer?.snapshot ?? null);
      else await readPage(state.pagesRead + 1, state.answer?.snapshot ?? null);
      if (all) await readOn(() => true);
    },
    readAgain: () => takeOver(null),
  };

  /** Fetches the first page again, since the assistant may have asked for fewer rows or fields than are shown. */
  async function takeOver(snapshot: string | null): Promise<void> {
    if (!(await host).callsTools) return;
    await readPage(1, snapshot);
    await readOn(() => state.pagesRead < reading.ownPages);
  }

  /** Reads further pages while there are some and the condition holds. */
  async function readOn(goesOn: () => boolean): Promise<void> {
    while (state.fault === null && !state.isWhole && state.pagesRead > 0 && goesOn()) {
      const before = state.pagesRead;
      await readPage(before + 1, state.answer?.snapshot ?? null);
      if (state.pagesRead === before) return;
    }
  }

  async function readPage(page: number, snapshot: string | null): Promise<void> {
    const asked = round;
    change({ isLoading: true, fault: null });
    const read = await ask(reading.pageRequest(state.args, page, snapshot, pageSize));
    // The assistant has made another call meanwhile.
    if (asked !== round) return;
    if ("refusal" in read) {
      if (!read.refusal.includes("page_size") || pageSize === SMALL_PAGE_SIZE)
        return change({ isLoading: false, fault: read.refusal });
      pageSize = SMALL_PAGE_SIZE;
      return readPage(1, snapshot);
    }
    const before = page === 1 ? null : state.answer;
    const rows = joined(before?.rows ?? [], read.rows);
    const answer = await withBanks({ ...read, rows, sources: mergeSources(before?.sources ?? [], read.sources) } as A);
    if (asked !== round) return;
    change({
      phase: "shown",
      answer,
      pagesRead: page,
      isLoading: false,
      isWhole: page >= read.pages,
    });
  }

  /** Adds bank names to the rows on screen. */
  async function nameBanks(shown: A): Promise<void> {
    const asked = round;
    if (!(await host).callsTools) return;
    const answer = await withBanks(shown);
    if (asked === round && answer !== shown) change({ answer });
  }

  /** Adds the banks of its rows, if the server names them: by default it lists only connections that are not up to date. */
  async function withBanks(answer: A): Promise<A> {
    const unnamed = reading.unnamedConnections(answer);
    if (unnamed.length === 0) return answer;
    const found = await ask(bankRequest(unnamed, answer.snapshot));
    return "refusal" in found ? answer : { ...answer, sources: mergeSources(answer.sources, found.sources) };
  }

  async function ask(request: Record<string, unknown>): Promise<A | { readonly refusal: string }> {
    try {
      const result = await (await host).callTool(tool, request);
      return reading.readResult(result) ?? { refusal: "" };
    } catch (error) {
      return { refusal: error instanceof Error ? error.message : "" };
    }
  }

  function change(part: Partial<ViewState<A>>): void {
    state = { ...state, ...part };
    for (const listener of listeners) listener();
  }
}

/** The rows of several pages, without duplicates if a host sends a page twice. */
function joined<R extends { readonly id: string | null }>(before: readonly R[], more: readonly R[]): readonly R[] {
  const known = new Set(before.map(({ id }) => id));
  return [...before, ...more.filter(({ id }) => id === null || !known.has(id))];
}
