import { bankSkills } from "./bank-skills.js";
import type { Extension } from "./offer.js";
import { connectBank } from "./prompts/connect-bank.js";
import { prepareClientMeeting } from "./prompts/prepare-client-meeting.js";
import { repairConnection } from "./prompts/repair-connection.js";
import { reviewPortfolio } from "./prompts/review-portfolio.js";
import { connectorById, connectorPages, connectorsResource } from "./resources/connectors.js";
import { scopesResource } from "./resources/scopes.js";
import { typesResource } from "./resources/types.js";

/** The product's own prompts, resources and skills, in list order and in the format of an extension. */
export const ownPromptsAndResources = {
  ...bankSkills,
  prompts: [connectBank, repairConnection, reviewPortfolio, prepareClientMeeting],
  resources: [typesResource, scopesResource, connectorsResource, ...bankSkills.resources],
  templates: [connectorPages, connectorById],
} as const satisfies Extension;
