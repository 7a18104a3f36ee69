import { AnswerFailure } from "@org/provider-kit";

/** A request to the Flex Web Service failed. The message is for the log and contains no customer data. */
export class FlexFailure extends AnswerFailure {
  override readonly name = "FlexFailure";
}
