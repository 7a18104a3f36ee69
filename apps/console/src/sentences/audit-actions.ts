import { useWords } from "../language/language.js";
import { letterTerms } from "../screens/letters/letter-terms.js";
import { auditSentences } from "./audit-sentences.js";
import { familyWords } from "./event-types.js";
import type { ThingKind } from "./parts-of-sentence.js";
import { capitalized } from "./thing-phrase.js";
import { thingWords } from "./thing-words.js";

/** The family of an action whose beginning names none. */
const families: Readonly<Record<string, keyof typeof familyWords.en>> = {
  document: "letter",
  "client.create": "connection",
  "client.update": "connection",
  "client.delete": "connection",
  client: "application",
  datafeed: "feed",
  feed_mapping: "feed",
  source: "feed",
  feed_key: "feed",
  rates: "provider",
  registration_token: "application",
  trusted_issuer: "application",
  login: "grant",
  authorization: "grant",
  signing_key: "key",
  server_key: "key",
  encryption_key: "key",
};

/** What an action is done to, where the beginning does not name it. */
const objects: Readonly<Record<string, ThingKind>> = {
  mail: "letter",
  document: "letter",
  data: "connection",
  datafeed: "connection",
  feed_mapping: "connector",
  work: "letter",
  webhook: "webhook_endpoint",
};

/** The objects of single actions that differ. */
const objectsOf: Readonly<Record<string, ThingKind>> = {
  "client.create": "tenant",
  "client.update": "tenant",
  "client.delete": "tenant",
  "document.move": "tenant",
  "person.provider_sign_out": "trusted_issuer",
};

/** The status to which a move of a letter leads, which tells moves apart. */
const leadsTo: Readonly<Record<string, keyof (typeof letterTerms)["en"]["statuses"]>> = {
  collect_details: "UsersDetail",
  generate: "Generated",
  send_to_user: "SentToUser",
  sign: "Signed",
  send_to_custodian: "SentToCustodian",
  accept: "AcceptedByCustodian",
  start_setup: "ConnectionSetup",
  await_data: "WaitingForData",
  connect: "Connected",
};

/** Every action of the audit trail, said in words, with the heading of its family. */
export function useAuditActions(): readonly {
  readonly value: string;
  readonly label: string;
  readonly family: string;
}[] {
  const sentences: Readonly<Record<string, string>> = useWords(auditSentences);
  const titles = useWords(familyWords);
  const { kinds } = useWords(thingWords);
  const { statuses } = useWords(letterTerms);
  return Object.entries(sentences).map(([action, sentence]) => {
    const [beginning = "", verb = ""] = action.split(".");
    const object = objectsOf[action] ?? objects[beginning] ?? (beginning in kinds ? (beginning as ThingKind) : null);
    const things: Readonly<Record<string, ThingKind | null>> = {
      object,
      client: "client",
      file: "file",
      token: "registration_token",
    };
    const label = sentence.replace(/\{(\w+)!?\}/g, (_, name: string) => {
      const status = name === "to" ? leadsTo[verb] : undefined;
      if (status) return statuses[status];
      const kind = things[name];
      return kind ? kinds[kind].any : "…";
    });
    const family = families[action] ?? families[beginning] ?? (beginning as keyof typeof titles);
    return { value: action, label: capitalized(label), family: titles[family] };
  });
}
