import type { OfferedPrompt } from "./offer.js";
import { connectBank } from "./prompts/connect-bank.js";
import { prepareClientMeeting } from "./prompts/prepare-client-meeting.js";
import { repairConnection } from "./prompts/repair-connection.js";
import { reviewPortfolio } from "./prompts/review-portfolio.js";

/** The prompts, in the order of `prompts/list`. */
export const prompts: readonly OfferedPrompt[] = [connectBank, repairConnection, reviewPortfolio, prepareClientMeeting];
