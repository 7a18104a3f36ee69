import { createServer, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import { beginFetch, type RemoteFile } from "./remote-folder.js";
import { openSftpFolders } from "./sftp-folder.js";
import { never, startSlowCustodian } from "./testing/slow-custodian.js";

type Settings = Parameters<ReturnType<typeof openSftpFolders>>[0];

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** The time limit of a step in these tests, in milliseconds. */
const LIMIT = 1_500;
const signal = () => new AbortController().signal;
const lost = (step: string) => ({ code: "lost", message: expect.stringContaining(step) });

async function custodian() {
  const server = await startSlowCustodian();
  ends.push(() => server.end());
  for (const name of ["a.xml", "b.xml"]) server.files.set(`out/${name}`, Buffer.alloc(1_000, 65));
  const limits = { connect: 60_000, handshake: 60_000, operation: LIMIT };
  const open = openSftpFolders({ privateNetworks: true, limits });
  return {
    server,
    async folder(until = signal()) {
      const folder = await open(server.settings as Settings, until);
      ends.push(() => folder.close());
      return folder;
    },
  };
}

it("a folder is listed, read and tidied", async () => {
  const { server, folder } = await custodian();
  const opened = await folder();
  const { files, isWhole } = await opened.list(10);
  expect([files.map(({ name, size }) => [name, size]), isWhole]).toEqual([
    [
      ["a.xml", 1_000],
      ["b.xml", 1_000],
    ],
    true,
  ]);
  expect(await opened.fetch(files[0] as RemoteFile, beginFetch(files[0] as RemoteFile))).toHaveLength(1_000);
  await opened.move("a.xml", "done", "a.xml");
  expect(await opened.look("a.xml")).toBeNull();
  expect([...server.files.keys()]).toEqual(["out/b.xml", "done/a.xml"]);
});

it("[C-9.214] names that are longer than any file's are not kept, since a server may send thousands of a quarter of a megabyte", async () => {
  const { server, folder } = await custodian();
  server.files.set(`out/${"x".repeat(20_000)}.xml`, Buffer.alloc(1));
  const { files } = await (await folder()).list(10);
  expect(files.map(({ name }) => name).sort()).toEqual(["", "a.xml", "b.xml"]);
});

it("[C-9.214] a server that stops answering, at whatever request, is lost within the limit of one answer", async () => {
  const { server, folder } = await custodian();
  const opened = await folder();
  const file = (await opened.look("a.xml")) as NonNullable<Awaited<ReturnType<typeof opened.look>>>;
  const stuck = new Set(["OPENDIR", "LSTAT", "RENAME", "READ"]);
  server.beforeAnswer = (request) => (stuck.has(request) ? never : undefined);
  await Promise.all([
    expect(opened.list(10)).rejects.toMatchObject(lost("did not answer within 1.5 seconds (open the folder)")),
    expect(opened.look("a.xml")).rejects.toMatchObject(lost("(look)")),
    expect(opened.move("b.xml", "done", "b.xml")).rejects.toMatchObject(lost("(move)")),
    expect(opened.fetch(file, beginFetch(file))).rejects.toMatchObject(lost("(read)")),
  ]);
});

it("[C-9.215] a file that broke off goes on where it was, and begins anew where it is another one by now", async () => {
  const { server, folder } = await custodian();
  const PIECES = 50;
  const content = (seed: number) => {
    const bytes = Buffer.alloc(PIECES * 32_768);
    for (let at = 0; at < bytes.length; at += 97) bytes[at] = (at * seed) >> 7;
    return bytes;
  };
  server.files.set("out/large.xml", content(3));
  const file = (await (await folder()).look("large.xml")) as RemoteFile;
  let reads = 0;
  const breakAt = (last: number) => {
    reads = 0;
    server.beforeAnswer = (request) => {
      if (request === "READ") reads += 1;
      if (reads === last) server.drop();
      return undefined;
    };
  };
  breakAt(-1);
  await (await folder()).fetch(file, beginFetch(file));
  // The last request reads the end of the file.
  const ofPiece = (reads - 1) / PIECES;
  const begun = beginFetch(file);
  breakAt(40);
  await expect((await folder()).fetch(file, begun)).rejects.toMatchObject({ code: "lost" });
  const came = begun.pieces.size;
  expect(came).toBeGreaterThan(0);
  breakAt(-1);
  expect(Buffer.compare((await (await folder()).fetch(file, begun)) as Buffer, content(3))).toBe(0);
  // The missing pieces, and two pieces that are read again to compare.
  expect(reads).toBe((PIECES - came + 2) * ofPiece + 1);

  const other = beginFetch(file);
  breakAt(40);
  await expect((await folder()).fetch(file, other)).rejects.toMatchObject({ code: "lost" });
  server.files.set("out/large.xml", content(5));
  breakAt(-1);
  expect(Buffer.compare((await (await folder()).fetch(file, other)) as Buffer, content(5))).toBe(0);
});

it("[C-9.214] a server that drips is left when the run is over, however regularly it answers", async () => {
  const { server, folder } = await custodian();
  const over = new AbortController();
  const opened = await folder(over.signal);
  const file = (await opened.look("a.xml")) as NonNullable<Awaited<ReturnType<typeof opened.look>>>;
  server.pieceBytes = 1;
  let answers = 0;
  server.beforeAnswer = async (request) => {
    if (request !== "READ") return;
    answers += 1;
    if (answers === 5) over.abort();
    await delay(5);
  };
  await expect(opened.fetch(file, beginFetch(file))).rejects.toMatchObject(lost("the run took too long"));
  expect(answers).toBeLessThan(1_000);
});

it.each([
  ["says nothing", () => undefined],
  ["drips its first line", (socket: Socket) => void setInterval(() => socket.write("S"), 20).unref()],
])("[C-9.214] a server that %s is lost within the time to log in", async (_, speak) => {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    ends.push(() => socket.destroy());
    speak(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ends.push(() => server.close());
  const { port } = server.address() as { port: number };
  const limits = { connect: 60_000, handshake: 300, operation: 60_000 };
  const open = openSftpFolders({ privateNetworks: true, limits });
  const settings = { kind: "sftp", host: "127.0.0.1", port, user: "u", password: "p", host_keys: [], folder: "." };
  await expect(open(settings as unknown as Settings, signal())).rejects.toMatchObject({ code: "lost" });
});
