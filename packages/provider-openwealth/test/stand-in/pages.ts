import type { InstitutionRequest, Reply } from "../../../provider-kit/test/stand-in/institution.js";
import type { problem } from "./problem.js";

/** The paged lists of the specification. */
export type ListName = "customers" | "accounts" | "positions" | "transactions";

/** What happens once to the next page of a list. */
export interface PageTrick {
  readonly list: ListName;
  /** From 1: the page after which it happens. */
  readonly after_page: number;
  readonly trick: "repeat" | "loop" | (() => void);
}

export interface PageHabits {
  /** The rows per page without `limit`, and the most with it. */
  page_size: number;
  max_page_size: number;
  /** On the last page `nextCursor` is an empty string, or is not sent; `never`: on none, as no description of 1.1 has it. */
  last_cursor: "empty" | "absent" | "never";
}

interface Cursor {
  readonly list: string;
  readonly from: number;
  readonly page: number;
}

/** A page of rows and the header of the next one, or a refusal. */
export type Page<Row> = { readonly rows: readonly Row[]; readonly headers: Readonly<Record<string, string>> } | Reply;

/** The paging of all versions. Cursors count rows, so a list that changes meanwhile shifts, as at a real bank. */
export class Pages {
  /** The number of pages answered per list. */
  readonly answered = { customers: 0, accounts: 0, positions: 0, transactions: 0 };
  readonly #habits: PageHabits;
  readonly #problem: typeof problem;
  #tricks: PageTrick[] = [];

  constructor(habits: PageHabits, writeProblem: typeof problem) {
    this.#habits = habits;
    this.#problem = writeProblem;
  }

  between(trick: PageTrick): void {
    this.#tricks.push(trick);
  }

  /** `filters` are the parameters beside the path that tell one list from another. */
  cut<Row>(name: ListName, rows: readonly Row[], request: InstitutionRequest, filters: readonly string[]): Page<Row> {
    const limit = request.query.get("limit");
    if (limit !== null && !/^[1-9]\d{0,9}$/.test(limit)) {
      return this.#problem(400, "INVALID_PAYLOAD", "limit must be 1 or more.");
    }
    const list = `${request.path}?${filters.map((filter) => request.query.get(filter) ?? "").join("&")}`;
    const cursor = cursorOf(request.query.get("cursor"), list);
    if (!cursor) return this.#problem(400, "MALFORMED_PAYLOAD", "The cursor is none of this list.");
    const { page_size: pageSize, max_page_size: maxPageSize, last_cursor: lastCursor } = this.#habits;
    const size = Math.min(limit === null ? pageSize : Number(limit), maxPageSize);
    const page = rows.slice(cursor.from, cursor.from + size);
    this.answered[name] += 1;
    const trick = this.#takeTrick(name, cursor.page);
    if (typeof trick === "function") trick();
    const isLast = cursor.from + size >= rows.length && trick === undefined;
    const next = {
      list,
      from: trick === "repeat" || trick === "loop" ? cursor.from : cursor.from + size,
      page: trick === "loop" ? cursor.page : cursor.page + 1,
    };
    // Contains `+`, `/` and `=`, which break if a client forgets to encode an opaque value.
    const nextCursor = isLast ? "" : Buffer.from(`?>~${JSON.stringify(next)}`).toString("base64");
    const isSent = lastCursor !== "never" && (nextCursor !== "" || lastCursor === "empty");
    return { rows: page, headers: isSent ? { nextCursor } : {} };
  }

  #takeTrick(list: ListName, page: number): PageTrick["trick"] | undefined {
    const found = this.#tricks.find((one) => one.list === list && one.after_page === page);
    if (found && found.trick !== "loop") this.#tricks = this.#tricks.filter((one) => one !== found);
    return found?.trick;
  }
}

function cursorOf(sent: string | null, list: string): Cursor | null {
  if (!sent) return { list, from: 0, page: 1 };
  try {
    const read = JSON.parse(Buffer.from(sent, "base64").toString("utf8").slice(3)) as Cursor;
    return read.list === list ? read : null;
  } catch {
    return null;
  }
}
