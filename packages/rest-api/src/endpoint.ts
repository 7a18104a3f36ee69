import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { type CoreErrorCode, parseOrRefuse } from "@org/core";
import type { z } from "zod";
import type { Input, RestLimits } from "./body/inputs.js";
import type { Scope } from "./scopes.js";
import type { RestServices } from "./services.js";

/** A request apart from its body: who asks, and what is beside the body. */
export interface Call<Who> {
  readonly who: Who;
  readonly headers: IncomingHttpHeaders;
  /** A parameter given twice is a list. */
  readonly query: Readonly<Record<string, string | string[]>>;
  /** Aborted when the caller hangs up. Made on demand: few endpoints wait. */
  readonly gone: () => AbortSignal;
}

/** An answer that is JSON text already, or its bytes in UTF-8, and goes out as it is. */
export class JsonText {
  readonly text: string | Uint8Array;

  constructor(text: string | Uint8Array) {
    this.text = text;
  }
}

/**
 * One endpoint as data: its routes are made of it, and the API document is written from it. All are POST. The path and the two schemas
 * keep their own types, from which `RestPaths` follows.
 */
export interface Endpoint<
  Who,
  Path extends string = string,
  Body extends z.ZodType | null = z.ZodType | null,
  Answer extends z.ZodType = z.ZodType,
> {
  readonly path: Path;
  /** A second path that is the same endpoint. */
  readonly alias?: string;
  /** Any one of them is enough. */
  readonly scopes: readonly [Scope, ...Scope[]];
  /** Name of the operation in the API document, and the stem of its schemas' names. */
  readonly operation: string;
  readonly summary: string;
  readonly description?: string;
  /** Of an endpoint that answers a list: what comes first, such as `newest first (created_at, then id)`. Always the same for the same data. */
  readonly order?: string;
  readonly input: Input<unknown, Body>;
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  readonly output: Answer;
  /** A request and its answer, for the API document. */
  readonly example?: { readonly body: object; readonly answer: object };
  /** What it may refuse beyond what every endpoint may. */
  readonly fails: readonly CoreErrorCode[];
  /** Answers what {@link output} describes: as a value, or as a {@link JsonText}. */
  readonly run: (
    services: RestServices,
    call: Call<Who>,
    request: IncomingMessage,
    limits: RestLimits,
  ) => Promise<unknown>;
}

/** An endpoint as the API document sees it. */
export type EndpointFacts = Omit<Endpoint<never>, "run">;

/** Every path at which an endpoint answers. */
export function pathsOf({ path, alias }: Pick<EndpointFacts, "path" | "alias">): readonly string[] {
  return alias === undefined ? [path] : [path, alias];
}

type Definition<Who, Path extends string, T, Body extends z.ZodType | null, Answer extends z.ZodType> = Omit<
  Endpoint<Who, Path, Body, Answer>,
  "input" | "run"
> & {
  readonly input: Input<T, Body>;
  readonly handle: (services: RestServices, call: Call<Who>, input: T) => Promise<unknown>;
};

/** Ties how a body is read to the handler that takes it, so that the two cannot disagree. A wrong query is refused before the body is read. */
export function defineEndpoint<
  Who,
  const Path extends string,
  T,
  Body extends z.ZodType | null,
  Answer extends z.ZodType,
>({ handle, ...definition }: Definition<Who, Path, T, Body, Answer>): Endpoint<Who, Path, Body, Answer> {
  return {
    ...definition,
    async run(services, call, request, limits) {
      if (definition.query) parseOrRefuse(definition.query, call.query);
      return handle(services, call, await definition.input.read(request, definition.input.limit(limits), limits));
    },
  };
}
