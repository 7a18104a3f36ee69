/**
 * Words for what a schema refuses, the same wherever input is checked: tools, REST, OAuth, command line, settings.
 *
 *   validation-messages.ts  one sentence for each kind of issue that zod knows
 */
export { type RefusedIssue, zodMessages } from "./validation-messages.js";
