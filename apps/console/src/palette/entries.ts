import type { AnswerOf } from "../api/paths.js";
import { usePerson } from "../api/session.js";
import { useLanguage, useWords } from "../language/language.js";
import { type Beginning, beginnings } from "../listing/beginning.js";
import { useAddress } from "../parts/address.js";
import type { IconName } from "../parts/icon.js";
import { connectionWords } from "../screens/connections/words.js";
import { screens } from "../screens/index.js";
import { letterTerms } from "../screens/letters/letter-terms.js";
import { changeAppearance, densities, themes, useAppearance } from "../shell/appearance.js";
import { canSee, navigationOf } from "../shell/navigation.js";
import { shellWords } from "../shell/shell-words.js";
import { useSignOut } from "../shell/sign-out.js";
import { paletteWords } from "./palette-words.js";

export type Found = AnswerOf<"/find">["items"][number];

/** A line of the search: what it is called, a line of context, and what it does. */
export interface Entry {
  readonly key: string;
  readonly icon: IconName;
  readonly name: string;
  readonly context?: string;
  readonly open: () => void;
}

/** Entries of one kind, under their heading. */
export interface Group {
  readonly kind: Found["kind"] | "action" | "screen";
  readonly entries: readonly Entry[];
}

const icons = {
  client: "people",
  letter: "letters",
  connection: "connections",
  tenant: "tenants",
  person: "people",
  file: "feeds",
} as const satisfies Readonly<Record<Found["kind"], IconName>>;

/** The kinds of what the server finds, in the order of their groups. */
const kinds = [
  "client",
  "letter",
  "connection",
  "tenant",
  "person",
  "file",
] as const satisfies readonly Found["kind"][];

/** A trace id, alone or in an error that was pasted with it. */
const TRACE_ID = /(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])/;

/** What the search offers for a text: what the server found, then what to do and where to go. Of these only what the person may. */
export function useEntries(text: string, found: readonly Found[]): readonly Group[] {
  const words = useWords(paletteWords);
  const foundEntries = useFoundEntries();
  const actions = useActions();
  const places = usePlaces();
  const person = usePerson();
  const { go } = useAddress();
  const wanted = text.trim().toLowerCase();
  const has = ({ name }: Entry) => name.toLowerCase().includes(wanted);
  const isOperator = person.audience === "operator";
  const more: Entry[] = [];
  const [trace] = TRACE_ID.exec(wanted) ?? [];
  if (isOperator && trace)
    more.push({ key: "trace", icon: "audit", name: words.trace, open: () => go("/audit", { trace }) });
  if (isOperator && found.some(({ kind }) => kind === "letter"))
    more.push({
      key: "letters",
      icon: "search",
      name: words.allLetters(text.trim()),
      open: () => go("/letters", { text: text.trim() }),
    });
  const groups: readonly Group[] = [
    ...kinds.map((kind) => ({ kind, entries: found.filter((one) => one.kind === kind).map(foundEntries) })),
    { kind: "action", entries: [...more, ...actions.filter(has)] },
    { kind: "screen", entries: places.filter(has) },
  ];
  return groups.filter(({ entries }) => entries.length > 0);
}

function useFoundEntries(): (found: Found) => Entry {
  const words = useWords(paletteWords);
  const { statuses } = useWords(letterTerms);
  const { states } = useWords(connectionWords);
  const person = usePerson();
  const { go } = useAddress();
  const hasLetterPage = screens.some((screen) => screen.path === "/letters/$letterId" && canSee(person, screen));

  return (found) => {
    const { kind, id, name } = found;
    return {
      key: `${kind}-${id}`,
      icon: icons[kind],
      name: name ?? id,
      context: contextOf(found),
      open: () => open(found),
    };
  };

  function contextOf(found: Found): string {
    if (found.kind === "letter" || found.kind === "connection") {
      const state: string =
        found.kind === "letter"
          ? statuses[found.status as keyof typeof statuses]
          : states[found.state as keyof typeof states];
      const labels = Object.values(found.labels).slice(0, 3).join(", ");
      return [state, found.tenant, labels].filter(Boolean).join(" · ");
    }
    if (found.kind === "client") return found.name === null ? "" : found.id;
    if (found.kind === "tenant") return found.enabled ? "" : words.disabled;
    return found.kind === "person" ? found.email : found.source;
  }

  function open(found: Found): void {
    const { kind, id } = found;
    if (kind === "client") go("/client", { ref: id });
    else if (kind === "connection") go(`/connections/${id}`);
    else if (kind === "tenant") go(`/tenants/${id}`);
    else if (kind === "person") go("/people");
    else if (kind === "file") go("/feeds", { file: id });
    else if (hasLetterPage) go(`/letters/${id}`);
    else go("/letters", { status: found.status, ...labelOf(found.labels) });
  }
}

/** The filter that finds a letter in a list which knows labels. */
function labelOf(labels: Readonly<Record<string, string>>): { readonly label?: string } {
  const [first] = Object.entries(labels);
  return first ? { label: first.join("=") } : {};
}

/** What the person may do from anywhere. */
function useActions(): readonly Entry[] {
  const words = useWords(paletteWords);
  const shell = useWords(shellWords);
  const person = usePerson();
  const { go } = useAddress();
  const { theme, density } = useAppearance();
  const signOut = useSignOut();
  const isOffered = (name: Beginning) => {
    const { path, power } = beginnings[name];
    // A tenant's people submit letters, but have no letter written.
    if (name === "request" && person.audience === "tenant") return false;
    return person.may(power) && screens.some((screen) => screen.path === path && canSee(person, screen));
  };
  return [
    ...(Object.keys(beginnings) as Beginning[]).filter(isOffered).map((name) => ({
      key: name,
      icon: iconOf(beginnings[name].path),
      name: words[name],
      open: () => go(beginnings[name].path, { begin: name }),
    })),
    ...themes
      .filter((one) => one !== theme)
      .map((one) => ({
        key: one,
        icon: "appearance" as const,
        name: words.themes[one],
        open: () => changeAppearance({ theme: one }),
      })),
    ...densities
      .filter((one) => one !== density)
      .map((one) => ({
        key: one,
        icon: "appearance" as const,
        name: words.densities[one],
        open: () => changeAppearance({ density: one }),
      })),
    { key: "sign-out", icon: "signOut", name: shell.signOut, open: () => signOut.mutate() },
  ];
}

function iconOf(path: string): IconName {
  return screens.find((screen) => screen.path === path)?.icon ?? "next";
}

/** The screens of the person's navigation. */
function usePlaces(): readonly Entry[] {
  const { groups } = useWords(shellWords);
  const language = useLanguage();
  const { go } = useAddress();
  return navigationOf(usePerson()).flatMap(({ group, screens: found }) =>
    found.map(({ path, title, icon }) => ({
      ...{ key: path, icon, name: title[language], context: groups[group], open: () => go(path) },
    })),
  );
}
