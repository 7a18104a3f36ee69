import type { OfferedResource, OfferedTemplate } from "./offer.js";
import { connectorById, connectorPages, connectorsResource } from "./resources/connectors.js";
import { scopesResource } from "./resources/scopes.js";
import { typesResource } from "./resources/types.js";

/** The resources, in the order of `resources/list`. */
export const resources: readonly OfferedResource[] = [typesResource, scopesResource, connectorsResource];

/** Forms of addresses under which there are more, in the order of `resources/templates/list`. */
export const templates: readonly OfferedTemplate[] = [connectorPages, connectorById];
