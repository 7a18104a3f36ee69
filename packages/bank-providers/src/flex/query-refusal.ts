import { FeedRefusal } from "@org/provider-kit";
import { type MarkupElement, placeOf } from "../markup/element.js";

/** What the owner of a Flex query has to change so that its statements can be read. */
export type FlexQueryFault = "accounts" | "confirmations" | "dates" | "sections";

/** A statement that cannot be read because of how its query is set up; the owner of the query can correct it. */
export class FlexQueryRefusal extends FeedRefusal {
  readonly fault: FlexQueryFault;

  constructor(element: MarkupElement, fault: FlexQueryFault, reason: string) {
    super(placeOf(element), reason);
    this.fault = fault;
  }
}

/** Whether the owner of the query can correct the cause of a refusal. */
export function isQueryFault(refusal: FeedRefusal): boolean {
  return refusal instanceof FlexQueryRefusal;
}
