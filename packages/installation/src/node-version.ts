/** The oldest release line of Node that gets security fixes, and when the previous one ended (nodejs/Release). */
const MIN_NODE_VERSION = 22;
const ENDED = "2026-04-30";

/**
 * A warning about a Node that no longer gets security fixes; null when it does. `engines` still allows it, so nothing is
 * refused.
 * @param version such as `20.19.1`
 */
export function outdatedNode(version: string): string | null {
  if (Number.parseInt(version, 10) >= MIN_NODE_VERSION) return null;
  return `Node ${version} has had no security fixes since ${ENDED}: everything works, but newly found holes in Node stay open; install Node ${MIN_NODE_VERSION} or newer (https://nodejs.org), which a later release will require`;
}
