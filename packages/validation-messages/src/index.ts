/**
 * Messages for input that a schema rejects, the same wherever input is checked: tools, REST, OAuth, command line, settings.
 *
 *   validation-messages.ts  one sentence for each kind of zod issue
 */
export { messageKinds, type RefusedIssue, zodMessages } from "./validation-messages.js";
