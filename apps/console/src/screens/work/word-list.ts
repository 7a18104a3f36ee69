import type { BulkStep, WorkAction, WorkKind } from "./work-places.js";

/** The type of the work queue's texts. */
export interface WorkWords {
  readonly title: string;
  readonly lead: string;
  readonly all: string;
  readonly nothing: string;
  readonly nothingForFilter: string;
  readonly nothingLead: string;
  readonly showAll: string;
  readonly what: string;
  readonly tenant: string;
  readonly since: string;
  readonly next: string;
  readonly installation: string;
  readonly filter: string;
  readonly keys: string;
  readonly marks: MarkWords;
  readonly bulk: {
    readonly steps: Readonly<Record<BulkStep, (lines: number) => string>>;
    /** What a step does, said before it is made. */
    readonly effects: Readonly<Record<BulkStep, (lines: number) => string>>;
    readonly twice: string;
    readonly stillHeld: string;
    readonly did: (done: string, all: string) => string;
  };
  readonly severities: Readonly<Record<"high" | "medium" | "low", string>>;
  readonly kinds: Readonly<Record<WorkKind, string>>;
  readonly actions: Readonly<Record<WorkAction, string>>;
  /** For a tenant's people, who act elsewhere. */
  readonly look: string;
  readonly inStatus: (status: string, days: number) => string;
  readonly until: string;
  readonly differences: (count: number) => string;
  readonly dialogs: {
    readonly advance: string;
    readonly advanceLead: (status: string) => string;
    readonly resolve: string;
    readonly resolveLead: (status: string) => string;
    readonly why: string;
    readonly note: string;
    readonly noteHint: string;
    readonly done: string;
    readonly doneLead: string;
    readonly observations: string;
    readonly observationsHint: string;
    readonly keep: string;
    readonly mail: string;
    readonly mailLead: (reason: string) => string;
    readonly recipient: string;
    readonly sendAgain: string;
    readonly doubt: string;
    readonly doubtLead: (recipient: string) => string;
    readonly arrived: string;
    readonly address: string;
    readonly addressLead: string;
    readonly banker: string;
    readonly send: string;
    readonly advanceThenRetry: string;
    readonly orNote: string;
    readonly write: (custodian: string) => string;
    readonly askSubject: (custodian: string) => string;
    /** @param isFeed files are awaited, otherwise an answer to the letter */
    readonly askText: (client: string, isFeed: boolean) => string;
    readonly askClient: string;
  };
  readonly said: Readonly<
    Record<"advanced" | "resolved" | "noted" | "queued" | "confirmed" | "enabled" | "taken", string>
  >;
}

/** Texts for owners, snoozes and what is done to several lines. */
interface MarkWords {
  readonly search: string;
  readonly custodian: string;
  readonly owner: string;
  readonly anybody: string;
  readonly mine: string;
  readonly nobody: string;
  readonly shown: string;
  readonly notSnoozed: string;
  readonly snoozed: string;
  readonly take: string;
  readonly handOver: string;
  readonly handOverLead: (lines: number) => string;
  readonly to: string;
  readonly me: string;
  readonly letGo: string;
  readonly snooze: string;
  readonly snoozeLead: (lines: number) => string;
  readonly until: string;
  readonly untils: Readonly<Record<"tomorrow" | "days" | "week" | "day", string>>;
  readonly day: string;
  readonly reason: string;
  readonly reasonHint: string;
  readonly wake: string;
  readonly chosen: (lines: string) => string;
  readonly chooseAll: (lines: string) => string;
  readonly clear: string;
  readonly snoozedUntil: string;
  readonly undo: string;
  readonly details: string;
  readonly made: Readonly<Record<"take" | "handOver" | "snooze" | "wake" | "undo", (lines: number) => string>>;
  readonly refused: (lines: number) => string;
  readonly results: string;
  readonly result: string;
  readonly doneOne: string;
  readonly refusedOne: string;
  readonly gone: string;
  readonly hasIt: (name: string) => string;
  readonly changed: string;
  readonly moveLetters: (lines: number) => string;
  readonly stopped: (lines: number) => string;
}
