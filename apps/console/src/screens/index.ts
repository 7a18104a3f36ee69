import type { ComponentType } from "react";
import type { Audience, Power } from "../api/session.js";
import { type Words, wordsOf } from "../language/language.js";
import type { IconName } from "../parts/icon.js";

/** A screen as navigation and routes see it. Its code is loaded when somebody goes there. */
export interface ScreenEntry {
  /** Behind `/console`, with `$name` for what varies: `/letters/$letterId`. */
  readonly path: string;
  readonly title: Words<string>;
  readonly icon: IconName;
  readonly audience: Audience | "both";
  /** What a role has to allow for it to be shown. */
  readonly power: Power;
  /** Where it stands in the navigation; null: it is only linked from others, such as one letter from the letters. */
  readonly group: "work" | "data" | "access" | "own" | null;
  readonly load: () => Promise<{ readonly default: ComponentType }>;
}

/** Every screen. Navigation shows those of a group in this order. */
export const screens: readonly ScreenEntry[] = [
  {
    path: "/work",
    title: wordsOf({ en: "Work", de: "Aufgaben", fr: "À faire", es: "Tareas" }),
    icon: "work",
    audience: "both",
    power: "see",
    group: "work",
    load: () => import("./work/work-screen.js"),
  },
  {
    path: "/account",
    title: wordsOf({ en: "Your account", de: "Ihr Konto", fr: "Votre compte", es: "Su cuenta" }),
    icon: "account",
    audience: "both",
    power: "see",
    group: "own",
    load: () => import("./account/account-screen.js"),
  },
];
