import { labelled, useWords } from "../../language/language.js";
import type { Filter } from "../../listing/filter-bar.js";
import type { EventFamily } from "../../sentences/event-types.js";
import { eventWords } from "./words.js";

/** A filter by the type of an event, each said in words, or by all of a family. */
export function useTypeFilter(families: readonly EventFamily[]): Filter {
  const words = useWords(eventWords);
  return {
    kind: "choice",
    name: "type",
    label: words.type,
    options: families.flatMap(({ pattern, title, types }) => [
      { value: pattern, label: words.allOf(title) },
      ...types.map(({ type, said }) => ({ value: type, label: labelled(title, said) })),
    ]),
  };
}
