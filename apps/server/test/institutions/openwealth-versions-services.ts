import type { InstitutionRequest, Reply } from "../../../../packages/provider-kit/test/stand-in/institution.js";
import type { Admission } from "../../../../packages/provider-openwealth/test/stand-in/authorization.js";
import {
  exactJson,
  type Json,
  type JsonObject,
} from "../../../../packages/provider-openwealth/test/stand-in/exact-json.js";
import {
  type ListName,
  type PageHabits,
  Pages,
  type PageTrick,
} from "../../../../packages/provider-openwealth/test/stand-in/pages.js";
import type { problem } from "../../../../packages/provider-openwealth/test/stand-in/problem.js";
import type { HeldAccount, HeldBooking, HeldCustomer, HeldPosition } from "./openwealth-versions-book.js";
import { accountId, accountInformation, positionRow, transactionRow } from "./openwealth-versions-rows.js";
import type { Version } from "./openwealth-versions-values.js";

/** Behaviour that the descriptions leave open; a test changes it while the server runs. */
export interface VersionHabits extends PageHabits {
  /** What the end of a day that is not over is: not there yet (404), or a statement of nothing. */
  unfinished: "not_ready" | "empty";
  /** Whether the bank has more than the end of the day. */
  intraday: boolean;
  /** Days without a statement of positions: answered like an unfinished day. */
  without_run: ReadonlySet<string>;
  /** The day that statements are of, whichever one is requested; null: the requested day. */
  statement_date: string | null;
  /** Whether positions have `instrumentIdentification`, which the descriptions require and never describe. */
  isStrict: boolean;
  /** Whether lists of nothing, which no description requires, are left out of statements and customers. */
  isTerse: boolean;
}

/** The last word of a path, by list. */
const words = {
  first: { customers: "customerAccounts", positions: ["positions", "positions"], transactions: "transactions" },
  second: {
    customers: "customers",
    positions: ["customer-position-statement", "account-position-statement"],
    transactions: "transaction-statement",
  },
} as const;

const dateTypes = new Set(["transactionDate", "bookingDate", "valueDate"]);
const filters = ["date", "dateType", "eodIndicator"];

interface Statement {
  readonly json: JsonObject;
  readonly date: string;
  /** What is asked for, beside the day of the statement. */
  readonly asked: string;
  readonly dateType: string;
  readonly isThere: boolean;
}

/** The read services of Custody Services 1.1, 1.2 or 2.0 for admitted clients. */
export class VersionServices {
  readonly habits: VersionHabits;
  readonly customers: Map<string, HeldCustomer>;
  /** Calls with parameters that the description does not have. */
  readonly violations: string[] = [];
  readonly #version: Version;
  readonly #problem: typeof problem;
  readonly #isPlatform: boolean;
  readonly #pages: Pages;
  readonly #spoilt = new Map<ListName, (row: JsonObject) => JsonObject>();

  constructor(
    version: Version,
    customers: readonly HeldCustomer[],
    habits: Partial<VersionHabits>,
    writeProblem: typeof problem,
    isPlatform: boolean,
  ) {
    this.#version = version;
    this.customers = new Map(customers.map((customer) => [customer.id, customer]));
    this.habits = {
      page_size: 50,
      max_page_size: 100,
      // 1.1 takes `cursor` and `limit`, and describes no way to learn the next cursor.
      last_cursor: version === "1.1" ? "never" : "empty",
      unfinished: "not_ready",
      intraday: true,
      without_run: new Set(),
      statement_date: null,
      isStrict: true,
      isTerse: false,
      ...(version === "1.1" ? { page_size: 10_000, max_page_size: 10_000 } : {}),
      ...habits,
    };
    this.#problem = writeProblem;
    this.#isPlatform = isPlatform;
    this.#pages = new Pages(this.habits, writeProblem);
  }

  get pages(): Readonly<Record<ListName, number>> {
    return this.#pages.answered;
  }

  between(trick: PageTrick): void {
    this.#pages.between(trick);
  }

  /** Changes the rows of a list until null; of `accounts`, what a list of customers says of them. */
  spoil(list: ListName, change: ((row: JsonObject) => JsonObject) | null): void {
    if (change) this.#spoilt.set(list, change);
    else this.#spoilt.delete(list);
  }

  /** The list that a path reads; null: none of this version. */
  listOf(path: string): Exclude<ListName, "accounts"> | null {
    const [, first = "", id, last, ...rest] = path.split("/");
    const { customers, positions, transactions } = this.#version === "2.0" ? words.second : words.first;
    if (rest.length > 0) return null;
    if (last === undefined) return first === customers ? "customers" : null;
    if (id === "") return null;
    const owners = ["customers", "accounts", "positions"].indexOf(first);
    if (last === positions[owners]) return "positions";
    return owners >= 0 && last === transactions ? "transactions" : null;
  }

  /** `path` is what follows the base URL, still encoded. */
  answer(path: string, request: InstitutionRequest, admission: Admission): Reply {
    const list = this.listOf(path);
    if (!list) return this.#problem(404, "TECHNICAL_ERROR", "The requested endpoint does not exist.");
    if (request.method !== "GET") return this.#problem(405, "WRONG_METHOD", "Only GET operations are allowed.");
    const [, first, id] = path.split("/").map(decodeURIComponent);
    // One customer of 2.0 is no list.
    const paging = this.#version === "2.0" && list === "customers" && id !== undefined ? [] : ["cursor", "limit"];
    this.#judge(path, request, list === "customers" ? paging : [...filters, ...paging]);
    if (list === "customers") return this.#customers(id, request, admission);
    const statement = this.#statement(request, list);
    if (!("isThere" in statement)) return statement;
    const owner = this.#ownerOf(first, id ?? "", admission);
    if (!("customer" in owner)) return owner;
    const { customer, account, position } = owner;
    if (list === "transactions") {
      const concerned = customer.bookings.filter((booking) => isOf(booking, account, position));
      return this.#transactions(customer, concerned, statement, request);
    }
    return account
      ? this.#positionsOfAccount(customer, account, statement, request)
      : this.#positions(customer, statement, request);
  }

  #judge(path: string, request: InstitutionRequest, known: readonly string[]): void {
    for (const name of request.query.keys()) {
      if (!known.includes(name)) this.violations.push(`${path}: ${name}`);
    }
  }

  #customers(id: string | undefined, request: InstitutionRequest, admission: Admission): Reply {
    if (id === undefined) {
      const seen = admission.customers.flatMap((one) => this.customers.get(one) ?? []);
      const page = this.#pages.cut("customers", seen, request, []);
      return "rows" in page
        ? json(
            page.rows.map((customer) => this.#customerRow(customer)),
            page.headers,
          )
        : page;
    }
    const owner = this.#ownerOf("customers", id, admission);
    if (!("customer" in owner)) return owner;
    const row = this.#customerRow(owner.customer);
    // One customer is a list of one before 2.0.
    return json(this.#version === "2.0" ? row : [row]);
  }

  #customerRow(customer: HeldCustomer): JsonObject {
    const accounts = customer.accounts.map((account) =>
      this.#row("accounts", accountInformation(this.#version, account)),
    );
    return this.#row("customers", {
      customerIdentification: customer.id,
      customerReferenceCurrency: customer.currency,
      ...this.#listed(this.#version === "2.0" ? "accountInformationList" : "accountOverview", accounts),
    });
  }

  /** The statement of the parameters, or a refusal. */
  #statement(request: InstitutionRequest, list: "positions" | "transactions"): Statement | Reply {
    const asked = request.query.get("date") ?? "";
    const dateType = request.query.get("dateType") ?? "";
    const endOfDay = request.query.get("eodIndicator");
    const refuse = (detail: string) => this.#problem(400, "INVALID_PAYLOAD", detail);
    if (!/^\d{4}-\d\d-\d\d$/.test(asked) || Number.isNaN(Date.parse(asked)))
      return refuse("date is missing, or is none.");
    if (!dateTypes.has(dateType)) return refuse("dateType is missing, or is none of its values.");
    if (endOfDay !== "true" && endOfDay !== "false") return refuse("eodIndicator is missing, or is no boolean.");
    const today = request.at.toISOString().slice(0, 10);
    if (asked > today) {
      return this.#problem(400, "MALFORMED_PAYLOAD", "Data for date in the future cannot be requested.");
    }
    if (endOfDay === "false" && !this.habits.intraday) {
      const status = this.#isPlatform ? 404 : 501;
      return this.#problem(status, "NOT_IMPLEMENTED", "This interface does not support intraday data.");
    }
    const isIntraday = endOfDay === "false" && asked === today;
    const isWithout = list === "positions" && this.habits.without_run.has(asked);
    const isThere = !isWithout && (asked < today || isIntraday);
    if (!isThere && this.habits.unfinished === "not_ready") {
      return this.#problem(404, "RESOURCE_NOT_READY", "The end-of-day processing of this date is not done.");
    }
    const date = this.habits.statement_date ?? asked;
    const statementDateTime = request.at.toISOString().replace(/\.\d+Z$/, "Z");
    return {
      json: { statementDateTime, date: { date, dateType }, endOfDayIndicator: !isIntraday },
      date,
      asked,
      dateType,
      isThere,
    };
  }

  #positions(customer: HeldCustomer, statement: Statement, request: InstitutionRequest): Reply {
    // As it was before the page: a trick may change the customer after it.
    const { positions } = customer;
    const page = this.#pages.cut("positions", customer.accounts, request, filters);
    if (!("rows" in page)) return page;
    const accounts = page.rows.map((account) =>
      this.#account(
        account,
        positions.filter((held) => held.account.id === account.id),
        statement,
      ),
    );
    return json({ statement: statement.json, customer: this.#owned(customer, accounts) }, page.headers);
  }

  #positionsOfAccount(
    customer: HeldCustomer,
    account: HeldAccount,
    statement: Statement,
    request: InstitutionRequest,
  ): Reply {
    const held = customer.positions.filter((one) => one.account.id === account.id);
    const page = this.#pages.cut("positions", held, request, filters);
    if (!("rows" in page)) return page;
    const row = this.#account(account, page.rows, statement);
    const body = this.#version === "2.0" ? { account: row } : { customer: this.#owned(customer, [row]) };
    return json({ statement: statement.json, ...body }, page.headers);
  }

  #owned(customer: HeldCustomer, accounts: readonly JsonObject[]): JsonObject {
    return {
      customerIdentification: customer.id,
      customerReferenceCurrency: customer.currency,
      ...this.#listed("accountList", accounts),
    };
  }

  #account(account: HeldAccount, held: readonly HeldPosition[], { date, isThere }: Statement): JsonObject {
    const rows = held.map((one) => positionRow(this.#version, one, date, this.habits.isStrict));
    return {
      accountInformation: accountInformation(this.#version, account),
      positionList: isThere ? rows.map((row) => this.#row("positions", row)) : [],
    };
  }

  #transactions(
    customer: HeldCustomer,
    bookings: readonly HeldBooking[],
    { json: statement, asked, dateType, isThere }: Statement,
    request: InstitutionRequest,
  ): Reply {
    const found = bookings.filter(({ dates }) => isThere && dates[dateType] === asked);
    const page = this.#pages.cut("transactions", found, request, filters);
    if (!("rows" in page)) return page;
    const rows = page.rows.map((booking) =>
      this.#row("transactions", transactionRow(this.#version, customer.id, booking)),
    );
    return json({ statement, ...this.#listed("transactions", rows) }, page.headers);
  }

  #ownerOf(kind: string | undefined, id: string, admission: Admission): Owner | Reply {
    for (const customer of this.customers.values()) {
      const account = kind === "accounts" ? this.#accountOf(customer, id) : undefined;
      const position = kind === "positions" ? customer.positions.find((held) => held.id === id) : undefined;
      if (!account && !position && (kind === "accounts" || kind === "positions" || customer.id !== id)) continue;
      if (admission.customers.includes(customer.id)) return { customer, account, position };
      return this.#isPlatform
        ? this.#problem(
            404,
            "INSUFFICIENT_PRIVILEGES",
            "The provided token does not grant access to the requested resources",
          )
        : this.#problem(403, "NO_ACCESS_TO_RESOURCE", "The customer is not among those of the token.");
    }
    return this.#problem(404, "RESOURCE_DOES_NOT_EXIST", "There is nothing of this id.");
  }

  #accountOf(customer: HeldCustomer, id: string): HeldAccount | undefined {
    return customer.accounts.find((account) => accountId(this.#version, account) === id);
  }

  #listed(name: string, rows: readonly JsonObject[]): JsonObject {
    return rows.length === 0 && this.habits.isTerse ? {} : { [name]: rows };
  }

  #row(list: ListName, row: JsonObject): JsonObject {
    return this.#spoilt.get(list)?.(row) ?? row;
  }
}

interface Owner {
  readonly customer: HeldCustomer;
  readonly account: HeldAccount | undefined;
  readonly position: HeldPosition | undefined;
}

/** Whether a booking moved something in the account or the position, or anything. */
function isOf(booking: HeldBooking, account: HeldAccount | undefined, position: HeldPosition | undefined): boolean {
  const moved = booking.movements ?? [];
  if (position) return moved.some((movement) => movement.position === position.id);
  return !account || moved.some((movement) => movement.account.id === account.id);
}

function json(body: Json, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status: 200, headers: { "content-type": "application/json", ...headers }, body: exactJson(body) };
}
