import { claimedText } from "./claimed-text.js";

/** The description of a scope. */
export interface PermissionWords {
  readonly title: string;
  /** What it allows, in one sentence. */
  readonly allows: string;
  /** Whether it destroys data that cannot be recovered; such permissions are shown separately. */
  readonly isGrave: boolean;
}

/** Describes a scope (contract §2). An unknown one is shown by its name, so that nothing is allowed unseen. */
export function permissionWords(scope: string): PermissionWords {
  return (
    words.get(scope) ?? {
      title: claimedText(scope, 60) ?? "Unnamed",
      allows: "Use whatever this server offers under this name.",
      isGrave: false,
    }
  );
}

const words: ReadonlyMap<string, PermissionWords> = new Map([
  [
    "connections:read",
    {
      title: "See connected banks",
      allows: "Look up banks, and see which are connected and whether each is up to date.",
      isGrave: false,
    },
  ],
  [
    "connections:write",
    {
      title: "Connect banks",
      allows: "Start connecting a bank or renewing a login, and ask for fresh data. You log in at the bank yourself.",
      isGrave: false,
    },
  ],
  [
    "connections:delete",
    {
      title: "Delete connected banks",
      allows: "Remove a connected bank along with all data read from it.",
      isGrave: true,
    },
  ],
  [
    "investments:read",
    {
      title: "See investments",
      allows: "Read portfolios, holdings, values and transactions at all connected banks.",
      isGrave: false,
    },
  ],
  [
    "letters:read",
    {
      title: "See authorization letters",
      allows: "Search the letters to banks and see how far along each one is.",
      isGrave: false,
    },
  ],
  [
    "letters:write",
    {
      title: "Submit and end letters",
      allows: "Submit signed authorization letters, and discontinue existing ones.",
      isGrave: false,
    },
  ],
  [
    "events:read",
    {
      title: "See what happens",
      allows: "Be told when a bank is connected or needs a login, when data are new, and how letters move on.",
      isGrave: false,
    },
  ],
  [
    "events:write",
    {
      title: "Have news sent elsewhere",
      allows: "Choose addresses on the internet to which this server sends what happens.",
      isGrave: false,
    },
  ],
  [
    "grants:manage",
    {
      title: "Manage everybody's access",
      allows: "See which apps and programs can use the data of your organisation, and end that access.",
      isGrave: false,
    },
  ],
]);
