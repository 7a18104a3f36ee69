import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";

/**
 * The harmless file that every scanner reports as malicious (eicar.org). It is assembled here so that no scanner reports this
 * source file.
 */
export const EICAR = ["X5O!P%@AP[4\\PZX54(P^)7CC)7}", "$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!", "$H+H*"].join("");

/** The behaviour of the daemon. */
export interface ClamdBehaviour {
  /** StreamMaxLength. */
  maxBytes?: number;
  /** Sends this reply to everything; null = closes the connection without a reply, undefined = replies normally. */
  reply?: string | null | undefined;
  /** Never replies. */
  isSilent?: boolean;
}

/** A server for clamd's protocol (clamd(8)): PING, and INSTREAM that detects EICAR. `behaviour` can be changed while it runs. */
export async function startClamd(behaviour: ClamdBehaviour = {}, listen: { path: string } | { port: 0 } = { port: 0 }) {
  const sockets = new Set<Socket>();
  const received: Buffer[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => undefined);
    converse(socket, behaviour, (bytes) => received.push(bytes));
  });
  server.listen("path" in listen ? listen : { ...listen, host: "127.0.0.1" });
  await once(server, "listening");
  const address = server.address() as AddressInfo | string;
  return {
    behaviour,
    /** The scanned bytes, one item per stream. */
    received,
    url: typeof address === "string" ? `unix:${address}` : `tcp://127.0.0.1:${address.port}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

function converse(socket: Socket, behaviour: ClamdBehaviour, onStream: (bytes: Buffer) => void): void {
  let buffered = Buffer.alloc(0);
  let isStream = false;
  const chunks: Buffer[] = [];
  const answer = (reply: string) => {
    const given = behaviour.reply === undefined ? reply : behaviour.reply;
    if (behaviour.isSilent) return;
    if (given === null) socket.destroy();
    else socket.end(`${given}\0`);
  };
  socket.on("data", (data) => {
    buffered = Buffer.concat([buffered, data]);
    if (!isStream) {
      const end = buffered.indexOf(0);
      if (end < 0) return;
      const command = buffered.subarray(0, end).toString();
      buffered = buffered.subarray(end + 1);
      if (command === "zPING") return answer("PONG");
      if (command !== "zINSTREAM") return answer("UNKNOWN COMMAND");
      isStream = true;
    }
    while (buffered.length >= 4) {
      const length = buffered.readUInt32BE();
      if (length === 0) {
        const stream = Buffer.concat(chunks);
        onStream(stream);
        return answer(stream.includes(EICAR) ? "stream: Eicar-Test-Signature FOUND" : "stream: OK");
      }
      if (buffered.length < 4 + length) return;
      chunks.push(buffered.subarray(4, 4 + length));
      buffered = buffered.subarray(4 + length);
      const sum = chunks.reduce((bytes, chunk) => bytes + chunk.length, 0);
      if (sum > (behaviour.maxBytes ?? Number.POSITIVE_INFINITY)) {
        socket.removeAllListeners("data");
        return answer("INSTREAM size limit exceeded. ERROR");
      }
    }
  });
}

/** An S3 server for tests that keeps its objects in a folder. Returns its URL and the accepted key. */
export async function startS3(directory: string, buckets: readonly string[], at = 0) {
  const { default: S3rver } = await import("s3rver");
  const server = new S3rver({
    directory,
    address: "127.0.0.1",
    port: at,
    silent: true,
    configureBuckets: buckets.map((name) => ({ name, configs: [] })),
  });
  const { port } = await server.run();
  return {
    endpoint: `http://127.0.0.1:${port}`,
    accessKeyId: "S3RVER",
    secretAccessKey: "S3RVER",
    close: () => server.close() as Promise<void>,
  };
}
