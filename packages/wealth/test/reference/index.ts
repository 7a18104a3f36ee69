/**
 * Every figure of the package, written a second time as literally and as slowly as can be: exact fractions, no index, no short cut. Tests hold the
 * package's own figures against these.
 */
import { gains, holdingsAt, summary } from "./day-figures.js";
import { history } from "./history.js";
import { income } from "./income.js";
import { performance } from "./performance.js";

export const reference = { history, holdingsAt, summary, performance, income, gains };
