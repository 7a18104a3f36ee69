import { FeedRefusal } from "@org/provider-kit";
import { type MarkupElement, placeOf } from "../markup/element.js";

/** What the owner of a Flex query has to change so that its statements can be read. */
export type FlexQueryFault = "accounts" | "confirmations" | "dates" | "fields" | "sections";

/** A field that a query lacks, and its section, both as in the statement. */
export interface LackingField {
  readonly section: string;
  readonly field: string;
}

/** A statement that cannot be read because of how its query is set up; the owner of the query can correct it. */
export class FlexQueryRefusal extends FeedRefusal {
  readonly fault: FlexQueryFault;
  /** Of the fault `fields`. */
  readonly lacking: readonly LackingField[];

  constructor(element: MarkupElement, fault: FlexQueryFault, reason: string, lacking: readonly LackingField[] = []) {
    super(placeOf(element), reason);
    this.fault = fault;
    this.lacking = lacking;
  }
}

/** Whether the owner of the query can correct the cause of a refusal. */
export function isQueryFault(refusal: FeedRefusal): boolean {
  return refusal instanceof FlexQueryRefusal;
}
