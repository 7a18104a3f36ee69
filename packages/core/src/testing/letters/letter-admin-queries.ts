import {
  type AdminLetter,
  type LetterAdminQueries,
  type LetterAdminQuery,
  type LetterOrder,
  LOOKED_THROUGH,
  orderedBy,
} from "../../letters/letter-admin-queries.js";
import { letterFacts } from "../../letters/letter-facts.js";
import { searchWords } from "../../letters/letter-search.js";
import { clientName } from "../connections/clients.js";
import { compareText, type TenantState } from "../state.js";
import { matches } from "./letters.js";

/** {@link LetterAdminQueries} over the current state of the tenants. */
export function memoryLetterAdmin(tenants: ReadonlyMap<string, TenantState>): LetterAdminQueries {
  return {
    async search(query) {
      const found = [...tenants]
        .filter(([tenant_id, { tenant }]) => tenant !== null && (query.tenant_id ?? tenant_id) === tenant_id)
        .flatMap(([tenant_id, state]) => lettersOf(tenant_id, state))
        .filter((letter) => matches(letter, query) && passes(letter, query))
        .sort(orders[query.order]);
      const start = query.after === null ? query.offset : found.filter(isBefore(query)).length;
      return { items: found.slice(start, start + query.page_size), total: found.length };
    },
    async lookUp({ tenant_id, words, connector_ids, limit }) {
      return [...tenants]
        .filter(([id, { tenant }]) => tenant !== null && (tenant_id ?? id) === id)
        .flatMap(([id, state]) => lettersOf(id, state))
        .filter((letter) => hasWords(letter, words) || connector_ids.includes(letter.connector_id))
        .slice(0, LOOKED_THROUGH)
        .sort(orders.newest)
        .slice(0, limit)
        .map(({ tenant_id: id, tenant, letter_id, connector_id, status, labels }) => ({
          ...{ tenant_id: id, tenant, letter_id, connector_id, status, labels },
        }));
    },
    async forFiles({ connector_id, tenant_id, limit }, known) {
      const letters = [...tenants]
        .filter(([id, { tenant }]) => tenant !== null && (tenant_id ?? id) === id)
        .flatMap(([id, state]) => lettersOf(id, state))
        .filter((letter) => letter.connector_id === connector_id && takesFiles(letter))
        .sort(oldestFirst)
        .slice(0, limit)
        .map(({ tenant_id: owner, letter_id, connection_id, version }) => ({
          tenant_id: owner,
          letter_id,
          connection_id,
          version,
        }));
      const digest = JSON.stringify(letters);
      return { digest, letters: digest === known ? null : letters };
    },
    async counts(tenantId) {
      const letters = [...tenants]
        .filter(([tenant_id, { tenant }]) => tenant !== null && (tenantId ?? tenant_id) === tenant_id)
        .flatMap(([, state]) => [...state.letters.values()]);
      return [...new Set(letters.map(({ status }) => status))].map((status) => {
        const since = letters
          .filter((letter) => letter.status === status)
          .map((letter) => letter.status_since.getTime());
        return { status, letters: since.length, oldest_since: new Date(Math.min(...since)) };
      });
    },
  };
}

/** Whether a letter is at or before the place after which a page begins. */
function isBefore({ order, after }: LetterAdminQuery): (letter: AdminLetter) => boolean {
  if (after === null) return () => false;
  const { letter_id, at } = after;
  return (letter) => orders[order](letter, { ...letter, letter_id, [orderedBy[order]]: at }) <= 0;
}

function lettersOf(tenant_id: string, state: TenantState): AdminLetter[] {
  return [...state.letters.values()].map((letter) => ({
    ...letter,
    tenant_id,
    tenant: state.tenant?.name ?? "",
    client_name: clientName(state, letter.client_ref),
    mails: [...state.mails.values()]
      .filter(({ letter_id }) => letter_id === letter.letter_id)
      .sort((a, b) => a.created_at.getTime() - b.created_at.getTime() || compareText(a.mail_id, b.mail_id)),
  }));
}

function passes(letter: AdminLetter, { in_status_before, words, without_mail }: LetterAdminQuery): boolean {
  if (in_status_before !== null && letter.status_since >= in_status_before) return false;
  if (!hasWords(letter, words)) return false;
  if (without_mail === null) return true;
  const kind = without_mail[letter.status];
  if (kind === undefined) return false;
  return !letter.mails.some((mail) => mail.kind === kind && (mail.state === "queued" || mail.state === "sent"));
}

function hasWords(letter: AdminLetter, words: readonly string[]): boolean {
  const { letter_id, connector_id, labels, contact_info, observations } = letter;
  const said = [letter_id, connector_id, observations, ...Object.entries({ ...labels, ...contact_info }).flat()];
  const has = searchWords(said.join(" "));
  return words.every((word) => has.some((one) => one.startsWith(word)));
}

const orders: Readonly<Record<LetterOrder, (a: AdminLetter, b: AdminLetter) => number>> = {
  newest: (a, b) => -oldestFirst(a, b),
  oldest: oldestFirst,
  longest_in_status: longestInStatusFirst,
  shortest_in_status: (a, b) => -longestInStatusFirst(a, b),
  last_changed: (a, b) => -longestUnchangedFirst(a, b),
  longest_unchanged: longestUnchangedFirst,
};

function longestInStatusFirst(a: AdminLetter, b: AdminLetter): number {
  return a.status_since.getTime() - b.status_since.getTime() || compareText(a.letter_id, b.letter_id);
}

function longestUnchangedFirst(a: AdminLetter, b: AdminLetter): number {
  return a.updated_at.getTime() - b.updated_at.getTime() || compareText(a.letter_id, b.letter_id);
}

function takesFiles({ status }: AdminLetter): boolean {
  return letterFacts[status].takesFiles;
}

function oldestFirst(a: AdminLetter, b: AdminLetter): number {
  return a.created_at.getTime() - b.created_at.getTime() || compareText(a.letter_id, b.letter_id);
}
