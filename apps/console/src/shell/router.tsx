import { createRootRoute, createRoute, createRouter, Navigate } from "@tanstack/react-router";
import { lazy } from "react";
import { audienceOf, usePerson } from "../api/session.js";
import { type ScreenEntry, screens } from "../screens/index.js";
import { NotProved } from "../sign-in/not-proved.js";
import { useProviderProblem } from "../sign-in/provider.js";
import { Console } from "./console.js";
import { canSee } from "./navigation.js";
import { NotFound } from "./not-found.js";

const root = createRootRoute({ component: Console, notFoundComponent: NotFound });

/** Pages for people who are not signed in. */
const openRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: "/join",
    component: lazy(() => import("../sign-in/join-screen.js")),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/signed-out",
    component: lazy(() => import("../sign-in/signed-out-screen.js")),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/authorize",
    component: lazy(() => import("../sign-in/authorize-screen.js")),
  }),
];

const paths = [...new Set(screens.map(({ path }) => path))];
const screenRoutes = paths.map((path) => {
  const entries = screens
    .filter((screen) => screen.path === path)
    .map((screen) => ({ screen, Drawn: lazy(screen.load) }));
  return createRoute({
    getParentRoute: () => root,
    path,
    component: Object.assign(() => <ScreenAt entries={entries} />, {
      preload: () => Promise.all(entries.map(({ screen }) => screen.load())).then(() => undefined),
    }),
  });
});
const home = createRoute({ getParentRoute: () => root, path: "/", component: Home });

/** The routes of the console: every screen of the table, and the pages for people who are not signed in. */
export const router = createRouter({
  routeTree: root.addChildren([...openRoutes, ...screenRoutes, ...(paths.includes("/") ? [] : [home])]),
  basepath: "/console",
  // Keep parameters as strings: what looks like a number may be an account number.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const text = new URLSearchParams(search as Record<string, string>).toString();
    return text === "" ? "" : `?${text}`;
  },
  scrollRestoration: true,
  defaultPendingMs: 0,
});

/** The screen of an address for this person: operators and a tenant's people may see different ones. */
function ScreenAt({
  entries,
}: {
  readonly entries: readonly { readonly screen: ScreenEntry; readonly Drawn: ReturnType<typeof lazy> }[];
}) {
  const person = usePerson();
  const found = entries.find(({ screen }) => canSee(person, screen));
  return found ? <found.Drawn /> : <NotFound />;
}

/** Redirects to the first screen that this person may see; shows why first if the identity provider did not confirm them. */
function Home() {
  const person = usePerson();
  const problem = useProviderProblem();
  if (problem !== null) return <NotProved problem={problem} />;
  const first = screens.find((screen) => screen.group !== null && canSee(person, screen));
  return first && audienceOf(person) ? <Navigate to={first.path as never} replace /> : <NotFound />;
}
