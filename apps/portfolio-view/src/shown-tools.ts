import { rowTools } from "./answer.js";
import { figureTools } from "./figure.js";

/** The tools that have a view. */
export const shownTools = [...rowTools, ...figureTools] as const;
export type ShownTool = (typeof shownTools)[number];
