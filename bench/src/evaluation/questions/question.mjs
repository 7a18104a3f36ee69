import { THIS_YEAR } from "../seeded-tenant.mjs";

export const lastYear = THIS_YEAR - 1;
export const thisYear = { first: `${THIS_YEAR}-01-01`, last: `${THIS_YEAR}-12-31` };
export const yearBefore = { first: `${lastYear}-01-01`, last: `${lastYear}-12-31` };

/**
 * A question with the SQL of its answer. `asks` is its meaning: a subject, conditions, and what is wanted. It names no tool and no parameter.
 *
 *   subject   what it is about, in a person's words
 *   where     conditions on the rows; `of` has conditions on what the rows belong to
 *   want      count, sums (by currency), groups (sums by currency and `per`), top (`take` rows, by `by`), rows, values (of a part of the answer,
 *             about `part`), states (of the banks read), object, refusal (of a deletion without a confirmation), or hint
 *   pick      the fields that make up the answer; of groups, what stands for `per`
 *   each      asks the question for each row of another subject
 *   afterwards  first takes the next action that the answer names, then looks at this
 *
 * `isOrdered`: the order of rows is part of the answer. `judge` decides where an answer is a text. `row` is the question's row in the table of goals.
 */
export function q(text, asks, sql, { isOrdered = false, judge, row } = {}) {
  return { text, asks, sql, isOrdered, judge, row };
}

export const ofBank = (bank) => ({ subject: "bank connections", where: { bank } });
export const ofAccount = (name) => ({ subject: "portfolio accounts", where: { name } });
