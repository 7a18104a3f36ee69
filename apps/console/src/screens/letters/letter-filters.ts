import { letterStatuses as statuses } from "@org/letter-lifecycle";
import type { BodyOf } from "../../api/paths.js";
import type { LetterStatus } from "./letter-terms.js";

/** The query parameters of the letters screen; they hold the whole search. */
export type LetterAddress = Readonly<Partial<Record<(typeof filterNames)[number], string>>>;

/** The names of the query parameters. */
export const filterNames = [
  "text",
  "client",
  "custodian",
  "label",
  "tenant",
  "days",
  "status",
  "stuck",
  "order",
] as const;

type Search = BodyOf<"/operator/v1/letters/search">;

/** The server's orders by what the headings call them. */
export const orders: Readonly<Record<string, NonNullable<Search["order"]>>> = {
  "-created": "newest",
  created: "oldest",
  "-age": "longest_in_status",
  age: "shortest_in_status",
  "-changed": "last_changed",
  changed: "longest_unchanged",
};

const HOUR_MS = 3_600_000;

/** The rows per page of the table. */
const PAGE = 100;

/**
 * The server's search for an address. Invalid parameters are ignored. @param now for the age, rounded to hours, so that one address gives the same
 * query for a while
 */
export function searchOf(address: LetterAddress, now: Date): Search {
  const { text, client, custodian, tenant, days, stuck } = address;
  const order = Object.values(orders).find((known) => known === address.order) ?? "newest";
  const label = labelIn(address.label);
  const statuses = statusesIn(address.status);
  const age = /^\d{1,4}$/.test(days ?? "") ? Number(days) : 0;
  return {
    query: {
      ...(client && { client_ref_in: [client] }),
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

/** Parses `key=value` as a label; null if it is incomplete. */
export function labelIn(text: string | undefined): readonly [string, string] | null {
  const at = text?.indexOf("=") ?? -1;
  if (text === undefined || at < 1 || at === text.length - 1) return null;
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

/** The statuses in an address: `Signed,Blocked`. */
export function statusesIn(text: string | undefined): readonly LetterStatus[] {
  return (text ?? "").split(",").flatMap((one) => statuses.find((status) => status === one) ?? []);
}

/** The parameter with a status added, or removed if it was there. */
export function withStatus(text: string | undefined, status: LetterStatus): string {
  const before = statusesIn(text);
  const after = before.includes(status) ? before.filter((one) => one !== status) : [...before, status];
  return after.join(",");
}

/** The number of active filters; the order is not a filter. */
export function filtersIn(address: LetterAddress): number {
  return filterNames.filter((name) => name !== "order" && (address[name] ?? "") !== "").length;
}

function hours(now: Date): number {
  return Math.floor(now.getTime() / HOUR_MS) * HOUR_MS;
}
