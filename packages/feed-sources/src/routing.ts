import { connectorId, createEventLoopYielder, type EventLoopYielder, idField, opaqueId } from "@org/core";
import { z } from "zod";
import { type LetterAccounts, lettersNaming, lettersNear } from "./account-index.js";
import { accountKey, isSameAccount } from "./accounts.js";
import { matchesPattern } from "./file-names.js";

const line = (max: number) =>
  z
    .string()
    .trim()
    .min(1, "must not be empty")
    .max(max, `must have at most ${max} characters`)
    .regex(/^[^\p{Cc}]*$/u, "must be one line without control characters");

/** The conditions of a route on a part of a file; all must hold. */
const conditionsSchema = z
  .strictObject({
    account: line(60)
      .optional()
      .describe("Number of the account, without regard to spaces, points, slashes and hyphens."),
    servicer: line(11)
      .optional()
      .describe("BIC of who keeps the account; one of 8 characters stands for all branches."),
    sender: line(140).optional().describe("Who sent the file, as the file says it."),
    name: line(255)
      .optional()
      .describe("Name of the file or of the part of a container: * stands for any characters, ? for one."),
  })
  .describe("All that is given has to hold; nothing given holds for everything.");

/** The target: a letter, a connection, or whichever letter of a connector names the account. */
const targetSchema = z.union([
  z.strictObject({ letter_id: idField }),
  z.strictObject({ connection_id: opaqueId }),
  z.strictObject({
    connector_id: connectorId,
    tenant_id: idField.nullish().describe("Letters of this tenant only; left out or null = of all."),
  }),
]);

/** A rule of a source. */
export const routeSchema = z.strictObject({ when: conditionsSchema.default({}), to: targetSchema });
export type Route = z.output<typeof routeSchema>;

/** The letter or connection that a file is for. */
export type RouteTarget = { readonly letter_id: string } | { readonly connection_id: string };

/** What routes are matched against: a portfolio of a file, or content that belongs to no portfolio. */
export interface Routed {
  readonly account: string | null;
  readonly servicer: string | null;
  readonly sender: string | null;
  /** The names of the file and, in a container, of the part. */
  readonly names: readonly string[];
}

/** A letter that the content may be for, and why. Operators see it as a proposal; it is never used automatically. */
export interface Proposal {
  readonly letter_id: string;
  readonly tenant_id: string;
  readonly why: string;
}

/** The target, or why there is none. */
export type Routing =
  | { readonly target: RouteTarget }
  | { readonly reason: string; readonly proposals: readonly Proposal[] };

/** The most proposals for one account. */
const MAX_PROPOSALS = 5;

/** The most comparisons between letters' numbers and those of one file to make proposals, since a file may name any number of accounts. */
const MAX_COMPARED = 500_000;

/** The number of rules between two looks at the clock, which cost as much as a rule. */
const RULE_BATCH = 50;

/** The routing budget of one file. */
export interface RoutingCosts {
  /** How many of {@link MAX_COMPARED} are left. */
  comparisonsLeft: number;
  readonly pace: EventLoopYielder;
}

export function createRoutingCosts(): RoutingCosts {
  return { comparisonsLeft: MAX_COMPARED, pace: createEventLoopYielder() };
}

/**
 * Finds the one target of a portfolio. Rules that name its account come first, then letters that name it, then rules that name no account. Two
 * targets of the same rank yield no target: nothing is guessed.
 * @param lettersOf the letters that a route to a connector searches; must return the same list for the same scope
 * @param costs shared by everything in a file
 */
export async function routingOf(
  routed: Routed,
  routes: readonly Route[],
  lettersOf: (scope: LetterScope) => readonly LetterAccounts[],
  costs: RoutingCosts = createRoutingCosts(),
): Promise<Routing> {
  const key = accountKey(routed.account ?? "");
  const matching: Route[] = [];
  for (const [index, route] of routes.entries()) {
    if (index % RULE_BATCH === 0 && costs.pace.isDue()) await costs.pace.turn();
    const named = keyOf(route.when);
    if ((named === null || named === key) && holds(route.when, routed)) matching.push(route);
  }
  const candidates = [...new Set(matching.flatMap(({ to }) => ("connector_id" in to ? [lettersOf(to)] : [])))];
  const { account } = routed;
  const named = account === null ? [] : candidates.flatMap((letters) => lettersNaming(account, letters));
  const direct = matching.filter(({ to }) => !("connector_id" in to));
  const ranks = [
    direct.filter(({ when }) => when.account !== undefined).map(targetOf),
    named.map(({ letter_id }) => ({ letter_id })),
    direct.filter(({ when }) => when.account === undefined).map(targetOf),
  ];
  for (const targets of ranks) {
    const different = new Map(targets.map((target) => [Object.values(target).join(), target]));
    const [first, ...more] = different.values();
    if (first === undefined) continue;
    if (more.length === 0) return { target: first };
    return {
      reason: `${different.size} rules or letters claim ${wordsOf(account)}: ${[...different.keys()].slice(0, MAX_PROPOSALS).join(", ")}`,
      proposals: proposalsFor(named, () => "its details name this account"),
    };
  }
  return {
    reason: `no rule and no letter is for ${wordsOf(account)}`,
    proposals: account === null ? [] : await nearLetters(account, candidates, costs),
  };
}

/** The letters that a route to a connector searches. */
export type LetterScope = { readonly connector_id: string; readonly tenant_id?: string | null | undefined };

function targetOf({ to }: Route): RouteTarget {
  return to as RouteTarget;
}

function wordsOf(account: string | null): string {
  return account === null ? "what belongs to no account" : `account ${JSON.stringify(account)}`;
}

/** The key of the account that a rule names; null = it names none. */
function keyOf(when: Route["when"]): string | null {
  if (when.account === undefined) return null;
  const known = ruleKeys.get(when) ?? accountKey(when.account);
  ruleKeys.set(when, known);
  return known;
}

const ruleKeys = new WeakMap<Route["when"], string>();

function holds({ account, servicer, sender, name }: Route["when"], routed: Routed): boolean {
  if (account !== undefined && (routed.account === null || !isSameAccount(account, routed.account))) return false;
  if (servicer !== undefined && !(routed.servicer !== null && isSameBic(servicer, routed.servicer))) return false;
  if (sender !== undefined && sender.toLowerCase() !== routed.sender?.trim().toLowerCase()) return false;
  return name === undefined || routed.names.some((each) => matchesPattern(each, name));
}

/** A BIC of 8 characters and the same one with the branch code `XXX` both mean the head office. */
function isSameBic(wanted: string, found: string): boolean {
  const [want, have] = [wanted.trim().toUpperCase(), found.trim().toUpperCase()];
  return want.length === 8 ? have.slice(0, 8) === want : have === want || `${have}XXX` === want;
}

async function nearLetters(
  account: string,
  candidates: readonly (readonly LetterAccounts[])[],
  costs: RoutingCosts,
): Promise<readonly Proposal[]> {
  const near: Awaited<ReturnType<typeof lettersNear>>["near"][number][] = [];
  for (const letters of candidates) {
    const found = await lettersNear(account, letters, costs.comparisonsLeft, costs.pace);
    costs.comparisonsLeft -= found.looked;
    near.push(...found.near);
  }
  const whys = new Map(near.map(({ letter, why }) => [letter.letter_id, why]));
  return proposalsFor(
    near.map(({ letter }) => letter),
    ({ letter_id }) => whys.get(letter_id) ?? "",
  );
}

function proposalsFor(
  letters: readonly LetterAccounts[],
  whyOf: (letter: LetterAccounts) => string,
): readonly Proposal[] {
  const different = [...new Map(letters.map((letter) => [letter.letter_id, letter])).values()];
  return different
    .slice(0, MAX_PROPOSALS)
    .map((letter) => ({ letter_id: letter.letter_id, tenant_id: letter.tenant_id, why: whyOf(letter) }));
}
