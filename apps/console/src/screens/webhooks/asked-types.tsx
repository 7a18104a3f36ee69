import { useWords } from "../../language/language.js";
import { useEventTypes } from "../../sentences/event-types.js";
import { webhookWords } from "./words.js";

/** The events that an endpoint asks for, in words: all, whole families, or single ones. */
export function AskedTypes({ types }: { readonly types: readonly string[] }) {
  const { allEvents } = useWords(webhookWords);
  const families = useEventTypes();
  const said = new Map<string, string>([
    ["*", allEvents],
    ...families.map(({ pattern, title }): [string, string] => [pattern, title]),
    ...families.flatMap((family) => family.types.map((one): [string, string] => [one.type, one.said])),
  ]);
  return <span className="quiet">{types.map((type) => said.get(type) ?? type).join(", ")}</span>;
}
