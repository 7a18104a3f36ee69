import type { CustomerSessions } from "@org/core";
import { type FormFault, readFields } from "./form-faults.js";
import type { Visit } from "./visit.js";

/**
 * What posting a form does. Answers what is wrong with the form, or the secret of a browser that has just become the owner.
 * A CoreError of the service goes through.
 */
export type Step = (visit: Visit, body: unknown) => Promise<{ faults?: readonly FormFault[]; owner?: string }>;

/** The steps by the name under which their forms are posted: `/connect/<link>/<name>`. */
export function createSteps(sessions: CustomerSessions): Readonly<Record<string, Step>> {
  return {
    async continue({ link, owner }) {
      return (await sessions.claim(link, owner)) ?? {};
    },
    async bank({ link, owner }, body) {
      const read = readFields(body, ["connector_id"]);
      if ("faults" in read) return read;
      await sessions.chooseBank(link, owner, read.values.connector_id);
      return {};
    },
    async "change-bank"({ link, owner }) {
      await sessions.changeBank(link, owner);
      return {};
    },
    async credentials({ link, owner }, body) {
      const view = await sessions.view(link, owner);
      const asked = view.kind === "owned" ? view.credential_fields.map(({ name }) => name) : [];
      const read = readFields(body, asked.length > 0 ? asked : (["username", "password"] as const));
      if ("faults" in read) return read;
      const typed: Partial<Record<"username" | "password", string>> = read.values;
      await sessions.submitCredentials(link, owner, { username: typed.username ?? "", password: typed.password ?? "" });
      return {};
    },
    async answer({ link, owner }, body) {
      const read = readFields(body, ["answer"]);
      if ("faults" in read) return read;
      await sessions.submitAnswer(link, owner, read.values.answer);
      return {};
    },
    /** On the first page nobody owns the session yet: who declines there becomes the owner of a cancelled one. */
    async cancel({ link, owner }) {
      const view = await sessions.view(link, owner);
      const claimed = view.kind === "unclaimed" ? await sessions.claim(link, owner) : null;
      await sessions.abort(link, claimed?.owner ?? owner);
      return claimed ?? {};
    },
  };
}
