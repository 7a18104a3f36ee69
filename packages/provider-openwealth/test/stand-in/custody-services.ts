import type { InstitutionRequest, Reply } from "../../../provider-kit/test/stand-in/institution.js";
import type { Admission } from "./authorization.js";
import { exactJson, type JsonObject } from "./exact-json.js";
import type { BankCustomer } from "./larkspur-at-bank.js";

/** The paged lists of the specification. */
export type ListName = "customers" | "accounts" | "positions" | "transactions";

/** How positions of an unfinished day are answered. */
export type Unfinished = "intraday" | "empty" | "not_ready";

/** Behaviour that the specification leaves open; a test changes it while the server runs. */
export interface BankHabits {
  /** The rows per page without `limit`, and the most with it. */
  page_size: number;
  max_page_size: number;
  /** On the last page `nextCursor` is an empty string, or is not sent. */
  last_cursor: "empty" | "absent";
  unfinished: Unfinished;
  without_run: ReadonlySet<string>;
  /** The day that positions state, whichever one is requested; null: the requested day. */
  position_date: string | null;
}

/** What happens once to the next page of a list. */
export interface PageTrick {
  readonly list: ListName;
  /** From 1: the page after which it happens. */
  readonly after_page: number;
  readonly trick: "repeat" | "loop" | (() => void);
}

interface Cursor {
  readonly list: string;
  readonly from: number;
  readonly page: number;
}

type Problem =
  | "INVALID_PAYLOAD"
  | "MALFORMED_PAYLOAD"
  | "NO_ACCESS_TO_RESOURCE"
  | "RESOURCE_DOES_NOT_EXIST"
  | "RESOURCE_NOT_READY"
  | "WRONG_METHOD";

/** The read services of OpenWealth Custody Services 3.2 for admitted clients. */
export class CustodyServices {
  readonly habits: BankHabits;
  readonly customers: Map<string, BankCustomer>;
  /** The number of pages answered per list. */
  readonly pages = { customers: 0, accounts: 0, positions: 0, transactions: 0 };
  #tricks: PageTrick[] = [];

  constructor(customers: readonly BankCustomer[], habits: Partial<BankHabits>) {
    this.customers = new Map(customers.map((customer) => [customer.id, customer]));
    this.habits = {
      page_size: 50,
      max_page_size: 100,
      last_cursor: "empty",
      unfinished: "intraday",
      without_run: new Set(),
      position_date: null,
      ...habits,
    };
  }

  between(trick: PageTrick): void {
    this.#tricks.push(trick);
  }

  /** `path` is what follows the base URL, still encoded. */
  answer(path: string, request: InstitutionRequest, admission: Admission): Reply {
    if (request.method !== "GET") return problem(405, "WRONG_METHOD", "Only GET operations are allowed.");
    const parts = path.split("/").slice(1).map(decodeURIComponent);
    const [first, id = "", second, item, ...rest] = parts;
    if (rest.length > 0) return unknown();
    if (first === "customers") return this.#ofCustomers(parts.length, id, second, item, request, admission);
    if (first === "accounts" && second === "positions") return this.#ofAccount(id, item, request, admission);
    return unknown();
  }

  #ofCustomers(
    depth: number,
    id: string,
    second: string | undefined,
    item: string | undefined,
    request: InstitutionRequest,
    admission: Admission,
  ): Reply {
    if (depth === 1) {
      const seen = admission.customers.flatMap((one) => this.customers.get(one) ?? []);
      return this.#list("customers", () => seen.map(customerJson), request);
    }
    const customer = this.customers.get(id);
    if (!customer) return problem(404, "RESOURCE_DOES_NOT_EXIST", "There is no such customer.");
    if (!admission.customers.includes(id))
      return problem(403, "NO_ACCESS_TO_RESOURCE", "The customer is not among those of the token.");
    if (depth === 2) return one(customerJson(customer));
    if (second === "accounts") {
      if (item === undefined) return this.#list("accounts", () => customer.accounts.map(({ json }) => json), request);
      return one(customer.accounts.find(({ json }) => json.id === item)?.json);
    }
    if (second === "positions") return this.#positions(() => customer.positions, item, request);
    if (second !== "transactions") return unknown();
    const date = dateOf(request);
    if (typeof date !== "string") return date;
    const found = () => customer.transactions.filter((booked) => booked.date === date);
    if (item === undefined)
      return this.#list(
        "transactions",
        () =>
          endOfDay(
            found().map(({ json }) => json),
            request,
          ),
        request,
      );
    return one(customer.transactions.find((booked) => booked.id === item)?.json);
  }

  #ofAccount(id: string, item: string | undefined, request: InstitutionRequest, admission: Admission): Reply {
    const owner = admission.customers
      .flatMap((customer) => this.customers.get(customer) ?? [])
      .find(({ accounts }) => accounts.some(({ json }) => json.id === id));
    if (!owner) return problem(404, "RESOURCE_DOES_NOT_EXIST", "There is no such account.");
    return this.#positions(() => owner.positions.filter(({ account }) => account === id), item, request);
  }

  #positions(held: () => BankCustomer["positions"], item: string | undefined, request: InstitutionRequest): Reply {
    const date = dateOf(request);
    if (typeof date !== "string") return date;
    const isOver = date < request.at.toISOString().slice(0, 10);
    if (!isOver && this.habits.unfinished === "not_ready") {
      return problem(404, "RESOURCE_NOT_READY", "The end-of-day processing of this date is not done.");
    }
    const isThere = !this.habits.without_run.has(date) && (isOver || this.habits.unfinished !== "empty");
    const rows = () =>
      held().map(({ json }) => ({
        ...json,
        endOfDayIndicator: isOver,
        positionDate: this.habits.position_date ?? date,
      }));
    if (item !== undefined) return one(isThere ? rows().find(({ id }: JsonObject) => id === item) : undefined);
    return this.#list("positions", () => (isThere ? endOfDay(rows(), request) : []), request);
  }

  /** A page. Cursors count rows, so a list that changes meanwhile shifts, as at a real bank. */
  #list(name: ListName, rows: () => readonly JsonObject[], request: InstitutionRequest): Reply {
    const limit = request.query.get("limit");
    if (limit !== null && !/^[1-9]\d{0,9}$/.test(limit))
      return problem(400, "INVALID_PAYLOAD", "limit must be 1 or more.");
    const list = `${request.path}?${request.query.get("date") ?? ""}&${request.query.get("end_of_day_indicator") ?? ""}`;
    const cursor = cursorOf(request.query.get("cursor"), list);
    if (!cursor) return problem(400, "MALFORMED_PAYLOAD", "The cursor is none of this list.");
    const size = Math.min(limit === null ? this.habits.page_size : Number(limit), this.habits.max_page_size);
    const all = rows();
    const page = all.slice(cursor.from, cursor.from + size);
    this.pages[name] += 1;
    const trick = this.#takeTrick(name, cursor.page);
    if (typeof trick === "function") trick();
    const isLast = cursor.from + size >= all.length && trick === undefined;
    const next = {
      list,
      from: trick === "repeat" || trick === "loop" ? cursor.from : cursor.from + size,
      page: trick === "loop" ? cursor.page : cursor.page + 1,
    };
    // Contains `+`, `/` and `=`, which break if a client forgets to encode an opaque value.
    const nextCursor = isLast ? "" : Buffer.from(`?>~${JSON.stringify(next)}`).toString("base64");
    const isSent = nextCursor !== "" || this.habits.last_cursor === "empty";
    return {
      headers: { "content-type": "application/json", ...(isSent ? { nextCursor } : {}) },
      body: exactJson(page),
    };
  }

  #takeTrick(list: ListName, page: number): PageTrick["trick"] | undefined {
    const found = this.#tricks.find((one) => one.list === list && one.after_page === page);
    if (found && found.trick !== "loop") this.#tricks = this.#tricks.filter((one) => one !== found);
    return found?.trick;
  }
}

/** An answer as in RFC 7807, with the specification's types. */
export function problem(
  status: number,
  type: Problem | string,
  detail: string,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return {
    status,
    headers: { "content-type": "application/problem+json; charset=utf-8", "content-language": "en", ...headers },
    body: JSON.stringify({ type: `/problems/${type}`, title: type.toLowerCase().replaceAll("_", " "), detail }),
  };
}

function customerJson({ id, number, currency }: BankCustomer): JsonObject {
  return { id, number, referenceCurrency: currency };
}

function one(found: JsonObject | undefined): Reply {
  if (!found) return problem(404, "RESOURCE_DOES_NOT_EXIST", "There is nothing of this id.");
  return { headers: { "content-type": "application/json" }, body: exactJson(found) };
}

function unknown(): Reply {
  return problem(404, "TECHNICAL_ERROR", "The requested endpoint does not exist.");
}

function dateOf(request: InstitutionRequest): string | Reply {
  const date = request.query.get("date") ?? "";
  const isDate = /^\d{4}-\d\d-\d\d$/.test(date) && !Number.isNaN(Date.parse(date));
  if (!isDate) return problem(400, "INVALID_PAYLOAD", "date is missing, or is none.");
  if (date > request.at.toISOString().slice(0, 10))
    return problem(400, "MALFORMED_PAYLOAD", "Data for date in the future cannot be requested.");
  return date;
}

function endOfDay(rows: readonly JsonObject[], request: InstitutionRequest): readonly JsonObject[] {
  const wanted = request.query.get("end_of_day_indicator");
  return wanted === null ? rows : rows.filter(({ endOfDayIndicator }) => String(endOfDayIndicator) === wanted);
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
