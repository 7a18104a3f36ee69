/**
 * Matches an identity provider's claims against rules. Used for access tokens and for people's roles.
 *
 *   matching-rules.ts  which rules match
 */
export { type ClaimRequirement, type Claims, matchingRules } from "./matching-rules.js";
