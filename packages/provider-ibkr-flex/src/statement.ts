import {
  type FlexQueryFault,
  FlexQueryRefusal,
  flexFormat,
  type LackingField,
  readFlexStatement,
} from "@org/bank-providers";
import { FeedRefusal, type SnapshotData } from "@org/provider-kit";
import { FlexFailure } from "./flex-failure.js";

/** What the owner of a query must change: `lacking` says which fields it lacks. */
export type QueryFault =
  | { readonly fault: Exclude<FlexQueryFault, "fields"> | "format" }
  | { readonly fault: "fields"; readonly lacking: readonly LackingField[] };

/** A statement as read, or what is wrong with its query. */
export type ReadStatement =
  | {
      readonly kind: "read";
      readonly snapshot: SnapshotData;
      readonly accounts: readonly string[];
      /** How many movements cannot be read. */
      readonly leftOut: number;
    }
  | ({ readonly kind: "query" } & QueryFault);

/** Whether this is the start of a statement, in XML or in the other output format of queries. */
export function isStatement(head: string): boolean {
  return flexFormat.recognises(head) || isDelimited(head);
}

/** Statements in table form start with the name of their first column or section. */
function isDelimited(head: string): boolean {
  return /^[^\w<"]{0,6}(?:"\w[^"<]*"|\w+)[,;|\t]/.test(head);
}

/**
 * Reads a statement with the parser that reads Flex files. Movements that cannot be read are left out.
 * @throws FlexFailure if it is truncated, or unreadable for a reason other than its query
 */
export function readStatement(body: Uint8Array): ReadStatement {
  if (isDelimited(Buffer.from(body.subarray(0, 100)).toString("latin1"))) return { kind: "query", fault: "format" };
  try {
    const { as_of, portfolios: stated, holdings, transactions, left_out = [] } = readFlexStatement(body);
    const portfolios = stated ?? [];
    // Without positions, a newly connected account would never have anything to show.
    if (portfolios.some(({ holdings_unknown }) => holdings_unknown)) return { kind: "query", fault: "sections" };
    const accounts = [...new Set(portfolios.map(({ key }) => key))].sort();
    const snapshot = { as_of, portfolios: stated, holdings, transactions };
    return { kind: "read", snapshot, accounts, leftOut: left_out.length };
  } catch (error) {
    if (error instanceof FlexQueryRefusal) {
      const { fault, lacking } = error;
      return fault === "fields" ? { kind: "query", fault, lacking } : { kind: "query", fault };
    }
    if (!(error instanceof FeedRefusal)) throw error;
    throw new FlexFailure(`the statement cannot be read: ${error.place}: ${withoutData(error.reason)}`);
  }
}

/** A refusal quotes the statement, which must not reach a log. */
function withoutData(reason: string): string {
  return reason.replace(/"(?:[^"\\]|\\.)*(?:"|\\?$)/gs, "…");
}
