import { FeedRefusal } from "@org/provider-kit";
import { type MarkupElement, placeOf } from "../markup/element.js";

/** What of a Flex query its owner has to change, so that a statement made of it can be read. */
export type FlexQueryFault = "accounts" | "confirmations" | "dates" | "sections";

/** A statement that cannot be read because of how its query is set up: whoever owns the query can mend it. */
export class FlexQueryRefusal extends FeedRefusal {
  readonly fault: FlexQueryFault;

  constructor(element: MarkupElement, fault: FlexQueryFault, reason: string) {
    super(placeOf(element), reason);
    this.fault = fault;
  }
}
