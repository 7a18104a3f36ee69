import { html } from "@org/pages";
import type { PageWords } from "./page-words.js";

export const englishPageWords: PageWords = {
  error: "Error: ",
  step: (step) => `Step ${step} of 2`,
  nameless: {
    app: "An app without a name",
    application: "An application",
    person: "A person",
    organisation: "your organisation",
    client: "A client",
    place: "Unknown",
    address: "an unknown address",
    permission: "Unnamed",
  },
  account: {
    person: "Who you are",
    credentials: "Your credentials",
    signedInAs: "Signed in as",
    ofOrganisation: (person, organisation) => html`<b>${person}</b> of ${organisation}`,
    somebodyElse: "Sign in as somebody else",
  },
  client: {
    label: "The app that asks",
    verified: "Name verified",
    notVerified: "Name not verified",
    place: "Where it is",
    returnsTo: "Returns to",
    anybody: "Anybody can choose this name. Continue only if you have just started this yourself.",
    onThisComputer: "An app on this computer",
    opensLinks: (scheme) => html`An app that opens ${scheme} links`,
  },
  signIn: {
    title: "Sign in to continue",
    lead: "An app wants to use your investment data. On the next page you decide what it may do.",
    ownTitle: "Sign in to see your access",
    ownLead: "See which apps have access to your investments, and end that access if you wish.",
    clientId: "Client ID",
    clientIdHint: "Your account manager gave it to you. It begins with wca_.",
    clientSecret: "Client secret",
    enterClientId: "Enter the client ID",
    enterClientSecret: "Enter the client secret",
    next: "Continue",
    cancel: "Cancel",
    asPerson: "Sign in as a person",
    asPersonHint:
      "With your own passkey or your company's sign-in, if your organisation has given you an account here.",
    leaveConsole: "Sign out of the console",
    stored:
      "The app never sees these credentials. They are stored encrypted, and this browser remembers them for 30 days.",
    ownStored: "Your credentials are stored encrypted, and this browser remembers them for 30 days.",
    problems: {
      missing: "Enter both the client ID and the client secret.",
      wrong_credentials: "These credentials were not accepted. Check both, then enter them again.",
      operator:
        "You are signed in as an operator of this server. Operators have no investments to share, and cannot approve for those who have. Sign out and sign in as a person of the organisation, or enter its credentials.",
    },
    tooManyAttempts: (wait) => `Too many attempts. Try again ${wait ?? "later"}.`,
  },
  review: {
    title: "Review access",
    lead: "An app wants to use your investment data. You decide what it may do.",
    useDifferent: "Use different credentials",
    limitedByRole: "The app asked for more. What you can allow is limited by your own role.",
    unknownScopes: "The app also asked for permissions that do not exist here. They are left out.",
    allowed: "What it may do",
    deletion: "Deletion",
    deletionHint: "Deleted data cannot be recovered. Tick this only if the app needs it.",
    whose: "Whose data it may use",
    allClients: "All clients",
    allClientsHint: "Also those that you add later.",
    someClients: "Only some clients",
    someClientsHint: "Of the others it sees nothing.",
    searchClients: "Search clients",
    search: "Search",
    found: (total, shown) => {
      if (total === 0) return "No client has this in its name or reference.";
      if (total > shown) return `${shown} of ${total.toLocaleString("en")} clients are shown. Search for the others.`;
      return `${total} found.`;
    },
    approve: "Approve",
    deny: "Deny",
    foot: (address) =>
      html`This access cannot be used to buy, sell or pay for anything. You can end it at any time at ${address}.`,
    problems: {
      no_scope: "Choose at least one permission, or deny the access.",
      no_client: "Choose at least one client, or allow all clients.",
      client_gone: "A client that you chose is not there any more. Check below which ones are chosen.",
      other_credentials:
        "You have since signed in with different credentials. Check below whose data this is before you decide.",
    },
    tooManyClients: (max) => `Choose at most ${max} clients, or allow all clients.`,
  },
  permissions: {
    "connections:read": [
      "See connected banks",
      "Look up banks, and see which are connected and whether each is up to date.",
    ],
    "connections:write": [
      "Connect banks",
      "Start connecting a bank or renewing a login, and ask for fresh data. You log in at the bank yourself.",
    ],
    "connections:delete": ["Delete connected banks", "Remove a connected bank along with all data read from it."],
    "investments:read": [
      "See investments",
      "Read portfolios, holdings, values and transactions at all connected banks.",
    ],
    "letters:read": ["See authorization letters", "Search the letters to banks and see how far along each one is."],
    "letters:write": ["Submit and end letters", "Submit signed authorization letters, and discontinue existing ones."],
    "events:read": [
      "See what happens",
      "Be told when a bank is connected or needs a login, when data are new, and how letters move on.",
    ],
    "events:write": ["Send events elsewhere", "Choose internet addresses to which this server sends what happens."],
    "grants:manage": [
      "Manage everybody's access",
      "See which apps and programs can use the data of your organisation, and end that access.",
    ],
  },
  unknownPermission: "Use whatever this server offers under this name.",
  notice: {
    next: "Continue",
    returnToApp: "Return to the app",
    returnsTo: (address) => html`It is at ${address}, and nobody has verified it.`,
    forDeveloper: "For the developer of the app",
    reference: (traceId) => html`Reference: ${traceId}`,
    kinds: {
      bad_request: {
        title: "This request cannot be understood",
        text: "The app that sent you here made a request that this server does not understand. Nothing was shared.",
        next: "Go back to the app and start again. If that does not help, contact the app's makers.",
      },
      unknown_client: {
        title: "This server does not know the app",
        text: "The app that sent you here is not registered with this server, or is no longer registered. Nothing was shared.",
        next: "Remove this server from the app and add it again, so that the app registers once more.",
      },
      client_unreachable: {
        title: "This server cannot reach the app's description",
        text: "The app names itself by an address on the internet, and this server could not reach it. Nothing was shared.",
        next: "Tell whoever runs this server: adding it to the app again does not help until it can reach that address.",
      },
      bad_redirect: {
        title: "The answer cannot be sent to this app",
        text: "The app asked for the answer to be sent to an address it has not registered. You were not sent there, and nothing was shared.",
        next: "Close this page. If you trust the app, let its makers know.",
      },
      expired: {
        title: "Time is up",
        text: "A request has to be answered within 10 minutes. Nothing was shared.",
        next: "Start again from the app.",
      },
      answered: {
        title: "You have already answered this",
        text: "Each request can be approved or denied once. This page does not change the answer.",
        next: "Go back to the app. If it does not have access, start again from there.",
      },
      other_browser: {
        title: "This page belongs to another browser",
        text: "It was opened in another browser, or this one does not keep cookies for this site. Nothing was shared.",
        next: "Allow cookies for this site, then start again from the app in this browser.",
      },
      cancelled: {
        title: "You have cancelled this",
        text: "Nothing was shared. The app that sent you here may still be waiting for an answer.",
        next: "You can close this page.",
      },
      too_large: {
        title: "That is too much text",
        text: "The form is larger than this server accepts. Nothing was shared.",
        next: "Go back and enter less text, or start again from the app.",
      },
      busy: {
        title: "The server is busy",
        text: "This server has to look up the app that sent you here, and has too many look-ups under way. Nothing was shared.",
        next: "Wait a minute, then start again from the app.",
      },
      away: {
        title: "One moment, please",
        text: "This server cannot reach its database just now. Nothing was lost or shared.",
        next: "This page tries again by itself. If it was a form that you sent, go back and send it again.",
      },
      defect: {
        title: "Something went wrong on our side",
        text: "The request could not be completed.",
        next: "Start again from the app. If it happens again, give the reference below to whoever runs this server.",
      },
    },
  },
  grants: {
    title: "Access to your investments",
    ended: "Access has ended.",
    ofTenant:
      "These apps and programs can use your organisation's data now. Access is extended each time it is used. When you end it, it stops within seconds.",
    ofPerson:
      "You have let these apps use your organisation's data. Access is extended each time it is used. When you end it, it stops within seconds.",
    ofCredentials:
      "These apps and programs can use your data now, through the credentials below. Access is extended each time it is used. When you end it, it stops within seconds.",
    signOut: "Sign out",
    more: "Show more",
    all: "Show all apps and programs",
    nobody: "Nobody has access",
    nobodyHint: "Apps that you approve will be listed here.",
    flows: {
      browser: "Approved in a browser",
      machine: "Signed in with a secret",
      asserted: "Signed in through your identity provider",
    },
    times: (count) => `${count} times`,
    each: (app) => html`Show each<span class="spoken"> of ${app}</span>`,
    permissions: "Permissions",
    whose: "Whose data",
    clientsGone: "Nobody’s: the clients that it was for are gone",
    onlyOf: (clients, others) => html`Only of ${clients}${others > 0 && ` and ${others} more`}`,
    since: "Since",
    lastUsed: "Last used",
    validUntil: "Valid until",
    end: (app, count) => html`${count > 1 ? "End all access" : "End access"}<span class="spoken"> of ${app}</span>`,
  },
};
