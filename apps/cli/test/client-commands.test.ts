import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { commandLine } from "./command-line.js";
import { startStub } from "./stub-server.js";

const A = "01900000-0000-7000-8000-000000000001";
const B = "01900000-0000-7000-8000-000000000002";
const client = {
  client_ref: "M-17",
  name: "Meier",
  connections: 3,
  letters: 1,
  created_at: "2026-03-02T09:00:00.000Z",
};

const cli = commandLine();
const stub = await startStub({
  "/clients/v1/list": { body: { items: [client], page: 1, page_size: 50, pages: 1, total: 1 } },
  "/clients/v1/show": { body: client },
  "/clients/v1/create": { body: client },
  "/clients/v1/update": { body: client },
  "/clients/v1/assign": { body: { assigned: 2 } },
  "/clients/v1/delete": { body: client },
});
const env = cli.dataFolder(stub.url, A);
afterAll(async () => {
  await stub.stop();
  cli.remove();
});
beforeEach(() => {
  stub.sent.length = 0;
});

const run = (...line: string[]) => cli.run(["clients", ...line], { env });
const sent = () => stub.calls().map(({ path, body }) => [path.split("/").at(-1), JSON.parse(body.toString())]);

describe("[C-14.815] clients", () => {
  it("list and show print them, and --json prints the answer as it is", async () => {
    expect((await run("list", "--name", "mei")).stdout).toMatch(/CLIENT_REF +NAME[\s\S]*M-17 +Meier +3 +1/);
    expect((await run("show", "M-17")).stdout).toMatch(/name +Meier/);
    expect((await cli.json(["clients", "show", "M-17"], { env })).document).toEqual(client);
    expect(sent()).toEqual([
      ["list", { name: "mei", page: 1, page_size: 50 }],
      ["show", { client_ref: "M-17" }],
      ["show", { client_ref: "M-17" }],
    ]);
  });

  it("[C-14.1053] list sorts as asked", async () => {
    await run("list", "--sort", "-name", "--page", "2");
    expect(sent()).toEqual([["list", { order: "-name", page: 2, page_size: 50 }]]);
    expect((await run("list", "--sort", "created_at")).code).toBe(2);
  });

  it("[C-14.1018] create makes one, with or without a name", async () => {
    expect((await run("create", "M-17", "--name", "Meier")).stdout).toMatch(/name +Meier/);
    await run("create", "M-18");
    expect(sent()).toEqual([
      ["create", { client_ref: "M-17", name: "Meier" }],
      ["create", { client_ref: "M-18" }],
    ]);
  });

  it("update changes the name, removes it, or changes the reference", async () => {
    await run("update", "M-17", "--name", "Maier");
    await run("update", "M-17", "--remove-name", "--new-client-ref", "M-18");
    expect(sent()).toEqual([
      ["update", { client_ref: "M-17", name: "Maier" }],
      ["update", { client_ref: "M-17", name: null, new_client_ref: "M-18" }],
    ]);
    expect((await run("update", "M-17")).code).toBe(2);
    expect((await run("update", "M-17", "--name", "a", "--remove-name")).code).toBe(2);
  });

  it("assign takes one or many connections or letters, for a client or for nobody", async () => {
    expect((await run("assign", "M-17", "--connection", A, B)).stdout).toContain("2 assigned");
    await run("assign", "--nobody", "--letter", A);
    expect(sent()).toEqual([
      ["assign", { client_ref: "M-17", connection_id: [A, B] }],
      ["assign", { client_ref: null, letter_id: [A] }],
    ]);
    for (const line of [["--connection", A], ["M-17"], ["M-17", "--nobody", "--letter", A]])
      expect((await run("assign", ...line)).code, line.join(" ")).toBe(2);
  });

  it("delete asks first, and does it at once with --yes", async () => {
    expect((await run("delete", "M-17")).code).toBe(2);
    expect(sent()).toEqual([]);
    expect((await run("delete", "M-17", "--yes")).stdout).toContain("M-17 is deleted");
    expect(sent()).toEqual([["delete", { client_ref: "M-17", confirm: true }]]);
  });
});
