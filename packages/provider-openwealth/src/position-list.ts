import { AnswerFailure, dayBefore, ReadInterrupted } from "@org/provider-kit";
import type { Account, Position } from "./custody-answers.js";
import { type CustodyApi, type ListPage, meaningOf, NOT_READY_RETRY } from "./custody-api.js";
import { mapConcurrently } from "./map-concurrently.js";
import type { Bank } from "./settings.js";
import { differences } from "./versions.js";

/** Positions of a customer, all of one day. */
export interface PositionList {
  /** `YYYY-MM-DD` */
  readonly day: string;
  readonly positions: readonly Position[];
  /** Whether the bank has confirmed them in its end-of-day processing. */
  readonly isConfirmed: boolean;
  /** False if the bank has answered with a list for no day, which is not the same as an empty one. */
  readonly isGiven: boolean;
}

/** The days requested, today first: a bank has none before its overnight run, and none over a long weekend. */
const DAYS_BACK = 6;
/** How often a list that changes while it is read is started again. */
const ATTEMPTS = 3;
/** Longer lists are read only once: twice would exceed the time limit of a fetch. */
const MAX_REREAD_PAGES = 20;
/** The most concurrent requests for one customer. */
export const MAX_CONCURRENT = 4;

/**
 * The latest positions that the bank has confirmed; for a bank that confirms none, today's positions as they are. If no day has any, an empty list
 * for today, or none if the bank has answered with no list.
 */
export async function readPositions(
  api: CustodyApi,
  { version, date_type }: Bank,
  customerId: string,
  accounts: readonly Account[],
  today: string,
): Promise<PositionList> {
  const { paths, pageLimit, positionsLimit, dayQuery } = differences[version];
  let isPrepared = true;
  let isGiven = false;
  const days = Array.from({ length: DAYS_BACK }, (_, back) => [dayBefore(today, back), true] as const);
  for (const [day, isConfirmed] of [...days, [today, false] as const]) {
    const list = await readDay(day, isConfirmed);
    if (list === "not_ready") isPrepared &&= !isConfirmed;
    else if (list !== "nothing") {
      if (list.length > 0) return { day: dayOf(list), positions: list, isConfirmed, isGiven: true };
      isGiven = true;
    }
  }
  if (!isPrepared) throw new ReadInterrupted({ pending: { retry_after: NOT_READY_RETRY, state: null } });
  return { day: today, positions: [], isConfirmed: true, isGiven };

  async function readDay(date: string, isConfirmed: boolean) {
    const query = dayQuery({ date, isConfirmed, date_type });
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const read = await readConsistent(query);
      if (read === "not_allowed") throw new ReadInterrupted({ refused: "rejected" });
      // A bank need not have unconfirmed positions.
      if (read === "by_account" && !isConfirmed) return "nothing";
      if (read === "by_account") throw new AnswerFailure("the bank lists positions neither by customer nor by account");
      if (read !== "changed") return read;
    }
    throw new AnswerFailure("the list of positions kept changing while it was read");
  }

  async function readConsistent(query: DayQuery) {
    const whole = await readPages(paths.positions(customerId), { ...query, limit: positionsLimit });
    if (whole === "by_account") return readAccounts(accounts, query);
    if (typeof whole === "string") return whole;
    const { positions, mayLack } = whole;
    if (!mayLack || positions.length === 0) return positions;
    const listed = new Set(positions.map(({ account }) => account.id));
    const others = await readAccounts(
      accounts.filter(({ id }) => !listed.has(id)),
      query,
    );
    if (others === "changed") return others;
    return typeof others === "string" ? positions : agreeing([...positions, ...others]);
  }

  async function readAccounts(some: readonly Account[], query: DayQuery) {
    const parts = await mapConcurrently(some, MAX_CONCURRENT, ({ id }) =>
      readPages(paths.positionsOfAccount(id), query),
    );
    for (const end of ["not_allowed", "by_account", "changed", "not_ready"] as const)
      if (parts.includes(end)) return end;
    if (parts.length > 0 && parts.every((part) => part === "nothing")) return "nothing";
    return agreeing(parts.flatMap((part) => (typeof part === "string" ? [] : part.positions)));
  }

  /**
   * Reads a list of several pages twice: cursors of some banks count rows, so that a row removed meanwhile hides another. A longer one, and one of a
   * version that does not say that a list goes on, may lack something.
   */
  async function readPages(path: string, query: DayQuery) {
    const first = await readOnce(path, query);
    if (typeof first === "string") return first;
    const isLong = first.pages > MAX_REREAD_PAGES;
    const read = first.pages > 1 && !isLong ? await readOnce(path, query) : first;
    if (typeof read === "string" || JSON.stringify(read.found) !== JSON.stringify(first.found)) return "changed";
    const positions = agreeing(read.found);
    return positions === "changed" ? positions : { positions, mayLack: isLong || pageLimit === undefined };
  }

  async function readOnce(path: string, query: DayQuery) {
    const found: Position[] = [];
    let pages = 0;
    for await (const page of api.pages("positions", path, query)) {
      // The cursor is no longer accepted: the list has changed.
      if ("status" in page) return pages === 0 ? insteadOf(page) : "changed";
      found.push(...page.items);
      pages += 1;
    }
    return { found, pages };
  }
}

type DayQuery = Readonly<Record<string, string | undefined>>;

/** The meaning of an answer without a list. */
function insteadOf(page: Exclude<ListPage<"positions">, { items: unknown }>) {
  const { status, problem } = page;
  const meaning = meaningOf(page);
  if (meaning === "not_offered" || meaning === "too_large") return "by_account";
  if (meaning !== "unknown") return meaning;
  throw new AnswerFailure(`the bank answered ${status} for positions${problem === null ? "" : ` (${problem})`}`);
}

/**
 * The list, if it is consistent: all of one day, and no position twice with different figures. Identical repetitions are dropped; anything else means
 * that the list changed between two pages.
 */
function agreeing(positions: readonly Position[]): readonly Position[] | "changed" {
  const byId = new Map<string, Position>();
  for (const position of positions) {
    const known = byId.get(position.id);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(position)) return "changed";
    byId.set(position.id, position);
  }
  const days = new Set(positions.map(({ positionDate }) => positionDate));
  return days.size > 1 ? "changed" : [...byId.values()];
}

function dayOf(positions: readonly Position[]): string {
  return positions[0]?.positionDate ?? "";
}
