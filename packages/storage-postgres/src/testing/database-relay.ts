import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** A line to a database that can be cut, and on which everything can get lost. */
export interface DatabaseRelay {
  /** The database's URL, over the line. */
  readonly url: string;
  /** Connections break, and new ones are refused: a restart of the database, or of what stands before it. */
  down(): Promise<void>;
  up(): Promise<void>;
  /** From now on packets vanish, and nobody is told. Connections of before `restore` and of meanwhile stay dead. */
  swallow(): void;
  restore(): void;
  close(): Promise<void>;
}

/** Lays a line on loopback to the database at a URL. */
export async function createDatabaseRelay(databaseUrl: string): Promise<DatabaseRelay> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let lines = { isDead: false };
  let server: Server | null = null;
  let port = 0;

  function pass(client: Socket): void {
    const line = lines;
    const database = connect(Number(target.port || 5432), target.hostname);
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(from);
      from.on("error", () => undefined);
      from.on("data", (bytes) => {
        if (!line.isDead) to.write(bytes);
      });
      from.once("close", () => {
        sockets.delete(from);
        // Of a dead line the other end learns nothing.
        if (!line.isDead || from === client) to.destroy();
      });
    }
  }
  async function up(): Promise<void> {
    if (server) return;
    const listening = createServer(pass).listen(port, "127.0.0.1");
    server = listening;
    await new Promise((resolve) => listening.once("listening", resolve));
    port = (listening.address() as AddressInfo).port;
  }
  async function down(): Promise<void> {
    const closing = server;
    server = null;
    const closed = new Promise((resolve) => closing?.close(resolve));
    for (const socket of sockets) socket.destroy();
    if (closing) await closed;
  }

  await up();
  return {
    url: Object.assign(new URL(databaseUrl), { hostname: "127.0.0.1", port: String(port) }).href,
    up,
    down,
    swallow() {
      lines.isDead = true;
    },
    restore() {
      lines = { isDead: false };
    },
    close: down,
  };
}
