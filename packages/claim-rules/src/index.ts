/**
 * Rules about the claims of an identity provider, for everything that follows from them: access tokens, people's roles.
 *
 *   fitting-rules.ts  which rules fit
 */
export { type ClaimRequirement, type Claims, matchingRules } from "./matching-rules.js";
