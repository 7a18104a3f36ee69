import { AnswerFailure } from "@org/provider-kit";

/** Nothing came of a request to the Flex Web Service. The message is for the log: it has nothing of a customer. */
export class FlexFailure extends AnswerFailure {
  override readonly name = "FlexFailure";
}
