import { FeedRefusal } from "@org/core";
import type { OfxElement } from "./element.js";

/** Refuses the file at an element: `line 12, column 3, OFX/INVSTMTMSGSRSV1/…/INVPOS[2]/UNITS`. */
export function refuse(element: OfxElement, reason: string): FeedRefusal {
  return new FeedRefusal(`${lineAndColumn(element.source, element.offset)}, ${pathOf(element)}`, reason);
}

/** Line and column of an offset, both from 1; CRLF, LF and a lone CR each end a line. */
export function lineAndColumn(text: string, offset: number): string {
  const before = text.slice(0, offset);
  const lines = before.match(/\r\n|\r|\n/g)?.length ?? 0;
  const lineStart = Math.max(before.lastIndexOf("\n"), before.lastIndexOf("\r")) + 1;
  return `line ${lines + 1}, column ${offset - lineStart + 1}`;
}

/** Names from the root down, numbered from 1 where a parent holds several of one name. */
export function pathOf(element: OfxElement): string {
  const step = element.name + positionAmongSiblings(element);
  return element.parent === null ? step : `${pathOf(element.parent)}/${step}`;
}

function positionAmongSiblings(element: OfxElement): string {
  const same = element.parent?.children.filter((sibling) => sibling.name === element.name) ?? [];
  return same.length < 2 ? "" : `[${same.indexOf(element) + 1}]`;
}
