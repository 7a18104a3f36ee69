import { quotedText } from "../feed-warnings.js";
import { MarkupElement, refuse } from "./element.js";
import { isNotGiven } from "./not-given.js";

/** The only child with this name, or null. Two of them are ambiguous and refused. */
export function childOf(element: MarkupElement, name: string): MarkupElement | null {
  const { document } = element;
  const found = document.childAt(element.place, name);
  if (found === 0) return null;
  const other = document.alikeAfter(found);
  if (other !== 0) throw refuse(new MarkupElement(document, other), `${name} appears twice in ${element.name}`);
  return new MarkupElement(document, found);
}

/** The child with this name; refuses the file if it is missing. */
export function requiredChild(element: MarkupElement, name: string): MarkupElement {
  const child = childOf(element, name);
  if (!child) throw refuse(element, `${name} is missing`);
  return child;
}

/** All children with this name, in file order. */
export function childrenOf(element: MarkupElement, name: string): MarkupElement[] {
  const { document, place } = element;
  const first = document.childAt(place, name);
  if (first === 0) return [];
  // Most lists have one element; an empty array that grows allocates memory for 17.
  const found = [new MarkupElement(document, first)];
  for (let at = document.alikeAfter(first); at !== 0; at = document.alikeAfter(at))
    found.push(new MarkupElement(document, at));
  return found;
}

/** The value at the end of a path of elements, each of which may be missing. */
export function textAt({ document, place }: MarkupElement, ...path: readonly string[]): string | null {
  let at = place;
  for (const name of path) {
    at = document.childAt(at, name);
    if (at === 0) return null;
  }
  return document.valueAt(at) || null;
}

/** A value; null if empty or missing. */
export function textOf(element: MarkupElement, name: string): string | null {
  return valueChild(element, name)?.text || null;
}

/** The child with this name, which has a value or is empty; null if it is missing. */
export function valueChild(element: MarkupElement, name: string): MarkupElement | null {
  const child = childOf(element, name);
  if (child?.hasChildren) throw refuse(child, "holds elements where a value is expected");
  return child;
}

/** The child with this name, which must have a value. */
export function requiredValue(element: MarkupElement, name: string): MarkupElement {
  const child = valueChild(element, name);
  return child?.text ? child : missingValue(element, name);
}

/** A value that must not be missing or empty. */
export function requiredText(element: MarkupElement, name: string): string {
  return textOf(element, name) ?? missingValue(element, name);
}

/** Reads an `xsd:boolean`, `true`, `false`, `1` or `0`; null if it is missing or not given. */
export function booleanIn(element: MarkupElement | null): boolean | null {
  if (!element?.text || isNotGiven(element.text)) return null;
  const text = element.text.toLowerCase();
  if (text === "true" || text === "1") return true;
  if (text === "false" || text === "0") return false;
  throw refuse(element, `${quotedText(element.text)} is neither true nor false`);
}

/** Refuses a missing or empty value. */
export function missingValue(element: MarkupElement, name: string): never {
  const empty = childOf(element, name);
  throw empty ? refuse(empty, `${name} is empty`) : refuse(element, `${name} is missing`);
}
