import type { IncomingMessage, ServerResponse } from "node:http";
import type { Runtime } from "@org/core";
import type { RouteFacts } from "@org/http";
import type { Config, Finding, InstallationKeys } from "@org/installation";
import type { Keyring } from "@org/keyring";
import type { OpenedStorage } from "@org/storage-postgres";
import type { RequestHandler } from "express";
import type { Metric } from "prom-client";
import type { Job } from "./jobs.js";
import type { Logger } from "./log.js";
import type { Schedule } from "./schedule.js";
import type { Tracing } from "./tracing/tracing.js";

/**
 * One thing that the server does. A file of `features/` has a function that makes it from what it needs. What it returns may have more
 * members: services for REST and MCP, and what features made after it need. `make-features.ts` makes all of them, `start-server.ts`
 * mounts them in one loop.
 */
export interface Feature {
  readonly routes?: Routes;
  /** Run by replicas with `JOBS=true`. */
  readonly jobs?: readonly Job[];
  /** Shown at `/metrics`. Made with `registers: []`: whoever mounts the feature registers them. */
  readonly metrics?: readonly Metric[];
  /** What `wealth-connect doctor` is told of it. */
  readonly check?: () => Promise<readonly Finding[]>;
  /** Deletes what has run out of what it keeps, at most `limit` rows of each kind; answers how many, by kind. */
  readonly reap?: (now: Date, limit: number) => Promise<Readonly<Record<string, number>>>;
  /** Told as soon as the server is to stop: what waits for news is answered, so that nobody has to wait for it. */
  readonly stopping?: () => void;
  /** Waits, not for long, for what is under way when the server stops; all features at the same time. */
  readonly drain?: () => Promise<unknown>;
  /** Ends what it holds, after everything is drained; the feature mounted last comes first. */
  readonly close?: () => Promise<void>;
}

/** What a feature answers. The first two are by path of the table of all routes, in which a request is looked up once. */
export interface Routes {
  /** Answered at once, without the headers of the others, which would cost them much of their speed. */
  readonly direct?: ByRoute;
  /** Answered with the headers of the others, without express. */
  readonly byRoute?: ByRoute;
  /** Of express: answers a request that the table gives to nobody, or calls `next` where it is none of its own. */
  readonly handle?: RequestHandler;
}

type ByRoute = Readonly<Record<string, RouteHandler>>;

/** Answers a request, or calls `next` where it is none of its own. */
export type RouteHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next: () => void,
) => void | Promise<void>;

/** The same answer for all these routes. */
export function answeredBy(routes: readonly Pick<RouteFacts, "path">[], answer: RouteHandler): ByRoute {
  return Object.fromEntries(routes.map(({ path }) => [path, answer]));
}

/** What features build on; each names the parts that it needs. */
export interface Platform {
  readonly config: Config;
  /** Issuer and base address, without trailing slash. */
  readonly publicUrl: string;
  readonly database: OpenedStorage;
  readonly keyring: Keyring;
  readonly keys: InstallationKeys;
  readonly runtime: Runtime;
  readonly clock: () => Date;
  readonly schedule: Schedule;
  readonly log: Logger;
  readonly tracing: Pick<Tracing, "tracer" | "check">;
}

/** How long a server that stops waits for refreshes and mails under way; the rest are due again at once, on another replica or later. */
export const GRACE_MS = 5_000;
