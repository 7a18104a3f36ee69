import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const source = fileURLToPath(new URL("..", import.meta.url));

/**
 * What each dialog does, in the order of its file: only shows or reads, changes something inside, or reaches somebody outside; then the text is what it
 * says about that with. `Confirm` and `ConfirmChange` are not here: they take no less than one line of effects, or do not compile.
 */
const dialogs: Readonly<Record<string, readonly ("frame" | "reads" | "inside" | { readonly outside: string })[]>> = {
  "listing/assign-client.tsx": ["inside"],
  "listing/form-dialog.tsx": ["frame"],
  "listing/saved-views.tsx": ["inside"],
  "listing/shown-once.tsx": ["reads"],
  "listing/stepped-dialog.tsx": ["frame"],
  "palette/palette.tsx": ["reads"],
  "parts/confirm.tsx": ["frame"],
  "screens/account/own-codes.tsx": ["reads"],
  "screens/account/own-passkeys.tsx": ["inside"],
  "screens/applications/applications-screen.tsx": ["inside", "inside", "inside", "inside"],
  "screens/applications/secrets.tsx": [{ outside: "lead: words.removeSecretText" }],
  "screens/catalogue/join-connectors.tsx": ["inside"],
  "screens/clients/client-dialogs.tsx": ["inside", "inside"],
  "screens/connections/former-versions.tsx": ["reads"],
  "screens/connections/session-dialog.tsx": ["inside", "inside", "reads"],
  "screens/connections/why.tsx": ["reads"],
  "screens/feed-keys/feed-key-dialog.tsx": [
    "inside",
    "inside",
    "inside",
    "inside",
    "inside",
    "inside",
    "inside",
    "reads",
  ],
  "screens/feeds/held-file.tsx": ["inside", "reads"],
  "screens/feeds/replace-file.tsx": ["inside"],
  "screens/letter/details-dialog.tsx": ["inside"],
  "screens/letter/doubt-dialog.tsx": [{ outside: "inDoubtText" }],
  "screens/letter/letter-documents.tsx": ["reads"],
  "screens/letter/letter-mails.tsx": [{ outside: "<MailEffect" }],
  "screens/letter/letter-moves.tsx": [{ outside: "<MoveEffects" }],
  "screens/letter/letter-notes.tsx": ["inside", { outside: "words.mailAgain" }],
  "screens/letter/sign-dialog.tsx": [{ outside: "<MoveEffects" }],
  "screens/letters/bulk-moves.tsx": [{ outside: "<MoveEffects" }],
  "screens/letters/request-letter.tsx": ["inside"],
  "screens/letters/run-dialog.tsx": ["reads"],
  "screens/letters/submit-letter.tsx": ["inside"],
  "screens/people/people-screen.tsx": ["inside", "inside", "inside", "inside"],
  "screens/registration-tokens/registration-tokens-screen.tsx": ["inside"],
  "screens/sources/source-dialog.tsx": ["inside", "inside"],
  "screens/sources/source-rules.tsx": ["inside"],
  "screens/sources/source-tokens.tsx": ["inside"],
  "screens/tenants/limits.tsx": ["inside"],
  "screens/tenants/tenants-screen.tsx": ["inside"],
  "screens/trusted-issuers/trust-dialog.tsx": ["inside"],
  "screens/webhooks/delivery-details.tsx": ["reads"],
  "screens/webhooks/endpoint-dialog.tsx": ["inside", "inside", { outside: "lead: words.replayLead" }],
  "screens/webhooks/resend-failed.tsx": ["reads"],
  "screens/work/bulk-next.tsx": [{ outside: "bulk.effects" }],
  "screens/work/mark-dialogs.tsx": ["inside"],
  "screens/work/run-results.tsx": ["reads"],
  "screens/work/work-dialogs.tsx": [
    { outside: "<MoveEffects" },
    "inside",
    "inside",
    { outside: "<MailEffect" },
    { outside: "words.dialogs.doubtLead" },
    { outside: "words.dialogs.addressLead" },
    "inside",
    "frame",
  ],
  "sentences/entry-dialog.tsx": ["reads"],
  "shell/shell.tsx": ["reads"],
  "shell/shortcuts.tsx": ["reads"],
  "sign-in/after-recovery.tsx": ["inside"],
  "sign-in/prove-dialog.tsx": ["inside"],
  "undo/undo-results.tsx": ["reads"],
};

it("[C-14.967] each dialog is known for what it does, and what reaches somebody outside says so before", () => {
  const found = Object.fromEntries(
    readdirSync(source, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".tsx"))
      .map((file) => [file, dialogsIn(readFileSync(source + file, "utf8"))] as const)
      .filter(([, elements]) => elements.length > 0),
  );
  const counts = (of: Readonly<Record<string, readonly unknown[]>>) =>
    Object.fromEntries(Object.entries(of).map(([file, { length }]) => [file, length]));
  expect(counts(found), "give a new dialog its entry above").toEqual(counts(dialogs));
  const silent = Object.entries(dialogs).flatMap(([file, kinds]) =>
    kinds.filter((kind, index) => typeof kind === "object" && !found[file]?.[index]?.includes(kind.outside)),
  );
  expect(silent).toEqual([]);
});

/** The source of each dialog, from its tag to the one that closes it at the same depth, or to the end of its line. */
function dialogsIn(text: string): string[] {
  return [...text.matchAll(/^( *)(?:.*[ (])?<(?:Dialog|FormDialog|SteppedDialog|Asking)[\s>]/gm)].map(
    ({ index, 1: indent }) => {
      const rest = text.slice(index);
      const end = rest.search(new RegExp(`^${indent}(?:</|/>)`, "m"));
      return end < 0 ? (rest.split("\n")[0] ?? "") : rest.slice(0, end);
    },
  );
}
