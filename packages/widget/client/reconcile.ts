/** Attributes that the client or the customer sets. The server's drawing does not have them, and must not remove them. */
const ours = new Set(["aria-busy", "aria-disabled", "open", "tabindex", "type"]);

/**
 * Makes one element like another by changing only the differences, so that the rest keeps its focus, cursor, typed text
 * and place in a screen reader. Parts of `next` move into `old`.
 */
export function reconcile(old: Element, next: Element): void {
  for (const { name } of [...old.attributes])
    if (!next.hasAttribute(name) && !ours.has(name)) old.removeAttribute(name);
  for (const { name, value } of next.attributes)
    if (!ours.has(name) && old.getAttribute(name) !== value) old.setAttribute(name, value);

  let here = old.firstChild;
  for (const wanted of [...next.childNodes]) {
    const match = firstAlike(here, wanted);
    if (!match) {
      old.insertBefore(wanted, here);
      continue;
    }
    while (here && here !== match) here = removed(here);
    here = match.nextSibling;
    if (match instanceof Element) reconcile(match, wanted as Element);
    else if (match.nodeValue !== wanted.nodeValue) match.nodeValue = wanted.nodeValue;
  }
  while (here) here = removed(here);
}

/** Finds the node that can become `wanted`: the next element with the same name, id and class, or a text at this position. */
function firstAlike(from: ChildNode | null, wanted: ChildNode): ChildNode | null {
  if (wanted instanceof Text) return from instanceof Text ? from : null;
  for (let node = from; node; node = node.nextSibling) if (keyOf(node) === keyOf(wanted)) return node;
  return null;
}

function keyOf(node: ChildNode): string {
  return node instanceof Element ? `${node.nodeName} ${node.id} ${node.getAttribute("class") ?? ""}` : node.nodeName;
}

/** Removes a node and returns the one after it. */
function removed(node: ChildNode): ChildNode | null {
  const { nextSibling } = node;
  node.remove();
  return nextSibling;
}
