import { AnswerFailure, dayBefore, ReadInterrupted } from "@org/provider-kit";
import type { Account, Position } from "./custody-answers.js";
import type { CustodyApi, ListPage } from "./custody-api.js";
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
}

/** The days requested, today first: a bank has none before its overnight run, and none over a long weekend. */
const DAYS_BACK = 6;
/** How often a list that changes while it is read is started again. */
const ATTEMPTS = 3;
/** Seconds before asking again for what a bank is preparing. */
const NOT_READY_RETRY = 15 * 60;
/** Longer lists are read only once: twice would exceed the time limit of a fetch. */
const MAX_REREAD_PAGES = 20;
/** The most concurrent requests for one customer. */
export const MAX_CONCURRENT = 4;

/**
 * The latest positions that the bank has confirmed; for a bank that confirms none, today's positions as they are. If no day has any, an empty list
 * for today.
 */
export async function readPositions(
  api: CustodyApi,
  { version, date_type }: Bank,
  customerId: string,
  accounts: readonly Account[],
  today: string,
): Promise<PositionList> {
  const { paths, positionsLimit, dayQuery } = differences[version];
  let isPrepared = true;
  for (let back = 0; back < DAYS_BACK; back += 1) {
    const day = dayBefore(today, back);
    const list = await readDay(day, true);
    if (list === "not_ready") isPrepared = false;
    else if (list.length > 0) return { day: dayOf(list), positions: list, isConfirmed: true };
  }
  const unconfirmed = await readDay(today, false);
  if (unconfirmed !== "not_ready" && unconfirmed.length > 0)
    return { day: dayOf(unconfirmed), positions: unconfirmed, isConfirmed: false };
  if (!isPrepared) throw new ReadInterrupted({ pending: { retry_after: NOT_READY_RETRY, state: null } });
  return { day: today, positions: [], isConfirmed: true };

  async function readDay(date: string, isConfirmed: boolean) {
    const query = dayQuery({ date, isConfirmed, date_type });
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const read = await readConsistent(query);
      if (read !== "changed") return read;
    }
    throw new AnswerFailure("the list of positions kept changing while it was read");
  }

  async function readConsistent(query: DayQuery) {
    const whole = await readPages(paths.positions(customerId), { ...query, limit: positionsLimit });
    if (whole !== "by_account") return whole;
    const parts = await mapConcurrently(accounts, MAX_CONCURRENT, ({ id }) =>
      readPages(paths.positionsOfAccount(id), query),
    );
    if (parts.includes("by_account"))
      throw new AnswerFailure("the bank lists positions neither by customer nor by account");
    if (parts.includes("changed")) return "changed";
    if (parts.includes("not_ready")) return "not_ready";
    return agreeing(parts.flatMap((part) => (typeof part === "string" ? [] : part)));
  }

  /** Reads a list of several pages twice: cursors of some banks count rows, so that a row removed meanwhile hides another. */
  async function readPages(path: string, query: DayQuery) {
    const first = await readOnce(path, query);
    if (typeof first === "string") return first;
    if (first.pages < 2 || first.pages > MAX_REREAD_PAGES) return agreeing(first.found);
    const second = await readOnce(path, query);
    if (typeof second === "string" || JSON.stringify(second.found) !== JSON.stringify(first.found)) return "changed";
    return agreeing(second.found);
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
function insteadOf({ status, problem }: Exclude<ListPage<"positions">, { items: unknown }>) {
  if (problem === "RESOURCE_NOT_READY") return "not_ready";
  if (status === 501 || status === 413 || problem === "RESOURCE_TOO_LARGE") return "by_account";
  if (status === 403 || problem === "INSUFFICIENT_PRIVILEGES") throw new ReadInterrupted({ refused: "rejected" });
  if (status === 404) return { found: [], pages: 1 };
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
