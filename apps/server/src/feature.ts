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
  /** What `wealth-connect doctor` learns about the feature. */
  readonly check?: () => Promise<readonly Finding[]>;
  /** Deletes expired rows that the feature keeps, at most `limit` of each kind; returns the counts by kind. */
  readonly reap?: (now: Date, limit: number) => Promise<Readonly<Record<string, number>>>;
  /** Called as soon as the server begins to stop: answers every call that waits for news, so that the stop does not wait for it. */
  readonly stopping?: () => void;
  /** Waits for a short time for work in progress when the server stops; all features do so at the same time. */
  readonly drain?: () => Promise<unknown>;
  /** Releases the feature's resources after everything is drained; the feature mounted last is closed first. */
  readonly close?: () => Promise<void>;
}

/**
 * The routes that a feature answers. The first two kinds are listed by path in the table of all routes, which is searched once for each
 * request.
 */
export interface Routes {
  /** Answered at once, without the headers of other routes, which would make these much slower. */
  readonly direct?: ByRoute;
  /** Answered with the usual headers, but without express. */
  readonly byRoute?: ByRoute;
  /** An express handler: answers a request that the route table assigns to nobody, or calls `next`. */
  readonly handle?: RequestHandler;
}

type ByRoute = Readonly<Record<string, RouteHandler>>;

/** Answers a request, or calls `next` when the request is not its own. */
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

/** How long a stopping server waits for refreshes and mails in progress; the rest are due again at once, on another replica or later. */
export const GRACE_MS = 5_000;
