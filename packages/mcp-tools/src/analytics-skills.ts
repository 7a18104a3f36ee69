import { type Skill, skillsExtension } from "./skills.js";

const review: Skill = {
  name: "wealth-review",
  description:
    "Review the wealth of a client, or of all clients: how much, how it is divided, how it developed, what it earned and paid. Use it when somebody asks for a review, an overview or a report on a period.",
  instructions: `# Review of wealth

1. Settle whose (client_ref, or all), the period, and the currency. Without a wish take the last twelve months to yesterday, and the currency in which the most is held.
2. wealth-summary with by=type, then by=currency; by=client if it is about all clients. Take totals and share as they are.
3. wealth-history with interval=month over the period.
4. wealth-performance over the period, method=twr. If it is refused, see below.
5. wealth-income over the period with by=kind.
6. Write: the total and its day; the division; the development; the return with its method; income net and gross; what is missing.

What is refused or incomplete is part of the review. Say which portfolios have no value and since when (coverage.details), which days are missing (details of INSUFFICIENT_DATA) and which statement would close the gap. If a narrower period works, give that return with its days. Do not fill gaps, do not compute a return from two values, and do not add amounts of different currencies.`,
};

const meeting: Skill = {
  name: "prepare-client-meeting",
  description:
    "Prepare a meeting with a client: what changed since the last one, in one page, with the questions that the client may ask. Use it when somebody has a meeting with a client.",
  instructions: `# Prepare a meeting with a client

1. You need client_ref and the day of the last meeting. Ask for what you do not have.
2. wealth-summary for that day and for today, by=type, in the same currency: what is there now, and what it was then.
3. wealth-history from that day, interval=week, and wealth-performance over the same days with method=mwr (what the client's own money did) and twr (how the portfolio did).
4. wealth-income over the same days, by=security, and once more with kind=["fee","tax"].
5. One page: the total then and now; how much of the change is money paid in or out (flows) and how much is gain; the three largest changes of the division; income; costs; open points.

Open points come first if they bear on a figure: portfolios without a value, returns that were refused and why, data that are old (sources). Give every figure with its day. Offer no advice to buy or sell.`,
};

const explain: Skill = {
  name: "explain-figure",
  description:
    "Explain where a total, a return or an income figure comes from, or why it is missing or differs from another one. Use it when somebody doubts a figure or asks why it is what it is.",
  instructions: `# Explain a figure

1. Ask for the figure again with the same arguments, so that you explain what is stored now.
2. A total: wealth-summary of that day by=bank, then by=security of the bank in question. coverage says how many portfolios were valued on the day, carried from an earlier day, or missing, and since when; rates says which exchange rates were used, of which day and source. Portfolios in duplicates count twice.
3. The value of one portfolio or holding, or one transaction: wealth-why with its id, and the date of the figure. The first of versions is what counts: say its file and place, or its provider and when it was read. Where it replaced others, say what they said and when the correction came. Ask for each of parts too.
4. A return: opening and closing with their days, flows (money in and out), entries (portfolios that were first valued in the period, no gain), estimated (days between valuations, in which flows were weighted) and gaps. twr leaves out the effect of when money came, mwr keeps it: that is why they differ.
5. Two figures that differ: compare days, currency, scope and stale_after first. A change of value has deposits in it, a return has not.
6. A figure that is refused: say each of details in words, with the portfolio and the days, and what would close it: a statement for missing days, a correction of a difference, a rate.

Say only what the answers say. Where they do not tell the cause, say so.`,
};

/** What `/mcp/analytics` offers besides its tools: instructions for a review, a meeting, and a doubted figure. */
export const analyticsSkills = skillsExtension([review, meeting, explain]);
