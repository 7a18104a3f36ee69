import type { ReactNode } from "react";
import { useWords } from "../language/language.js";
import { Button } from "../parts/button.js";
import { Empty } from "../parts/empty.js";
import { listWords } from "./list-words.js";

/** A list without rows: either nothing matches its filters, which can be cleared, or nothing is there, and what will be and what to do first. */
export function Nothing({
  empty,
  clear,
}: {
  readonly empty: { readonly title: string; readonly text: ReactNode };
  /** Removes the filters; left out or null if none is set. */
  readonly clear?: (() => void) | null | undefined;
}) {
  const words = useWords(listWords);
  return clear ? (
    <Empty title={words.nothingFound}>
      <Button onClick={clear}>{words.clearFilters}</Button>
    </Empty>
  ) : (
    <Empty title={empty.title}>{empty.text}</Empty>
  );
}
