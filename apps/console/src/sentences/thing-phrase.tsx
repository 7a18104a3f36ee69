import { useContext } from "react";
import { useWords } from "../language/language.js";
import { Link } from "../parts/link.js";
import { VisibleScreens } from "../parts/visible-screens.js";
import { type Name, useName } from "./names.js";
import type { Thing, ThingKind } from "./parts-of-sentence.js";
import { thingWords } from "./thing-words.js";

/** Kinds whose id is their name. */
const namedById: readonly ThingKind[] = ["source", "trusted_issuer"];

/** A thing by its present name, as a link to its screen if this person may see it. */
export function ThingPhrase({
  thing,
  isFirst,
  isGoing,
}: {
  readonly thing: Thing;
  /** Whether it begins the sentence. */
  readonly isFirst: boolean;
  /** Whether the sentence itself says that the thing goes, so that it is not called removed. */
  readonly isGoing: boolean;
}) {
  const { kinds, unknownClient } = useWords(thingWords);
  const visible = useContext(VisibleScreens);
  const address = thing.kind === "client" || thing.kind === "trusted_issuer" ? hostOf(thing.id) : null;
  const known = address ?? (namedById.includes(thing.kind) ? thing.id : null);
  const { id, tenant_id } = thing;
  const asked = { id, tenant_id, ...(thing.kind === "provider" && { kind: thing.kind }) };
  const { data, isPending, isError } = useName(known === null ? asked : null);
  const name: Name | null = known === null ? (data ?? null) : { id: thing.id, kind: "client", name: known, of: null };
  // A client id is that of an application or of a program that registered itself.
  const kind: ThingKind = thing.kind === "client" && name?.kind === "application" ? "application" : thing.kind;
  const words = kinds[kind];
  const said = (phrase: string) => (isFirst ? capitalized(phrase) : phrase);
  if (name) {
    const phrase = name.name === null && kind !== "letter" && kind !== "session" ? words.any : phraseOf(name);
    const isName = kind === "person" || kind === "connector";
    const to = linkTo(kind, thing, name);
    const path = to && visible.has(to.screen) ? to : null;
    const shown = isName ? phrase : said(phrase);
    if (path === null) return <>{shown}</>;
    return (
      <Link to={path.path} {...(path.search && { search: path.search })}>
        {shown}
      </Link>
    );
  }
  if (isPending || isError || isGoing) return <>{said(words.any)}</>;
  if (kind === "client" && !thing.id.startsWith("wca_")) return <>{said(unknownClient)}</>;
  if (thing.orElse) return <>{said(kinds[thing.orElse].named(thing.id, ""))}</>;
  return <span className="quiet">{said(words.gone)}</span>;

  function phraseOf({ name: text, of }: Name): string {
    return words.named(text ?? "", of ?? "");
  }
}

interface Target {
  /** The path of its screen in the table of screens. */
  readonly screen: string;
  readonly path: string;
  readonly search?: Readonly<Record<string, string>>;
}

function linkTo(kind: ThingKind, { id, tenant_id }: Thing, { name, of }: Name): Target | null {
  const plain = (screen: string, search?: Readonly<Record<string, string>>): Target => ({
    screen,
    path: screen,
    ...(search && { search }),
  });
  switch (kind) {
    case "letter":
      return { screen: "/letters/$letterId", path: `/letters/${id}` };
    case "connection":
      return { screen: "/connections/$connectionId", path: `/connections/${id}` };
    case "webhook_endpoint":
      return { screen: "/webhooks/$endpointId", path: `/webhooks/${id}` };
    case "tenant":
      return { screen: "/tenants/$tenantId", path: `/tenants/${id}` };
    case "provider":
      return {
        screen: "/providers/$name",
        path: `/providers/${id}`,
        ...(tenant_id !== null && { search: { tenant: tenant_id } }),
      };
    case "source":
      return { screen: "/sources/$source", path: `/sources/${id}` };
    case "file":
    case "source_token":
      return of === null ? null : { screen: "/sources/$source", path: `/sources/${of}` };
    case "application":
      return plain("/applications", { name: name ?? "" });
    case "connector":
      return plain("/catalogue", { name: name ?? "" });
    case "person":
      return plain("/people");
    case "grant":
      return plain("/grants");
    case "feed_key":
      return plain("/keys");
    case "registration_token":
      return plain("/registration-tokens");
    case "trusted_issuer":
      return plain("/trusted-issuers");
    case "client":
    case "session":
      return null;
  }
}

/** The host of a URL: what a person knows of a program that is named by its address. */
function hostOf(id: string): string | null {
  return URL.canParse(id) ? new URL(id).host || null : null;
}

/** With a capital, at the beginning of a sentence. */
export function capitalized(phrase: string): string {
  return phrase.slice(0, 1).toUpperCase() + phrase.slice(1);
}
