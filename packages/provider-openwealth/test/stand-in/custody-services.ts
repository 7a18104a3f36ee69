import type { InstitutionRequest, Reply } from "../../../provider-kit/test/stand-in/institution.js";
import type { Admission } from "./authorization.js";
import { exactJson, type JsonObject } from "./exact-json.js";
import type { BankCustomer } from "./larkspur-at-bank.js";
import { type ListName, type PageHabits, Pages, type PageTrick } from "./pages.js";
import { problem } from "./problem.js";

/** How positions of an unfinished day are answered. */
export type Unfinished = "intraday" | "empty" | "not_ready";

/** Behaviour that the specification leaves open; a test changes it while the server runs. */
export interface BankHabits extends PageHabits {
  unfinished: Unfinished;
  without_run: ReadonlySet<string>;
  /** The day that positions state, whichever one is requested; null: the requested day. */
  position_date: string | null;
}

/** The read services of OpenWealth Custody Services 3.2 for admitted clients. */
export class CustodyServices {
  readonly habits: BankHabits;
  readonly customers: Map<string, BankCustomer>;
  readonly #pages: Pages;

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
    this.#pages = new Pages(this.habits, problem);
  }

  /** The number of pages answered per list. */
  get pages(): Readonly<Record<ListName, number>> {
    return this.#pages.answered;
  }

  between(trick: PageTrick): void {
    this.#pages.between(trick);
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

  #list(name: ListName, rows: () => readonly JsonObject[], request: InstitutionRequest): Reply {
    const page = this.#pages.cut(name, rows(), request, ["date", "end_of_day_indicator"]);
    if (!("rows" in page)) return page;
    return { headers: { "content-type": "application/json", ...page.headers }, body: exactJson(page.rows) };
  }
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
