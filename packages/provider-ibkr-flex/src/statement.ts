import { type FlexQueryFault, FlexQueryRefusal, flexFormat } from "@org/bank-providers";
import type { SnapshotData } from "@org/provider-kit";
import { FlexFailure } from "./flex-failure.js";

/** What the owner of a query must change. */
export type QueryFault = FlexQueryFault | "format";

/** A statement as read, or what is wrong with its query. */
export type ReadStatement =
  | { readonly kind: "read"; readonly snapshot: SnapshotData; readonly accounts: readonly string[] }
  | { readonly kind: "query"; readonly fault: QueryFault };

/** Whether this is the start of a statement, in XML or in the other output format of queries. */
export function isStatement(head: string): boolean {
  return flexFormat.recognises(head) || isDelimited(head);
}

/** Statements in table form start with the name of their first column or section. */
function isDelimited(head: string): boolean {
  return /^[^\w<"]{0,6}(?:"\w[^"<]*"|\w+)[,;|\t]/.test(head);
}

/** Reads a statement with the parser for Flex files. @throws FlexFailure if it is truncated, or unreadable for a reason other than its query */
export function readStatement(body: Uint8Array): ReadStatement {
  if (isDelimited(Buffer.from(body.subarray(0, 100)).toString("latin1"))) return { kind: "query", fault: "format" };
  try {
    const { warnings: _, pages: __, ...snapshot } = flexFormat.read(body);
    const portfolios = snapshot.portfolios ?? [];
    // Without positions, a newly connected account would never have anything to show.
    if (portfolios.some(({ holdings_unknown }) => holdings_unknown)) return { kind: "query", fault: "sections" };
    return { kind: "read", snapshot, accounts: [...new Set(portfolios.map(({ key }) => key))].sort() };
  } catch (error) {
    if (error instanceof FlexQueryRefusal) return { kind: "query", fault: error.fault };
    if (!isRefusal(error)) throw error;
    throw new FlexFailure(`the statement cannot be read: ${error.place}: ${withoutData(error.reason)}`);
  }
}

function isRefusal(error: unknown): error is Error & { place: string; reason: string } {
  return error instanceof Error && error.name === "FeedRefusal";
}

/** A refusal quotes the statement, which must not reach a log. */
function withoutData(reason: string): string {
  return reason.replace(/"(?:[^"\\]|\\.)*(?:"|\\?$)/gs, "…");
}
