import { FeedRefusal } from "@org/core";

/** What a place is told from: a `MarkupElement` has it. */
interface Placed {
  readonly name: string;
  readonly parent: Placed | null;
  readonly children: readonly Placed[];
  /** Where its tag starts in `source`. */
  readonly offset: number;
  /** The whole decoded file. */
  readonly source: string;
}

/** Refuses the file at an element: `line 12, column 3, OFX/INVSTMTMSGSRSV1/…/INVPOS[2]/UNITS`. */
export function refuse(element: Placed, reason: string): FeedRefusal {
  return new FeedRefusal(placeOf(element), reason);
}

/** Where an element stands: line, column, and its path. */
export function placeOf(element: Placed): string {
  return `${lineAndColumn(element.source, element.offset)}, ${pathOf(element)}`;
}

/** Line and column of an offset, both from 1; CRLF, LF and a lone CR each end a line. */
export function lineAndColumn(text: string, offset: number): string {
  let line = 1;
  let lineStart = 0;
  for (let at = 0; at < offset; at += 1) {
    const code = text.charCodeAt(at);
    if (code !== LF && (code !== CR || text.charCodeAt(at + 1) === LF)) continue;
    line += 1;
    lineStart = at + 1;
  }
  return `line ${line}, column ${offset - lineStart + 1}`;
}

const CR = 13;
const LF = 10;

/** Names from the root down, numbered from 1 where a parent holds several of one name; long names are cut. */
export function pathOf(element: Placed): string {
  const step = element.name.slice(0, 60) + positionAmongSiblings(element);
  return element.parent === null ? step : `${pathOf(element.parent)}/${step}`;
}

function positionAmongSiblings(element: Placed): string {
  const same = element.parent?.children.filter((sibling) => sibling.name === element.name) ?? [];
  return same.length < 2 ? "" : `[${same.indexOf(element) + 1}]`;
}
