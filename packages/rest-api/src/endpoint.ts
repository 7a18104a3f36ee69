import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { type CoreErrorCode, type EventLoopYielder, parseOrRefuse } from "@org/core";
import { andThen, type MaybePromise } from "@org/http";
import type { z } from "zod";
import { tooLarge } from "./body/body-limit.js";
import type { Input, RestLimits } from "./body/inputs.js";
import type { Scope } from "./scopes.js";
import type { RestServices } from "./services.js";

/** A request without its body: the caller, headers and query. */
export interface Call<Who> {
  readonly who: Who;
  readonly headers: IncomingHttpHeaders;
  /** A repeated parameter is a list. */
  readonly query: Readonly<Record<string, string | string[]>>;
  /** Aborted when the caller disconnects. Created on demand, because few endpoints wait. */
  readonly gone: () => AbortSignal;
  /** Lets other work run during long work, which the caller pays for. */
  readonly pace: () => EventLoopYielder;
  /** Does the work of a request with an `Idempotency-Key` once; left out, there is none. */
  readonly once?: ((work: () => Promise<unknown>) => Promise<unknown>) | undefined;
}

/** An answer that is JSON text already, or its UTF-8 bytes, and is sent as it is. */
export class JsonText {
  readonly text: string | Uint8Array;

  constructor(text: string | Uint8Array) {
    this.text = text;
  }
}

/**
 * One endpoint as data, from which its routes and the API document are made. All are POST. The path and both schemas keep their own
 * types, from which `RestPaths` is derived.
 */
export interface Endpoint<
  Who,
  Path extends string = string,
  Body extends z.ZodType | null = z.ZodType | null,
  Answer extends z.ZodType = z.ZodType,
> {
  readonly path: Path;
  /** A second path of the same endpoint. */
  readonly alias?: string;
  /** Any one of these is enough. */
  readonly scopes: readonly [Scope, ...Scope[]];
  /** True of an endpoint that holds its caller's limit of clients: nothing of others exists. The rest refuse limited callers. */
  readonly holdsLimit?: true;
  /** True of an endpoint that changes nothing: a failure leaves no doubt, and an `Idempotency-Key` means nothing. */
  readonly reads?: true;
  /** Operation id in the API document, and the stem of its schemas' names. */
  readonly operation: string;
  readonly summary: string;
  readonly description?: string;
  /** Order of a list, such as `newest first (created_at, then id)`. It is deterministic. */
  readonly order?: string;
  readonly input: Input<unknown, Body>;
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  readonly output: Answer;
  /** An example request and answer, for the API document. */
  readonly example?: { readonly body: object; readonly answer: object };
  /** Errors beyond those that every endpoint may return. */
  readonly fails: readonly CoreErrorCode[];
  /** Returns what {@link output} describes: as a value, or as a {@link JsonText}. */
  readonly run: (
    services: RestServices,
    call: Call<Who>,
    request: IncomingMessage,
    limits: RestLimits,
  ) => MaybePromise<unknown>;
}

/** The part of an endpoint that the API document needs. */
export type EndpointFacts = Omit<Endpoint<never>, "run">;

/** Returns every path of an endpoint. */
export function pathsOf({ path, alias }: Pick<EndpointFacts, "path" | "alias">): readonly string[] {
  return alias === undefined ? [path] : [path, alias];
}

/**
 * What a handler returns for an answer of type T, so that the compiler names a field that is missing. Services return read-only values and plain
 * strings, and JSON leaves `undefined` out; the tests check each answer against its schema.
 */
export type Answered<T> = T extends string
  ? string
  : T extends boolean
    ? boolean
    : T extends readonly (infer Item)[]
      ? readonly Answered<Item>[]
      : T extends object
        ? { readonly [K in keyof T]: Answered<T[K]> | (Record<never, never> extends Pick<T, K> ? undefined : never) }
        : T;

/** Returns an answer whose service leaves its fields open, which only tests compare with the schema. */
export function untypedAnswer(answer: Promise<object>): Promise<never> {
  return answer as Promise<never>;
}

type Definition<Who, Path extends string, T, Body extends z.ZodType | null, Answer extends z.ZodType> = Omit<
  Endpoint<Who, Path, Body, Answer>,
  "input" | "run"
> & {
  readonly input: Input<T, Body>;
  readonly handle: (services: RestServices, call: Call<Who>, input: T) => Promise<Answered<z.input<Answer>> | JsonText>;
};

/** Makes an endpoint and ties the handler's type to its input. A body that is declared too large, then an invalid query, is refused before the body is read. */
export function defineEndpoint<
  Who,
  const Path extends string,
  T,
  Body extends z.ZodType | null,
  Answer extends z.ZodType,
>({ handle, ...definition }: Definition<Who, Path, T, Body, Answer>): Endpoint<Who, Path, Body, Answer> {
  return {
    ...definition,
    run(services, call, request, limits) {
      const limit = definition.input.limit(limits);
      if (Number(request.headers["content-length"]) > limit.bytes) throw tooLarge(limit);
      if (definition.query) parseOrRefuse(definition.query, call.query);
      return andThen(definition.input.read(request, limit, limits), (input) =>
        call.once ? call.once(() => handle(services, call, input)) : handle(services, call, input),
      );
    },
  };
}
