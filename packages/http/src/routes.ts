import type { OriginRule } from "./origin-policy.js";

/** What is known about one route before any request comes. The adapters export theirs; a server makes one table of them all. */
export interface RouteFacts {
  readonly methods: readonly string[];
  /**
   * From the root, such as `/mcp` or `/connect/:link/state`. A segment that begins with a colon stands for any one segment, a
   * last segment `*` for all that follow.
   */
  readonly path: string;
  /** What it belongs to and shares its way of answering with, such as `letters`. */
  readonly family: string;
  /** Any one of them is enough; none where no access token is asked for. */
  readonly scopes: readonly string[];
  /** The longest body that is taken; null where none is. */
  readonly maxBodyBytes: number | null;
  /** Which web pages may call it. */
  readonly origins: OriginRule;
  /** For people, in a few words. */
  readonly summary: string;
}

/** All routes of a server. */
export interface RouteTable<R extends RouteFacts = RouteFacts> {
  /** In the order in which they were given. */
  readonly routes: readonly R[];
  /** The route that a path (without its query) belongs to; null when there is none. Of routes with one path it is the first. */
  match(path: string): R | null;
  /** The route with this pattern, such as `/connect/:link`. */
  at(pattern: string): R | null;
}

interface Pattern<R> {
  readonly route: R;
  readonly segments: readonly string[];
}

/**
 * Orders routes for looking them up: a path without parameters is found at once, whatever their number; of several patterns that
 * fit, the one that says more about its first segments counts.
 * @throws Error when a method is given twice for one path
 */
export function createRouteTable<R extends RouteFacts>(routes: readonly R[]): RouteTable<R> {
  refuseDoubles(routes);
  const byPath = new Map(routes.toReversed().map((route) => [route.path, route]));
  const exact = new Map([...byPath].filter(([path]) => !isPattern(path)));
  const patterns = [...byPath.values()]
    .filter(({ path }) => isPattern(path))
    .map((route): Pattern<R> => ({ route, segments: route.path.split("/") }))
    .sort(bySpecificity);

  return {
    routes,
    match(path) {
      const found = exact.get(path);
      if (found) return found;
      const segments = path.split("/");
      return patterns.find((pattern) => fits(pattern, segments))?.route ?? null;
    },
    at: (pattern) => byPath.get(pattern) ?? null,
  };
}

function refuseDoubles(routes: readonly RouteFacts[]): void {
  const seen = new Set<string>();
  for (const { methods, path } of routes)
    for (const method of methods) {
      if (seen.has(`${method} ${path}`)) throw new Error(`two routes for ${method} ${path}`);
      seen.add(`${method} ${path}`);
    }
}

function isPattern(path: string): boolean {
  return path.includes("/:") || path.endsWith("/*");
}

function fits({ segments }: Pattern<unknown>, sent: readonly string[]): boolean {
  const hasRest = segments.at(-1) === "*";
  if (hasRest ? sent.length < segments.length - 1 : sent.length !== segments.length) return false;
  return segments.every((segment, index) => segment === "*" || segment.startsWith(":") || segment === sent[index]);
}

/** Literal segments before parameters, parameters before what takes everything. */
function bySpecificity(a: Pattern<unknown>, b: Pattern<unknown>): number {
  const length = Math.max(a.segments.length, b.segments.length);
  for (let index = 0; index < length; index += 1) {
    const difference = specificity(a.segments[index]) - specificity(b.segments[index]);
    if (difference !== 0) return difference;
  }
  return 0;
}

function specificity(segment = ""): number {
  return segment === "*" ? 2 : segment.startsWith(":") ? 1 : 0;
}
