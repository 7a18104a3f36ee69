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
 * One thing that the server does. A file of `features/` has a function that creates it from what it needs. The result may have more members:
 * services for REST and MCP, and what later features need. `make-features.ts` creates all of them, and `start-server.ts` mounts them in one
 * loop.
 */
export interface Feature {
  readonly routes?: Routes;
  /** Run by replicas with `JOBS=true`. */
  readonly jobs?: readonly Job[];
  /** Shown at `/metrics`. Created with `registers: []`: the code that mounts the feature registers them. */
  readonly metrics?: readonly Metric[];
  /** What `wealth-connect doctor` reports about the feature. */
  readonly check?: () => Promise<readonly Finding[]>;
  /** Deletes the feature's expired rows, at most `limit` of each kind; returns the counts by kind. */
  readonly reap?: (now: Date, limit: number) => Promise<Readonly<Record<string, number>>>;
  /** Called as soon as the server begins to stop: answers every call that is waiting for news, so that the stop does not wait for it. */
  readonly stopping?: () => void;
  /** Waits briefly for work in progress when the server stops; all features do so at the same time. */
  readonly drain?: () => Promise<unknown>;
  /** Releases the feature's resources after everything is drained; the feature mounted last is closed first. */
  readonly close?: () => Promise<void>;
}

/**
 * The routes that a feature answers. The first two kinds are listed by path in the table of all routes, which is searched once for each
 * request.
 */
export interface Routes {
  /** Answered directly, without the headers of other routes, which would make these much slower. */
  readonly direct?: ByRoute;
  /** Answered with the usual headers, but without express. */
  readonly byRoute?: ByRoute;
  /** An express handler: answers a request that no entry of the route table answers, or calls `next`. */
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

/**
 * How long a stopping server waits for refreshes and mails in progress; the rest become due again immediately, for another replica or a later
 * start.
 */
export const GRACE_MS = 5_000;
