/** Whether a key is for the page as a whole: not for a field, an open dialog or the browser, and nobody has used it yet. */
export function isForPage(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return false;
  const isField = (event.target as Element).matches("input:not([type=checkbox]), select, textarea");
  return !isField && document.querySelector("dialog[open]") === null;
}
