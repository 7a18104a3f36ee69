import { claimedText } from "./claimed-text.js";
import type { PageWords } from "./words/page-words.js";

/** The description of a scope. */
export interface PermissionWords {
  readonly title: string;
  /** What it allows, in one sentence. */
  readonly allows: string;
}

/** Describes a scope (contract §2). An unknown one is shown by its name, so that nothing is allowed unseen. */
export function permissionWords(words: PageWords, scope: string): PermissionWords {
  const known = Object.hasOwn(words.permissions, scope) ? words.permissions[scope] : undefined;
  const [title, allows] = known ?? [claimedText(scope, 60) ?? words.nameless.permission, words.unknownPermission];
  return { title, allows };
}

/** Whether a scope destroys data that cannot be recovered; such permissions are shown separately. */
export function isGrave(scope: string): boolean {
  return scope === "connections:delete";
}
