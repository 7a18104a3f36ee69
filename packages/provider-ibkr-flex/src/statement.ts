import { type FlexQueryFault, FlexQueryRefusal, flexFormat } from "@org/bank-providers";
import type { SnapshotData } from "@org/provider-kit";
import { FlexFailure } from "./flex-failure.js";

/** What of a query its owner has to change. */
export type QueryFault = FlexQueryFault | "format";

/** A statement as read, or what is wrong with the query that it was made by. */
export type ReadStatement =
  | { readonly kind: "read"; readonly snapshot: SnapshotData; readonly accounts: readonly string[] }
  | { readonly kind: "query"; readonly fault: QueryFault };

/** Whether this is the beginning of a statement: in XML, or in the other form that a query can be set to. */
export function isStatement(head: string): boolean {
  return flexFormat.recognises(head) || isDelimited(head);
}

/** Statements that are tables of text begin with the name of their first column or of their first section. */
function isDelimited(head: string): boolean {
  return /^[^\w<"]{0,6}(?:"\w[^"<]*"|\w+)[,;|\t]/.test(head);
}

/**
 * Reads a statement with the parser that reads Flex files.
 * @throws FlexFailure where it breaks off, or cannot be read for another reason than its query
 */
export function readStatement(body: Uint8Array): ReadStatement {
  if (isDelimited(Buffer.from(body.subarray(0, 100)).toString("latin1"))) return { kind: "query", fault: "format" };
  try {
    const { warnings: _, pages: __, ...snapshot } = flexFormat.read(body);
    const portfolios = snapshot.portfolios ?? [];
    // Without positions an account that is connected for the first time has nothing to show, ever.
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

/** A refusal quotes what the statement says; a log must not. */
function withoutData(reason: string): string {
  return reason.replace(/"(?:[^"\\]|\\.)*(?:"|\\?$)/gs, "…");
}
