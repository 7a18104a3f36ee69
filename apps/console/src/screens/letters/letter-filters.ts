import { letterStatuses as statuses } from "@org/letter-lifecycle";
import type { BodyOf } from "../../api/paths.js";
import type { LetterStatus } from "./letter-terms.js";

/** What the address of the letters says, as texts: everything that is searched for is in it. */
export type LetterAddress = Readonly<Partial<Record<(typeof filterNames)[number], string>>>;

/** Names in the address. */
export const filterNames = ["text", "custodian", "label", "tenant", "days", "status", "stuck", "order"] as const;

export const letterOrders = ["newest", "oldest", "longest_in_status", "last_changed"] as const;

type Search = BodyOf<"/operator/v1/letters/search">;

const HOUR_MS = 3_600_000;

/** Rows of a page of the table. */
const PAGE = 100;

/**
 * What is asked of the server for an address. Whatever somebody typed into it that is nothing to search by is left out.
 * @param now for the age: it is rounded to hours, so that one address is one question for a while
 */
export function searchOf(address: LetterAddress, now: Date): Search {
  const { text, custodian, tenant, days, stuck } = address;
  const order = letterOrders.find((known) => known === address.order) ?? "newest";
  const label = labelIn(address.label);
  const statuses = statusesIn(address.status);
  const age = /^\d{1,4}$/.test(days ?? "") ? Number(days) : 0;
  return {
    query: {
      ...(label && { labels: { [label[0]]: label[1] } }),
      ...(statuses.length > 0 && { status_in: [...statuses] }),
    },
    order,
    page: 1,
    page_size: PAGE,
    ...(text && { text }),
    ...(custodian && { custodian }),
    ...(tenant && { tenant_id: tenant }),
    ...(stuck === "yes" && { stuck: true }),
    ...(age > 0 && { in_status_before: new Date(hours(now) - age * 24 * HOUR_MS).toISOString() }),
  } as Search;
}

/** `key=value` as a label; null for what is none yet. */
export function labelIn(text: string | undefined): readonly [string, string] | null {
  const at = text?.indexOf("=") ?? -1;
  if (text === undefined || at < 1 || at === text.length - 1) return null;
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

/** The statuses of an address: `Signed,Blocked`. */
export function statusesIn(text: string | undefined): readonly LetterStatus[] {
  return (text ?? "").split(",").flatMap((one) => statuses.find((status) => status === one) ?? []);
}

/** The address with a status more, or without it when it was there. */
export function withStatus(text: string | undefined, status: LetterStatus): string {
  const before = statusesIn(text);
  const after = before.includes(status) ? before.filter((one) => one !== status) : [...before, status];
  return after.join(",");
}

/** How many filters an address has; the order is none. */
export function filtersIn(address: LetterAddress): number {
  return filterNames.filter((name) => name !== "order" && (address[name] ?? "") !== "").length;
}

function hours(now: Date): number {
  return Math.floor(now.getTime() / HOUR_MS) * HOUR_MS;
}
