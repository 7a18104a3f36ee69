import type { OriginRule } from "./origin-policy.js";

/** Static facts about one route. The adapters export theirs; a server makes one table of all of them. */
export interface RouteFacts {
  readonly methods: readonly string[];
  /**
   * From the root, such as `/mcp` or `/connect/:link/state`. A segment that begins with a colon matches any one segment, and a
   * final `*` matches all that follow.
   */
  readonly path: string;
  /** The family whose way of answering it shares, such as `letters`. */
  readonly family: string;
  /** Any one of these is enough; empty when no access token is needed. */
  readonly scopes: readonly string[];
  /** Maximum body size; null when it takes no body. */
  readonly maxBodyBytes: number | null;
  /** Which web pages may call it. */
  readonly origins: OriginRule;
  /** A few words for human readers. */
  readonly summary: string;
}

/** All routes of a server. */
export interface RouteTable<R extends RouteFacts = RouteFacts> {
  /** In the order given. */
  readonly routes: readonly R[];
  /** Returns the route that matches a path (without query), or null. Of several routes with the same path, the first. */
  match(path: string): R | null;
  /** Returns the route with this pattern, such as `/connect/:link`. */
  at(pattern: string): R | null;
}

interface Pattern<R> {
  readonly route: R;
  readonly segments: readonly string[];
}

/**
 * Indexes routes for look-up. A path without parameters is a single map access, however many routes there are. Of several matching
 * patterns, the one that is more specific in its first segments wins.
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

  const mostSegments = Math.max(0, ...patterns.map(({ segments }) => segments.length));

  return {
    routes,
    match(path) {
      const found = exact.get(path);
      if (found) return found;
      // One more than any pattern has, however many a client sends.
      const segments = path.split("/", mostSegments + 1);
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

/** Literal segments come before parameters, parameters before wildcards. */
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
