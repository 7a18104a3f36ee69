import type { MarkupElement } from "../markup/element.js";
import { childrenOf, requiredChild } from "../markup/values.js";

/** The statements of a file, and the element that lists them. */
export function statementList(root: MarkupElement): {
  readonly list: MarkupElement;
  readonly statements: readonly MarkupElement[];
} {
  const list = root.name === "FlexQueryResponse" ? requiredChild(root, "FlexStatements") : root;
  return { list, statements: list.name === "FlexStatements" ? childrenOf(list, "FlexStatement") : [] };
}
