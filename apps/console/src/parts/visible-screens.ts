import { createContext } from "react";

/** The paths of the screens that the person at this page may see, such as `/letters/$letterId`: others are not linked to. */
export const VisibleScreens = createContext<ReadonlySet<string>>(new Set());
