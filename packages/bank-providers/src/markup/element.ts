import { FeedRefusal } from "@org/provider-kit";
import { ATTRIBUTES, FIRST_CHILD, type MarkupDocument, NAME, NEXT, OFFSET, PARENT } from "./document.js";

/**
 * An element of an SGML or XML document. It has either a value (`text`, trimmed) or `children`; `text` is "" if it has neither. Instances are
 * created on demand and need not be kept: two with the same `place` are the same element.
 */
export class MarkupElement {
  readonly document: MarkupDocument;
  /** Index of its numbers in the document. */
  readonly place: number;

  constructor(document: MarkupDocument, place: number) {
    this.document = document;
    this.place = place;
  }

  get name(): string {
    return this.document.nameAt(this.place);
  }

  get text(): string {
    return this.document.valueAt(this.place);
  }

  get parent(): MarkupElement | null {
    const place = this.document.elements[this.place + PARENT] as number;
    return place < 0 ? null : new MarkupElement(this.document, place);
  }

  get hasChildren(): boolean {
    return this.document.elements[this.place + FIRST_CHILD] !== 0;
  }

  /** In file order; a new array on each call. */
  get children(): MarkupElement[] {
    const { document } = this;
    const { elements } = document;
    const children: MarkupElement[] = [];
    for (let at = elements[this.place + FIRST_CHILD] as number; at !== 0; at = elements[at + NEXT] as number)
      children.push(new MarkupElement(document, at));
    return children;
  }

  /** Start of its tag in the text of the document. */
  get offset(): number {
    return this.document.elements[this.place + OFFSET] as number;
  }

  /** Position of its attributes in the document's list; 0 if it has none. */
  get attributes(): number {
    return this.document.elements[this.place + ATTRIBUTES] as number;
  }
}

/** Refuses the file at an element: `line 12, column 3, OFX/INVSTMTMSGSRSV1/…/INVPOS[2]/UNITS`. */
export function refuse(element: MarkupElement, reason: string): FeedRefusal {
  return new FeedRefusal(placeOf(element), reason);
}

/** The place of an element: line, column and path. */
export function placeOf(element: MarkupElement): string {
  return `${placeOfRow(element)}, ${elementPath(element)}`;
}

/** Line and column of an element. There may be hundreds of thousands of rows, so their places have no path. */
export function placeOfRow({ document, offset }: MarkupElement): string {
  return document.lines.at(offset);
}

/** Names from the root down, numbered from 1 if a parent has several of one name; long names are shortened. */
export function elementPath(element: MarkupElement): string {
  const step = element.name.slice(0, 60) + positionAmongSiblings(element);
  return element.parent === null ? step : `${elementPath(element.parent)}/${step}`;
}

function positionAmongSiblings({ parent, place, document }: MarkupElement): string {
  if (parent === null) return "";
  const { elements } = document;
  let [position, count] = [0, 0];
  for (let at = elements[parent.place + FIRST_CHILD] as number; at !== 0; at = elements[at + NEXT] as number) {
    if (elements[at + NAME] !== elements[place + NAME]) continue;
    count += 1;
    if (at === place) position = count;
  }
  return count < 2 ? "" : `[${position}]`;
}
