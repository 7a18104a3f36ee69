import type { RouteFacts } from "@org/http";
import { FORM_BYTES } from "./forms.js";

/** The forms of the screens and what they do, by the last segment of the address that they post to. */
const forms = {
  continue: "Claim a link for this browser",
  bank: "Choose a bank",
  "change-bank": "Go back to the choice of bank",
  credentials: "Log in to the bank",
  answer: "Answer what the bank asks for",
  redirect: "Go to the bank's own page",
  restart: "Start the login again",
  cancel: "End the session",
} as const;

/** Name of a form. */
export type StepName = keyof typeof forms;

const shared = { family: "widget", scopes: [], origins: "none" } as const;
const looked = { ...shared, methods: ["GET", "HEAD"], maxBodyBytes: null };
const posted = { ...shared, methods: ["POST"], maxBodyBytes: FORM_BYTES };

/** Routes of the pages, for a server's route table. */
export const widgetRoutes: readonly RouteFacts[] = [
  { ...looked, path: "/connect/:link", summary: "The page of a Connect session" },
  { ...looked, path: "/connect/:link/state", summary: "The state of a Connect session, for its page" },
  { ...looked, path: "/connect/:link/banks", summary: "Banks to choose from, for the page" },
  ...Object.entries(forms).map(([step, summary]) => ({ ...posted, path: `/connect/:link/${step}`, summary })),
  { ...looked, path: "/connect/:link/:step", summary: "Redirects from a form's address to its page" },
  { ...looked, path: "/connect/assets/:name", summary: "The script of the pages" },
  { ...looked, methods: ["GET"], path: "/connect/callback", summary: "Return from a bank's own page" },
];
