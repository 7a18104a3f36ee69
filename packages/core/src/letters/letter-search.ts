import { letterStatuses } from "@org/letter-lifecycle";
import { type Connectors, nameOfConnector } from "../catalogue/connectors.js";
import { createPager } from "../pager.js";
import type { Runtime } from "../ports/runtime.js";
import { parseUuid } from "../schemas/identifier.js";
import type { LetterView } from "../schemas/letter.js";
import type { MailView } from "../schemas/mail.js";
import { parseMoment } from "../schemas/moment.js";
import { type Page, toPage } from "../schemas/paging.js";
import { searchKey } from "../search-key.js";
import {
  type AdminLetter,
  type LetterOrder,
  type LetterPlace,
  type LookedUpLetter,
  orderedBy,
} from "./letter-admin-queries.js";
import { mailRemarks, mailView, type Remark } from "./letter-mail.js";
import type { LetterSearch } from "./letter-requests.js";
import type { LetterQuery } from "./letter-store.js";
import { letterView, missingForMove, type ToDo, toDoOf } from "./letter-view.js";
import type { LetterStorage } from "./storage.js";

/** An operator's search criteria, in addition to those of a tenant's search. */
export interface LetterAdminSearch extends LetterSearch {
  /** Only letters of this tenant; if omitted, of all tenants. */
  readonly tenant_id?: string | null | undefined;
  /** Part of the custodian's name; case does not matter. */
  readonly custodian?: string | null | undefined;
  /** Prefixes of words in the letter; punctuation counts as spaces. Punctuation alone finds nothing. */
  readonly text?: string | null | undefined;
  readonly in_status_before?: Date | null | undefined;
  /** Only letters that need attention: blocked, or without the mail that their status calls for. */
  readonly stuck?: boolean | null | undefined;
  readonly order: LetterOrder;
  /** Continues after the page that returned it; the cost does not depend on how far down the list that is. */
  readonly page_token?: string | null | undefined;
}

/** A page of an operator's list. */
export interface LetterAdminPage extends Page<AdminLetterView> {
  /** Null on the last page. */
  readonly next_page_token: string | null;
}

/** The number of letters in a status. */
export interface StatusCountView {
  readonly status: LetterView["status"];
  readonly letters: number;
  /** When the letter that has been in it longest entered it; RFC 3339. */
  readonly oldest_since: string;
  /** Whole days since then. */
  readonly oldest_days: number;
}

/** A letter in an operator's list. */
export interface AdminLetterView extends LetterView {
  readonly tenant_id: string;
  /** The tenant's name. */
  readonly tenant: string;
  readonly client_name: string | null;
  /** The custodian's name, or the connector's id if the catalogue does not have it. */
  readonly custodian: string;
  readonly contact_info: Readonly<Record<string, string | undefined>>;
  /** When it entered its status; RFC 3339. */
  readonly status_since: string;
  /** Whole days since then. */
  readonly days_in_status: number;
  readonly to_do: ToDo;
  readonly remarks: readonly Remark[];
  /** Oldest first. */
  readonly mails: readonly MailView[];
}

/** A letter that was looked up. */
export interface LookedUpLetterView extends LookedUpLetter {
  /** The custodian's name, or the connector's id if the catalogue does not have it. */
  readonly custodian: string;
}

/** Lets operators search the letters of all tenants. */
export interface LetterAdmin {
  /** Finds a few letters by the beginnings of their words, or by their custodian's name, newest first. @param tenantId null = of all tenants */
  lookUp(tenantId: string | null, text: string, limit: number): Promise<readonly LookedUpLetterView[]>;
  /** @throws CoreError VALIDATION_ERROR on `page_token` */
  search(search: LetterAdminSearch): Promise<LetterAdminPage>;
  /** One count for each status that has letters, in the order of the main line. */
  counts(tenantId: string | null): Promise<readonly StatusCountView[]>;
}

export function createLetterAdmin(deps: {
  storage: Pick<LetterStorage, "letterAdmin">;
  runtime: Pick<Runtime, "clock" | "mac">;
  connectors: Connectors;
  /** Whether mail is configured; if not, affected letters say so. */
  sendsMail: boolean;
}): LetterAdmin {
  const { storage, runtime, connectors, sendsMail } = deps;

  const page = createPager(runtime.mac);

  return {
    async search({ page_token, ...search }) {
      const { page: number, page_size, ...asked } = letterQueryOf(search);
      const text = search.text ?? "";
      const query = {
        ...asked,
        connector_id_in: await connectorsOf(asked.connector_id_in, search.custodian),
        tenant_id: search.tenant_id ?? null,
        in_status_before: search.in_status_before ?? null,
        words: searchWords(text),
        without_mail: search.stuck ? missingForMove : null,
        order: search.order,
      };
      const isOfSigns = text.trim() !== "" && query.words.length === 0;
      let total = 0;
      const { rows, next_page_token } = await page<AdminLetter, LetterPlace>({
        query: ["letters", query],
        token: page_token,
        size: page_size,
        async rows(after, limit) {
          if (isOfSigns) return [];
          const offset = after === null ? (number - 1) * page_size : 0;
          const found = await storage.letterAdmin.search({ ...query, page_size: limit, offset, after });
          total = found.total;
          return found.items;
        },
        keyOf: (letter) => `${letter[orderedBy[search.order]].toISOString()} ${letter.letter_id}`,
        readKey: placeOf,
      });
      const now = runtime.clock();
      const views = await Promise.all(rows.map((letter) => adminLetterView(letter, now)));
      return { ...toPage(views, total, number, page_size), next_page_token };
    },

    async lookUp(tenantId, text, limit) {
      const words = searchWords(text);
      if (words.length === 0) return [];
      const named = await connectors.search({ name: text.trim(), page: 1, page_size: CUSTODIANS }, null);
      const connector_ids = named.items.map(({ id }) => id);
      const found = await storage.letterAdmin.lookUp({ tenant_id: tenantId, words, connector_ids, limit });
      return Promise.all(
        found.map(async (letter) => ({ ...letter, custodian: await nameOfConnector(connectors, letter.connector_id) })),
      );
    },

    async counts(tenantId) {
      const found = await storage.letterAdmin.counts(tenantId);
      const now = runtime.clock();
      return letterStatuses.flatMap((status) => {
        const of = found.find((count) => count.status === status);
        if (of === undefined) return [];
        const { letters, oldest_since } = of;
        return [
          { status, letters, oldest_since: oldest_since.toISOString(), oldest_days: daysSince(oldest_since, now) },
        ];
      });
    },
  };

  /** Restricts connector ids to those with this name. The names come from the catalogue, since letters only have ids. */
  async function connectorsOf(
    ids: LetterQuery["connector_id_in"],
    name: string | null | undefined,
  ): Promise<LetterQuery["connector_id_in"]> {
    if (name == null || name.trim() === "") return ids;
    const found = await connectors.search({ name: name.trim(), page: 1, page_size: Number.MAX_SAFE_INTEGER }, null);
    return found.items.map(({ id }) => id).filter((id) => ids === null || ids.includes(id));
  }

  async function adminLetterView(letter: AdminLetter, now: Date): Promise<AdminLetterView> {
    const { tenant_id, tenant, client_name, connector_id, contact_info, status_since, mails } = letter;
    return {
      ...letterView(letter),
      tenant_id,
      tenant,
      client_name,
      custodian: await nameOfConnector(connectors, connector_id),
      contact_info,
      status_since: status_since.toISOString(),
      days_in_status: daysSince(status_since, now),
      to_do: toDoOf(letter, mails, sendsMail),
      remarks: mailRemarks(letter, mails, sendsMail),
      mails: mails.map((mail) => mailView({ tenant_id, ...mail })),
    };
  }
}

/** A look-up is for no more custodians than this. */
const CUSTODIANS = 10;

const DAY_MS = 24 * 60 * 60 * 1000;

function daysSince(moment: Date, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - moment.getTime()) / DAY_MS));
}

/** Parses the key of a page token; null if it is invalid. */
function placeOf(text: string): LetterPlace | null {
  const [moment = "", id = ""] = text.split(" ");
  const [at, letter_id] = [new Date(moment), parseUuid(id)];
  return letter_id === null || Number.isNaN(at.getTime()) ? null : { at, letter_id };
}

/** Converts the criteria of a search to those of the stores. */
export function letterQueryOf({ query, page, page_size }: LetterSearch): LetterQuery {
  const created = momentsOf(query.creation_date);
  const updated = momentsOf(query.last_update);
  return {
    connector_id_in: query.connector_id_in ?? null,
    status_in: query.status_in ?? null,
    id_in: query.id_in ?? null,
    labels: query.labels ?? {},
    client_ref_in: query.client_ref_in ?? null,
    created_from: created.from,
    created_before: created.before,
    updated_from: updated.from,
    updated_before: updated.before,
    page,
    page_size,
  };
}

function momentsOf(asked: LetterSearch["query"]["creation_date"]) {
  return {
    from: asked?.start ? (parseMoment(asked.start)?.from ?? null) : null,
    before: asked?.end ? (parseMoment(asked.end)?.before ?? null) : null,
  };
}

/** Splits a text into the words that letters are searched by, ignoring case, accents and punctuation. */
export function searchWords(text: string): readonly string[] {
  return searchKey(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}
