import { createSocket } from "node:dgram";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { resolveHost } from "./host-addresses.js";

/** A name server on 127.0.0.1 that has addresses by type (1 = A, 28 = AAAA), or stays silent for null. */
async function nameServer(known: Readonly<Record<number, readonly number[]>> | null) {
  const socket = createSocket("udp4");
  const questions: number[] = [];
  const heard: (() => void)[] = [];
  socket.on("message", (query, { port, address }) => {
    const end = query.indexOf(0, 12) + 5;
    const type = query.readUInt16BE(end - 4);
    questions.push(type);
    for (const note of heard) note();
    if (known) socket.send(answerOf(query.subarray(0, end), type, known[type]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  onTestFinished(() => void socket.close());
  const { port } = socket.address() as AddressInfo;
  const asked = (count: number) =>
    new Promise<void>((resolve) => heard.push(() => questions.length >= count && resolve()));
  return { servers: [`127.0.0.1:${port}`], questions, asked };
}

/** RFC 1035 §4: repeats the question, followed by one record that points to its name. */
function answerOf(question: Buffer, type: number, address: readonly number[] | undefined): Buffer {
  const answer = Buffer.from(question);
  answer.writeUInt16BE(address ? 0x8180 : 0x8183, 2);
  answer.writeUInt16BE(address ? 1 : 0, 6);
  answer.fill(0, 8, 12);
  const record = address ? [0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, address.length, ...address] : [];
  return Buffer.concat([answer, Buffer.from(record)]);
}

const never = new AbortController().signal;
const v6 = [0x26, 6, 0x47, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];

it.each([
  ["both kinds", { 1: [8, 8, 8, 8], 28: v6 }, ["8.8.8.8", "2606:4700::1"]],
  ["IPv4 alone", { 1: [8, 8, 8, 8] }, ["8.8.8.8"]],
  ["IPv6 alone", { 28: v6 }, ["2606:4700::1"]],
  ["none", {}, []],
])("answers addresses of %s", async (_, known, expected) => {
  const { servers, questions } = await nameServer(known);
  const found = await resolveHost("client.example", never, servers);
  expect(found.map(({ address }) => address)).toEqual(expected);
  expect(found.every(({ address, family }) => family === (address.includes(":") ? 6 : 4))).toBe(true);
  expect(questions.sort()).toEqual([1, 28]);
});

it("[security.md] is broken off at once when a name server keeps silent", async () => {
  const { servers, asked } = await nameServer(null);
  const abort = new AbortController();
  const arrived = asked(2);
  const looked = resolveHost("client.example", abort.signal, servers);
  await arrived;
  abort.abort(new Error("out of time"));
  await expect(looked).rejects.toThrow("out of time");
});
