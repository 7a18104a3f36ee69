import { type MarkupElement, refuse } from "./element.js";

/** The one child of that name, or null. Two of them would be two answers to one question: refused. */
export function childOf(element: MarkupElement, name: string): MarkupElement | null {
  let found: MarkupElement | null = null;
  for (const child of element.children) {
    if (child.name !== name) continue;
    if (found) throw refuse(child, `${name} appears twice in ${element.name}`);
    found = child;
  }
  return found;
}

/** The child of that name; its absence is a fault. */
export function requiredChild(element: MarkupElement, name: string): MarkupElement {
  const child = childOf(element, name);
  if (!child) throw refuse(element, `${name} is missing`);
  return child;
}

/** All children of that name, in file order. */
export function childrenOf(element: MarkupElement, name: string): readonly MarkupElement[] {
  return element.children.filter((child) => child.name === name);
}

/** A value; empty and absent are both null. */
export function textOf(element: MarkupElement, name: string): string | null {
  const child = childOf(element, name);
  if (child && child.children.length > 0) throw refuse(child, "holds elements where a value is expected");
  return child?.text || null;
}

/** A value that must be there and not be empty. */
export function requiredText(element: MarkupElement, name: string): string {
  return textOf(element, name) ?? missingValue(element, name);
}

/** Refuses a value that is not there. */
export function missingValue(element: MarkupElement, name: string): never {
  const empty = childOf(element, name);
  throw empty ? refuse(empty, `${name} is empty`) : refuse(element, `${name} is missing`);
}
