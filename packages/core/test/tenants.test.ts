import { createMemoryStorage, createMemoryTenantAccess, createTestRuntime } from "@org/core/testing";
import { describe, expect, it } from "vitest";
import {
  CoreError,
  createAuditReading,
  createTenantProfiles,
  createTenants,
  type Fault,
  idField,
  parseOrRefuse,
  type TenantAccess,
  tenantProfileChangeSchema,
} from "../src/index.js";

/** Images of 3 by 2 pixels, as a browser writes them. */
const PICTURES = {
  png: "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAYAAACddGYaAAAAEklEQVR4AWLijo/4D8NMDEgAAAAA//+lINpkAAAABklEQVQDAGLDBUix1EEYAAAAAElFTkSuQmCC",
  jpeg: "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAACAAMDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAP/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAAAQP/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCIBTf/2Q==",
  "webp lossy": "UklGRiwAAABXRUJQVlA4ICAAAABwAQCdASoDAAIAB0CWJaACdAFAAAD+533Zbg2SKckAAA==",
  "webp lossless": "UklGRh4AAABXRUJQVlA4TBEAAAAvAkAAAAfQry4Uq/+BiOh/AAA=",
  "webp lossy with transparency":
    "UklGRk4AAABXRUJQVlA4WAoAAAAQAAAAAgAAAQAAQUxQSAcAAAAAgICAgICAAFZQOCAgAAAAcAEAnQEqAwACAAdAliWgAnQBQAAA/ud92W4NkinJAAA=",
};

const operator = { application_id: "operator", trace_id: "0af7651916cd43dd8448eb211c80319c", address: "203.0.113.7" };

function world(access: TenantAccess = createMemoryTenantAccess()) {
  const storage = createMemoryStorage();
  const runtime = createTestRuntime();
  const profiles = createTenantProfiles({ storage, runtime });
  return { storage, access, runtime, profiles, tenants: createTenants({ storage, runtime, access }) };
}

describe("[C-8.5] tenants", () => {
  it("show whether they are switched on", async () => {
    const { tenants } = world();
    const [one, two] = [await tenants.create(operator, "One"), await tenants.create(operator, "Two")];
    expect(await tenants.setEnabled(operator, idField.parse(one.tenant_id.toUpperCase()), false)).toEqual({
      ...one,
      enabled: false,
    });
    expect((await tenants.list()).map(({ enabled }) => enabled)).toEqual([false, true]);
    await tenants.setEnabled(operator, one.tenant_id, true);
    expect(await tenants.list()).toEqual([one, two]);
  });

  it("are deleted with everything but their audit trail, and only once confirmed", async () => {
    const { tenants, storage, access } = world();
    const { tenant_id } = await tenants.create(operator, "One");
    await expect(tenants.remove(operator, tenant_id, false)).rejects.toMatchObject({ code: "CONFIRMATION_REQUIRED" });
    expect([await tenants.list(), await access.disabled()]).toMatchObject([[{ enabled: true }], new Set()]);
    await tenants.remove(operator, tenant_id, true);
    expect(await tenants.list()).toEqual([]);
    expect(await access.disabled()).toEqual(new Set([tenant_id]));
    const left = await storage.inTenant(tenant_id, ({ audit }) => audit.list({ limit: 9 }));
    expect(left.map(({ action, actor, object_id }) => [action, actor, object_id])).toEqual([
      ["tenant.delete", "operator", tenant_id],
      ["tenant.create", "operator", tenant_id],
    ]);
    await expect(tenants.remove(operator, tenant_id, true)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await tenants.create(operator, "one")).toMatchObject({ name: "one" });
  });

  it("stay switched off when their deletion fails, and are deleted at the next attempt", async () => {
    const { storage, runtime, access } = world();
    let failing = true;
    const remove: typeof storage.tenants.remove = (...request) =>
      failing ? Promise.reject(new Error("crash")) : storage.tenants.remove(...request);
    const unreliable = { ...storage, tenants: { ...storage.tenants, remove } };
    const tenants = createTenants({ storage: unreliable, runtime, access });
    const { tenant_id } = await tenants.create(operator, "One");
    await expect(tenants.remove(operator, tenant_id, true)).rejects.toThrow("crash");
    expect(await tenants.list()).toMatchObject([{ tenant_id, enabled: false }]);
    failing = false;
    await tenants.remove(operator, tenant_id, true);
    expect(await tenants.list()).toEqual([]);
  });

  it.each([["019b0000-0000-7000-8000-ffffffffffff"], ["no-uuid"]])("%s is unknown", async (text) => {
    const { tenants } = world();
    expect(await tenants.find(text)).toBeNull();
    const id = idField.parse(text);
    await expect(tenants.setEnabled(operator, id, false)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(tenants.remove(operator, id, true)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("[C-8.80] how a tenant shows itself", () => {
  const set = (input: object) => parseOrRefuse(tenantProfileChangeSchema, input, "set");

  it("is changed part by part, with a line in the audit trail that has no contents", async () => {
    const { tenants, profiles, storage } = world();
    const { tenant_id } = await tenants.create(operator, "One");
    const texts = { legal_name: "One AG", support_contact: "help@one.example" };
    await profiles.change(operator, tenant_id, { set: set(texts), reset: [] });
    const changed = await profiles.change(operator, tenant_id, {
      set: set({ postal_address: ["Bahnhofstrasse 1", "8001 Zürich"], display_name: null, logo: PICTURES.png }),
      reset: ["support_contact", "privacy_url"],
    });
    expect(changed).toMatchObject({ name: "One", legal_name: "One AG", support_contact: null, display_name: null });
    expect(changed.logo).toMatchObject({ media_type: "image/png", width: 3, height: 2 });
    expect(await profiles.show(idField.parse(tenant_id.toUpperCase()))).toEqual(changed);
    const [line] = await storage.inTenant(tenant_id, ({ audit }) => audit.list({ limit: 1 }));
    expect(line).toMatchObject({ action: "tenant.update", actor: "operator", object_id: tenant_id });
    expect(line?.facts).toEqual({ postal_address: "set", logo: "set", support_contact: "reset", privacy_url: "reset" });
  });

  it("loses what nobody sees, and writes links out in full", () => {
    expect(
      set({
        display_name: " One\u202e\u0000 &\tCo\u200b ",
        privacy_url: "HTTPS://Zürich.example/Privacy policy",
        support_contact: "https://one.example",
      }),
    ).toEqual({
      display_name: "One & Co",
      privacy_url: "https://xn--zrich-kva.example/Privacy%20policy",
      support_contact: "https://one.example/",
    });
  });

  it.each([
    ["display_name", "\u200b", "must not be empty"],
    ["display_name", "x".repeat(101), "must have at most 100 characters"],
    ["legal_name", 7, "must be text"],
    ["postal_address", [], "must have a line"],
    ["postal_address", "Street 1", "must be a list of lines"],
    ["privacy_url", "http://one.example/", "must be an https link"],
    ["privacy_url", "https://who:secret@one.example/", "must be an https link"],
    ["privacy_url", "javascript:alert(1)", "must be an https link"],
    ["privacy_url", "https:one.example", "must be an https link"],
    ["support_contact", "+34 900 000 000", "must be an e-mail address, or an https link"],
    ["support_contact", "mailto:help@one.example", "must be an e-mail address, or an https link"],
    ["colour", "red", "is not a field here"],
  ])("refuses %s %j in words that name the field", (field, value, words) => {
    const faults = faultsOf(() => set({ [field]: value }));
    expect(faults[0]).toMatchObject({ field: `set.${field}`, message: expect.stringContaining(words) });
  });

  it.each(Object.entries(PICTURES))("takes a logo that is a %s, by what it holds", async (kind, base64) => {
    const { tenants, profiles } = world();
    const { tenant_id } = await tenants.create(operator, "One");
    const { logo } = await profiles.change(operator, tenant_id, { set: { logo: base64 }, reset: [] });
    expect(logo).toEqual({
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      media_type: `image/${kind.split(" ")[0]}`,
      width: 3,
      height: 2,
    });
    const served = await profiles.logo(String(logo?.sha256), "203.0.113.0/24");
    expect(Buffer.from(served?.content ?? []).toString("base64")).toBe(base64);
    expect(await profiles.logo(String(logo?.sha256).toUpperCase(), "203.0.113.0/24")).toBeNull();
  });

  const header = (png: string, width: number) => {
    const bytes = Buffer.from(png, "base64");
    bytes.writeUInt32BE(width, 16);
    return bytes.toString("base64");
  };
  it.each([
    [
      "an SVG",
      Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>").toString("base64"),
      "must be a PNG, JPEG or WebP",
    ],
    ["half a header", PICTURES.png.slice(0, 16), "must be a PNG, JPEG or WebP"],
    [
      "a JPEG without a frame",
      Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff]).toString("base64"),
      "must be a PNG",
    ],
    ["no Base64", "!", "must be Base64"],
    ["65,537 bytes", Buffer.alloc(65_537).toString("base64"), "must have at most 65536 bytes"],
    ["1,025 pixels", header(PICTURES.png, 1_025), "must be 1 to 1024 pixels wide and high; it is 1025 × 2"],
    ["no pixels", header(PICTURES.png, 0), "must be 1 to 1024 pixels wide and high"],
  ])("refuses a logo of %s", async (_, logo, words) => {
    const { tenants, profiles } = world();
    const { tenant_id } = await tenants.create(operator, "One");
    await expect(profiles.change(operator, tenant_id, { set: { logo }, reset: [] })).rejects.toMatchObject({
      details: [{ field: "set.logo", message: expect.stringContaining(words) }],
    });
    expect((await profiles.show(tenant_id)).logo).toBeNull();
  });

  it.each(["019b0000-0000-7000-8000-ffffffffffff", "no-uuid"])("is not there for %s", async (text) => {
    const { profiles } = world();
    const id = idField.parse(text);
    await expect(profiles.show(id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(profiles.change(operator, id, { set: {}, reset: [] })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("[C-8.5] the audit trail as operators read it", () => {
  const search = { order: "newest", page_size: 2 } as const;

  it("comes in pages that new lines do not shift", async () => {
    const { tenants, storage, runtime } = world();
    const reading = createAuditReading({ storage, mac: runtime.mac });
    for (const name of ["1", "2", "3"]) await tenants.create(operator, name);
    const first = await reading.list(search);
    await tenants.create(operator, "4");
    const second = await reading.list({ ...search, page_token: first.next_page_token });
    expect([first.items.length, second.items.length, second.next_page_token]).toEqual([2, 1, null]);
    const ids = [...first.items, ...second.items].map(({ audit_id }) => audit_id);
    const oldest = await reading.list({ order: "oldest", page_size: 3 });
    expect(ids.reverse()).toEqual(oldest.items.map(({ audit_id }) => audit_id));
    expect(oldest.items[0]).toMatchObject({ action: "tenant.create", at: expect.stringMatching(/Z$/), facts: {} });
  });

  it.each([
    ["of another query", { action: "tenant.create" }],
    ["of another order", { order: "oldest" as const }],
  ])("refuses a page token %s", async (_, other) => {
    const { tenants, storage, runtime } = world();
    const reading = createAuditReading({ storage, mac: runtime.mac });
    for (const name of ["1", "2", "3"]) await tenants.create(operator, name);
    const { next_page_token } = await reading.list(search);
    await expect(reading.list({ ...search, ...other, page_token: next_page_token })).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      details: [{ field: "page_token" }],
    });
    await expect(reading.list({ ...search, page_token: `${next_page_token}x` })).rejects.toThrow("page_token");
  });
});

function faultsOf(work: () => unknown): readonly Fault[] {
  try {
    work();
  } catch (error) {
    if (error instanceof CoreError) return error.details ?? [];
    throw error;
  }
  return [];
}
