import {
  type Actor,
  optional,
  pageSizeSchema,
  type TenantActor,
  tenantWorkKinds,
  tenantWorkSearchSchema,
  workKinds,
  workMarkingSchemas,
  workPageSchema,
  workSearchSchema,
} from "@org/core";
import { z } from "zod";
import { jsonInput } from "../body/inputs.js";
import { defineEndpoint, type Endpoint, untypedAnswer } from "../endpoint.js";
import { tokenPageSchema } from "../paging.js";
import { operatorEndpoint } from "./operator-endpoint.js";

const order = "the most urgent kind first, and of each kind the oldest (since, then subject)";
const workLinesDescription =
  "A line is there for as long as its trouble is. It says one thing to do next, and the ids and facts that the words for it are made of.";

const bodies = workMarkingSchemas;
const linesOrder = "as lines names them";
const eachForItself =
  "Each line is changed or refused for itself, and a line that is given twice is changed once. The answer is 200 whatever became of them: look at each outcome.";
/** What is done to lines, by operators and by a tenant's people, who do not see each other's marks. */
const marking = {
  take: {
    summary: "Take lines that nobody has",
    order: linesOrder,
    description: `A line that somebody else has is refused, and says who. ${eachForItself}`,
    output: bodies.outcomes,
  },
  handOver: {
    summary: "Hand lines over to a person who works on the same queue, or let them go",
    order: linesOrder,
    description: eachForItself,
    output: bodies.outcomes,
  },
  snooze: {
    summary: "Put lines aside until a time, with a reason",
    order: linesOrder,
    description: `A snoozed line is back at its time, or as soon as something else is wrong with it. ${eachForItself}`,
    output: bodies.outcomes,
  },
  wake: {
    summary: "Show snoozed lines again",
    order: linesOrder,
    description: eachForItself,
    output: bodies.outcomes,
  },
} as const;

const outcomes = z.object({
  succeeded: z.int().min(0),
  failed: z.int().min(0).describe("The institution's doing, or its provider's."),
  customer: z.int().min(0).describe("The customer's doing, such as a wrong password; not in the rate."),
  rate: z.number().min(0).max(1).nullable().describe("succeeded / (succeeded + failed), to four digits; null of none."),
});
const periods = z.object({
  day: outcomes.describe("The last 24 hours, by whole hours."),
  week: outcomes.describe("The last seven days, by whole hours."),
});
const figuresSchema = z.object({
  connector_id: z.string(),
  name: z.string().describe("The institution's, as the catalogue has it."),
  provider: z.string().nullable().describe("Null where the catalogue does not know the connector any more."),
  logins: periods.describe("Logins of customers that came to an end."),
  refreshes: periods.describe("Refreshes that were neither put off nor are still prepared."),
  circuit: z.enum(["closed", "open"]).describe("open: calls of some server fail too often, and it leaves it alone."),
  circuit_open_since: z.string().nullable().describe("RFC 3339."),
});

/** `/operator/v1/work`: open work for operators. */
export const operatorWorkEndpoints = [
  operatorEndpoint({
    path: "/operator/v1/work/list",
    reads: true,
    operation: "listWork",
    summary: "List what needs somebody now, each with the one thing to do next",
    order,
    description: workLinesDescription,
    body: workSearchSchema,
    output: workPageSchema(workKinds),
    handle: ({ workQueue }, { who }, search) => untypedAnswer(workQueue.list(who, search)),
  }),
  operatorEndpoint({
    ...marking.take,
    path: "/operator/v1/work/take",
    operation: "takeWork",
    body: bodies.lines,
    handle: ({ workQueue }, { who }, { lines }) => workQueue.take(who, lines),
  }),
  operatorEndpoint({
    ...marking.handOver,
    path: "/operator/v1/work/hand-over",
    operation: "handOverWork",
    body: bodies.handOver,
    handle: ({ workQueue }, { who }, { lines, person_id }) => workQueue.handOver(who, lines, person_id),
  }),
  operatorEndpoint({
    ...marking.snooze,
    path: "/operator/v1/work/snooze",
    operation: "snoozeWork",
    body: bodies.snooze,
    handle: ({ workQueue }, { who }, { lines, until, reason }) => workQueue.snooze(who, lines, new Date(until), reason),
  }),
  operatorEndpoint({
    ...marking.wake,
    path: "/operator/v1/work/wake",
    operation: "wakeWork",
    body: bodies.lines,
    handle: ({ workQueue }, { who }, { lines }) => workQueue.wake(who, lines),
  }),
  operatorEndpoint({
    path: "/operator/v1/providers/figures",
    reads: true,
    operation: "showProviderFigures",
    summary: "Show how logins and refreshes go at each institution",
    order: "by connector_id",
    description:
      "Counted over all servers, which add up every few seconds. Institutions at which nothing was tried in seven days, and that are not left alone, are not there.",
    body: z.strictObject({ page_token: optional(z.string()), page_size: pageSizeSchema(500, 100) }),
    output: tokenPageSchema(figuresSchema),
    handle: ({ institutionFigures }, _call, search) => institutionFigures.list(search),
  }),
] as const satisfies readonly Endpoint<Actor>[];

/** `/events/v1/list-work`: the same for a tenant, which is also told by events. */
export const tenantWorkEndpoints = [
  defineEndpoint({
    path: "/events/v1/list-work",
    reads: true,
    operation: "listTenantWork",
    summary: "List what needs somebody of the tenant now, each with its next step",
    order,
    description: workLinesDescription,
    scopes: ["events:read"],
    input: jsonInput(tenantWorkSearchSchema),
    output: workPageSchema(tenantWorkKinds),
    fails: [],
    handle: ({ workQueue }, { who }, search) => untypedAnswer(workQueue.listOf(who, search)),
  }),
  defineEndpoint({
    ...marking.take,
    path: "/events/v1/take-work",
    operation: "takeTenantWork",
    scopes: ["events:write"],
    input: jsonInput(bodies.lines),
    fails: [],
    handle: ({ workQueue }, { who }, { lines }) => workQueue.take(who, lines),
  }),
  defineEndpoint({
    ...marking.handOver,
    path: "/events/v1/hand-over-work",
    operation: "handOverTenantWork",
    scopes: ["events:write"],
    input: jsonInput(bodies.handOver),
    fails: [],
    handle: ({ workQueue }, { who }, { lines, person_id }) => workQueue.handOver(who, lines, person_id),
  }),
  defineEndpoint({
    ...marking.snooze,
    path: "/events/v1/snooze-work",
    operation: "snoozeTenantWork",
    scopes: ["events:write"],
    input: jsonInput(bodies.snooze),
    fails: [],
    handle: ({ workQueue }, { who }, { lines, until, reason }) => workQueue.snooze(who, lines, new Date(until), reason),
  }),
  defineEndpoint({
    ...marking.wake,
    path: "/events/v1/wake-work",
    operation: "wakeTenantWork",
    scopes: ["events:write"],
    input: jsonInput(bodies.lines),
    fails: [],
    handle: ({ workQueue }, { who }, { lines }) => workQueue.wake(who, lines),
  }),
] as const satisfies readonly Endpoint<TenantActor>[];
