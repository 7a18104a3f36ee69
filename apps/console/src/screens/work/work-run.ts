import { forget } from "../../api/answers.js";
import { ApiProblem } from "../../api/api-problem.js";
import { call } from "../../api/call.js";
import type { AnswerOf } from "../../api/paths.js";
import type { Audience } from "../../api/session.js";
import { createRuns } from "../../shell/runs.js";
import { addMails } from "../../undo/waiting-moves.js";
import { type BulkStep, nameOf, QUEUE, type WorkLine } from "./work-places.js";

/** What is done to the owner or the snooze of lines. */
export type MarkStep =
  | { readonly what: "take" }
  | { readonly what: "handOver"; readonly personId: string | null }
  | { readonly what: "snooze"; readonly until: string; readonly reason: string }
  | { readonly what: "wake" };

/** What is done to what lines are about; only `note` has a text. */
interface LineStep {
  readonly what: BulkStep;
  readonly note: string;
}

type Step = MarkStep | LineStep;

interface Plan {
  readonly what: Step["what"] | "undo";
  readonly audience: Audience;
  readonly steps: readonly Step[];
}

/** A line as a run keeps it: what its steps, its name and its way back need. */
export interface RunLine extends Pick<WorkLine, "kind" | "subject" | "tenant_id" | "owner" | "snoozed" | "version"> {
  readonly name: string;
  readonly details: Pick<WorkLine["details"], "letter_id" | "connection_id" | "mail_id" | "provider" | "observations">;
  /** Which of the plan's steps. */
  readonly step: number;
}

type Mail = AnswerOf<"/operator/v1/mails/retry">["mail"];

export interface LineOutcome {
  /** Null = done. */
  readonly refusal: LineRefusal | null;
  /** Of the line afterwards; 0 where the step does not change it. */
  readonly version: number;
  /** The mail that it sent. */
  readonly mail?: Pick<Mail, "mail_id" | "letter_id" | "state" | "recipient" | "next_attempt_at">;
}

/** Why a step was not done. `text`: who has the line, or what the file's finding says. */
export type LineRefusal =
  | { readonly why: "gone" | "changed" }
  | { readonly why: "owned"; readonly text: string }
  | { readonly why: "held"; readonly text: string | null }
  | { readonly why: "problem"; readonly problem: ConstructorParameters<typeof ApiProblem>[0] };

/** The most lines of one request. */
export const CHUNK = 200;

/** The run that changes lines, or what they are about. Each request has a key, so that one whose answer was lost is not made twice. */
export const workRun = createRuns<Plan, RunLine, LineOutcome>({
  keptAs: "wealth-connect-console-work-run",
  nextOf(rest, { steps }) {
    const first = rest[0]?.step;
    const front = rest.slice(0, isMarkStep(steps[first ?? 0]) ? CHUNK : 1);
    const others = front.findIndex(({ step }) => step !== first);
    return others === -1 ? front : front.slice(0, others);
  },
  async send(lines, { audience, steps }, key) {
    const [line] = lines;
    const step = line && steps[line.step];
    if (!step) return [];
    return isMarkStep(step) ? mark(audience, step, lines, key) : [await perform(step, line, key)];
  },
  onPause({ items, outcomes }, since) {
    const mails = outcomes.slice(since).flatMap(({ mail }) => mail ?? []);
    const names = new Map(items.map(({ details, subject, name }) => [details.letter_id ?? subject.id, name]));
    addMails(mails, (letterId) => names.get(letterId) ?? letterId);
    return forget([...QUEUE, "/operator/v1/"]);
  },
});

/** Starts a step on lines. */
export function startStep(
  who: { person_id: string; audience: Audience },
  step: Step,
  lines: readonly WorkLine[],
): void {
  workRun.start({
    person: who.person_id,
    plan: { what: step.what, audience: who.audience, steps: [step] },
    items: lines.map((line) => keptOf(line, step)),
  });
}

function keptOf(line: WorkLine, { what }: Step): RunLine {
  const { kind, subject, tenant_id, owner, snoozed, version, details } = line;
  const { letter_id, connection_id, mail_id, provider, observations } = details;
  return {
    ...{ kind, subject, tenant_id, owner, snoozed, version, step: 0, name: nameOf(line) },
    details: {
      ...(letter_id !== undefined && { letter_id }),
      ...(connection_id !== undefined && { connection_id }),
      ...(mail_id !== undefined && { mail_id }),
      ...(provider !== undefined && { provider }),
      ...(what === "note" && observations !== undefined && { observations }),
    },
  };
}

function isMarkStep(step: Step | undefined): step is MarkStep {
  return step !== undefined && ["take", "handOver", "snooze", "wake"].includes(step.what);
}

/** Changes the owner or the snooze of each line. @throws ApiProblem when none was changed */
async function mark(
  audience: Audience,
  step: MarkStep,
  of: readonly RunLine[],
  key: string,
): Promise<readonly LineOutcome[]> {
  try {
    const { items } = await sendMark(audience, step, of, key);
    return items.map(({ error, owner, version }) => ({
      version,
      refusal:
        error === null
          ? null
          : error.code === "NOT_FOUND"
            ? { why: "gone" }
            : owner === null
              ? { why: "changed" }
              : { why: "owned", text: owner.name },
    }));
  } catch (error) {
    // It was done, and nobody knows the outcomes any more.
    if (error instanceof ApiProblem && error.reason === "answer_lost") return of.map(() => refusedBy(error));
    throw error;
  }
}

function sendMark(audience: Audience, step: MarkStep, of: readonly RunLine[], key: string) {
  const isOperator = audience === "operator";
  // Whoever takes a line that somebody else took meanwhile is told so; anything else is based on what is shown.
  const lines = of.map(({ kind, subject: { id }, version }) => ({
    kind,
    id,
    ...(step.what !== "take" && { version }),
  }));
  switch (step.what) {
    case "take":
      return call(isOperator ? "/operator/v1/work/take" : "/events/v1/take-work", { lines }, undefined, key);
    case "handOver": {
      const body = { lines, person_id: step.personId };
      return call(isOperator ? "/operator/v1/work/hand-over" : "/events/v1/hand-over-work", body, undefined, key);
    }
    case "snooze": {
      const body = { lines, until: step.until, reason: step.reason };
      return call(isOperator ? "/operator/v1/work/snooze" : "/events/v1/snooze-work", body, undefined, key);
    }
    case "wake":
      return call(isOperator ? "/operator/v1/work/wake" : "/events/v1/wake-work", { lines }, undefined, key);
  }
}

/** Does one line's step. @throws ApiProblem for what is not the server's refusal of this one line */
async function perform({ what, note }: LineStep, line: RunLine, key: string): Promise<LineOutcome> {
  const { id } = line.subject;
  const { mail_id = id, letter_id = id, observations } = line.details;
  const done: LineOutcome = { refusal: null, version: 0 };
  try {
    switch (what) {
      case "retryFiles": {
        const path = "/operator/v1/datafeeds/retry-pending";
        const { outcome, findings } = await call(path, { file_id: id }, undefined, key);
        return outcome === "held" ? { ...done, refusal: { why: "held", text: findings[0]?.reason ?? null } } : done;
      }
      case "resend": {
        const { mail } = await call("/operator/v1/mails/retry", { mail_id }, undefined, key);
        const { letter_id, state, recipient, next_attempt_at } = mail;
        return { ...done, mail: { mail_id: mail.mail_id, letter_id, state, recipient, next_attempt_at } };
      }
      case "arrived":
        await call("/operator/v1/mails/confirm", { mail_id }, undefined, key);
        return done;
      case "enable":
        await call("/operator/v1/webhooks/enable", { id }, undefined, key);
        return done;
      case "note": {
        const body = { letter_id, observations: observations ? `${observations}\n${note}` : note };
        await call("/operator/v1/letters/observe", body, undefined, key);
        return done;
      }
    }
  } catch (error) {
    if (!(error instanceof ApiProblem) || stops(error)) throw error;
    return refusedBy(error);
  }
}

/** Whether a problem is that of every line, and may pass. */
function stops({ isUnavailable, status, limit, code }: ApiProblem): boolean {
  return isUnavailable || limit !== null || [401, 429, 503].includes(status) || code === "CONFIRM_AGAIN";
}

function refusedBy(problem: ApiProblem): LineOutcome {
  return { refusal: { why: "problem", problem: { ...problem, message: problem.message } }, version: 0 };
}

/** The run that leads back from one, for the lines that it has changed; null if nothing does. */
export function undoOf(
  { steps, audience }: Plan,
  lines: readonly RunLine[],
  outcomes: readonly LineOutcome[],
): { readonly plan: Plan; readonly items: readonly RunLine[] } | null {
  const back: Step[] = [];
  const items: RunLine[] = [];
  for (const [index, { refusal, version }] of outcomes.entries()) {
    const line = lines[index];
    const step = line && refusal === null ? stepBack(steps[line.step], line) : null;
    if (!line || !step) continue;
    const known = back.findIndex((each) => JSON.stringify(each) === JSON.stringify(step));
    items.push({ ...line, version, step: known === -1 ? back.push(step) - 1 : known });
  }
  if (items.length === 0) return null;
  return { plan: { what: "undo", audience, steps: back }, items: items.toSorted((a, b) => a.step - b.step) };
}

function stepBack(step: Step | undefined, { owner, snoozed }: RunLine): MarkStep | null {
  if (!isMarkStep(step)) return null;
  if (step.what === "snooze") return snoozed ? { what: "snooze", ...snoozed } : { what: "wake" };
  if (step.what === "wake") return snoozed && { what: "snooze", ...snoozed };
  const personId = owner === null ? null : personIdOf(owner.id);
  return owner !== null && personId === null ? null : { what: "handOver", personId };
}

/** The person's id in an actor's; null for a program. */
function personIdOf(actorId: string): string | null {
  return actorId.startsWith("person:") ? actorId.slice("person:".length) : null;
}
