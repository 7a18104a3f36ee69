/** What the client itself has set, or the person: a drawing of the server does not know of it and must not take it away. */
const ours = new Set(["aria-busy", "aria-disabled", "open", "tabindex", "type"]);

/**
 * Makes one element like another by changing only what differs, so that everything else keeps its focus, its cursor, what was
 * typed into it, and its place in a screen reader. Parts of `next` move into `old`.
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

/** What may become `wanted`: the next element of the same name, id and class; a text only where it stands. */
function firstAlike(from: ChildNode | null, wanted: ChildNode): ChildNode | null {
  if (wanted instanceof Text) return from instanceof Text ? from : null;
  for (let node = from; node; node = node.nextSibling) if (keyOf(node) === keyOf(wanted)) return node;
  return null;
}

function keyOf(node: ChildNode): string {
  return node instanceof Element ? `${node.nodeName} ${node.id} ${node.getAttribute("class") ?? ""}` : node.nodeName;
}

/** Takes a node away; returns the one after it. */
function removed(node: ChildNode): ChildNode | null {
  const { nextSibling } = node;
  node.remove();
  return nextSibling;
}
