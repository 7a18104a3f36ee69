import { CoreError } from "@org/core";
import type { FeedSources } from "../src/index.js";
import { sampleIds } from "../src/testing/index.js";

const at = "2026-01-01T00:00:00.000Z";

/** Id of the source's rule, token and file. */
const sourcePartId = sampleIds.sourcePart;

/** One source in memory, `custodian`, with one rule, one token and one held file. */
export function memoryFeedSources(): FeedSources {
  const source = {
    source: "custodian",
    kind: "sftp" as const,
    enabled: true,
    failures: 0,
    last_error: null,
    changed_at: at,
    due_at: at,
    attempted_at: null,
    succeeded_at: null,
  };
  const details = { ...source, version: 1, settings: { kind: "sftp", host: "sftp.bank.example", password: "set" } };
  const route = { route_id: sourcePartId, source: "custodian", when: {}, to: { letter_id: "x" }, created_at: at };
  const token = { token_id: sourcePartId, source: "custodian", name: "Bank", created_at: at, expires_at: null };
  const file = {
    file_id: sourcePartId,
    source: "custodian",
    name: "a.xml",
    size: 1,
    sha256: "00",
    state: "held" as const,
    modified_at: null,
    came_at: at,
    settled_at: at,
  };
  const proposals = [{ letter_id: "x", tenant_id: "y", why: "the numbers differ by leading zeros" }];
  const findings = [
    { part: "a.xml", account: "12", cause: "account" as const, reason: "no rule and no letter is for it", proposals },
  ];
  const known = (name: string, kind = "source") => {
    if (name !== "custodian" && name !== sourcePartId)
      throw new CoreError("NOT_FOUND", `there is no ${kind} with this name`);
  };

  return {
    list: async () => [source],
    async show(name) {
      known(name);
      return details;
    },
    set: async (_operator, name) => ({ ...details, source: name }),
    async test(name, settings) {
      if (!settings) known(name);
      return { ok: false, message: "no key of this server is pinned", host_key: "SHA256:x", files: null };
    },
    remove: async (_operator, name) => known(name),
    async run(name) {
      known(name);
      const none = { held: 0, duplicates: 0, waiting: 0, unfit: 0, failed: 0, reason: null };
      return { found: 1, taken: 1, ...none, isWhole: true };
    },
    files: async () => ({ items: [file], next_page_token: null }),
    async routes(name) {
      known(name);
      return [route];
    },
    async addRoute(_operator, name, { when, to }) {
      known(name);
      return { route: { ...route, when, to }, retried: 1, taken: 1 };
    },
    removeRoute: async (_operator, id) => known(id, "rule"),
    held: async () => ({ items: [{ ...file, held_until: at, findings }], total: 1 }),
    async readHeld(_operator, id) {
      known(id, "file");
      return { file_name: "a.csv", file: "YQ==", is_cut: false, connector_ids: [] };
    },
    async showHeld(_operator, id) {
      known(id, "file");
      const excerpt = { place: null, is_text: true, lines: [{ line: 1, skipped: 0, text: "<a/>", is_cut: false }] };
      return { file: { ...file, held_until: at, findings }, excerpt };
    },
    async retryHeld(_operator, id) {
      known(id, "file");
      return { outcome: "taken", file_id: id, delivered: 1, findings: [] };
    },
    async routeHeld(_operator, id) {
      known(id, "file");
      return { rules: 1, retried: 1, taken: 1 };
    },
    dropHeld: async (_operator, id) => known(id, "file"),
    async createToken(_operator, name) {
      known(name);
      return { source_token: token, token: "wcf_x" };
    },
    async tokens(name) {
      known(name);
      return [token];
    },
    endToken: async (_operator, id) => known(id, "token"),
  };
}
