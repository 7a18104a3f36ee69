import { allows, type Role } from "@org/people/roles";
import { audienceOf } from "../api/session.js";
import { type ScreenEntry, screens } from "../screens/index.js";

/** Whether a person may see a screen. */
export function canSee(
  person: { readonly role: Role; readonly tenant_id: string | null },
  { audience, power }: Pick<ScreenEntry, "audience" | "power">,
): boolean {
  return (audience === "both" || audience === audienceOf(person)) && allows(person.role, power);
}

/** The paths of all screens that a person may see. */
export function visiblePaths(person: Parameters<typeof canSee>[0]): ReadonlySet<string> {
  return new Set(screens.filter((screen) => canSee(person, screen)).map(({ path }) => path));
}

/** The groups of the navigation, in their order. */
const groups = ["work", "data", "access", "operation", "own"] as const;

/** The screens of each group that a person may see; empty groups are left out. */
export function navigationOf(person: { readonly role: Role; readonly tenant_id: string | null }) {
  return groups
    .map((group) => ({
      group,
      screens: screens.filter((screen) => screen.group === group && canSee(person, screen)),
    }))
    .filter((found) => found.screens.length > 0);
}

/** Whether a screen, or one below it, is at a path such as `/letters/1`. */
export function isCurrentScreen(pathname: string, path: string): boolean {
  return path === "/" ? pathname === "/" : pathname === path || pathname.startsWith(`${path}/`);
}
