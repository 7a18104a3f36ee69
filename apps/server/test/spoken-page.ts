import type { CDPSession, Page } from "playwright-core";

/** A node of the browser's accessibility tree, limited to the parts used here (CDP, `Accessibility.AXNode`). */
interface SpokenNode {
  readonly nodeId: string;
  readonly ignored: boolean;
  readonly role?: { readonly value?: string };
  readonly name?: { readonly value?: string };
  readonly properties?: readonly { readonly name: string; readonly value: { readonly value?: unknown } }[];
  readonly childIds?: readonly string[];
}

/** Controls and landmarks: each needs a name. */
const NAMED = new Set([
  ...["button", "link", "textbox", "searchbox", "combobox", "listbox", "option", "checkbox", "radio", "switch"],
  ...["slider", "spinbutton", "menuitem", "tab", "tabpanel", "dialog", "alertdialog", "table", "navigation", "image"],
]);
/** Some of many similar rows represent all. */
const MAX_SHOWN = 3;

/**
 * Faults of a page for a screen reader: controls, tables and dialogs without a name, skipped heading levels, and more or less than one
 * first-level heading.
 */
export async function spokenErrors(page: Page): Promise<readonly string[]> {
  const nodes = await spokenNodes(page);
  const nameless = nodes
    .filter((node) => NAMED.has(roleOf(node)) && nameOf(node) === "")
    .map((node) => `${roleOf(node)} without a name`);
  // Content around an open dialog is out of reach, including its first-level heading.
  const top = nodes.some((node) => roleOf(node) === "dialog") ? 1 : 0;
  const levels = nodes.filter((node) => roleOf(node) === "heading").map((node) => Number(propertyOf(node, "level")));
  const skipped = levels.flatMap((level, index) => {
    const before = levels[index - 1] ?? top;
    return level > before + 1 ? [`a heading of level ${level} after one of ${before}`] : [];
  });
  const firsts = levels.filter((level) => level === 1).length;
  return [
    ...nameless.slice(0, MAX_SHOWN),
    ...skipped,
    ...(firsts + top === 1 ? [] : [`${firsts} headings of level 1`]),
  ];
}

/** The current texts of a page's live regions, in order: they are read out when they change. */
export async function accessibleText(page: Page): Promise<readonly string[]> {
  const nodes = await spokenNodes(page);
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const textOf = (node: SpokenNode | undefined): string => {
    if (node === undefined) return "";
    if (roleOf(node) === "StaticText") return nameOf(node);
    return (node.childIds ?? []).map((id) => textOf(byId.get(id))).join(" ");
  };
  const live = nodes.filter((node) => ["status", "alert", "log"].includes(roleOf(node)));
  return live.map((node) => textOf(node).replace(/\s+/g, " ").trim()).filter((text) => text !== "");
}

async function spokenNodes(page: Page): Promise<readonly SpokenNode[]> {
  // The session stays attached: when one is detached, Chromium removes the page's virtual authenticator, whoever created it.
  const tools = sessions.get(page) ?? page.context().newCDPSession(page);
  sessions.set(page, tools);
  const { nodes } = (await (await tools).send("Accessibility.getFullAXTree")) as { nodes: readonly SpokenNode[] };
  return inOrder(nodes);
}

const sessions = new WeakMap<Page, Promise<CDPSession>>();

/** Nodes in reading order; the browser lists them level by level. */
function inOrder(nodes: readonly SpokenNode[]): readonly SpokenNode[] {
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const children = new Set(nodes.flatMap(({ childIds = [] }) => childIds));
  const withChildren = (node: SpokenNode): SpokenNode[] => [
    node,
    ...(node.childIds ?? []).flatMap((id) => {
      const child = byId.get(id);
      return child ? withChildren(child) : [];
    }),
  ];
  return nodes.filter(({ nodeId }) => !children.has(nodeId)).flatMap(withChildren);
}

function roleOf({ role, ignored }: SpokenNode): string {
  return ignored ? "" : (role?.value ?? "");
}

function nameOf({ name }: SpokenNode): string {
  return String(name?.value ?? "").trim();
}

function propertyOf({ properties }: SpokenNode, wanted: string): unknown {
  return properties?.find(({ name }) => name === wanted)?.value.value;
}
