import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { onTestFinished } from "vitest";

/** Starts a server for one test; returns its port. */
export async function serve(handle: RequestListener): Promise<number> {
  const server = createServer(handle);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  return (server.address() as AddressInfo).port;
}

/** Sends raw bytes; returns what the server sent until it closed the connection. */
export async function sendRaw(port: number, text: string, { leave = false } = {}): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let received = "";
  socket.setEncoding("utf8").on("data", (chunk) => {
    received += chunk;
  });
  socket.write(text, () => leave && socket.destroy());
  await new Promise((closed) => socket.once("close", closed));
  return received;
}

/** A promise that tests resolve themselves. */
export function deferred<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

export type Handle = (request: IncomingMessage, response: ServerResponse) => unknown;
