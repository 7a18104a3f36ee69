import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** A relay to a database. It can cut the connection, and can lose every packet. */
export interface DatabaseRelay {
  /** The database's URL through the relay. */
  readonly url: string;
  /** Breaks all connections and refuses new ones, like a restart of the database or of a proxy before it. */
  down(): Promise<void>;
  up(): Promise<void>;
  /** From now on packets are lost without an error. Connections from before `restore`, including new ones, stay dead. */
  swallow(): void;
  restore(): void;
  /**
   * The connection breaks at the next commit of a transaction in which this text was sent: before the answer, or before the database
   * gets it. Resolves then.
   */
  loseCommitOf(text: string, what?: "the answer" | "the commit"): Promise<void>;
  /** Whether new connections are read-only, like those to a standby; open ones stay as they are. */
  setReadOnly(isReadOnly: boolean): void;
  close(): Promise<void>;
}

/** Starts a relay on loopback to the database at a URL. */
export async function createDatabaseRelay(databaseUrl: string): Promise<DatabaseRelay> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let lines = { isDead: false };
  let isReadOnly = false;
  let uncommitted: { text: string; what: "the answer" | "the commit"; tell: () => void } | null = null;
  let server: Server | null = null;
  let port = 0;

  function pass(client: Socket): void {
    const line = lines;
    let greeting: ((bytes: Buffer) => Buffer) | undefined = isReadOnly ? readOnlyGreeting : undefined;
    let isMeant = false;
    let isLost = false;
    const database = connect(Number(target.port || 5432), target.hostname);
    const losesCommit = (bytes: Buffer): boolean => {
      if (bytes.includes("begin;")) isMeant = false;
      if (uncommitted === null) return false;
      isMeant ||= bytes.includes(uncommitted.text);
      if (!isMeant || !bytes.includes("; commit")) return false;
      const { what, tell } = uncommitted;
      uncommitted = null;
      if (what === "the answer") database.write(bytes);
      // What was written is read before this end.
      isLost = true;
      database.end();
      client.destroy();
      tell();
      return true;
    };
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(from);
      from.on("error", () => undefined);
      from.on("data", (bytes) => {
        if (line.isDead) return;
        if (from === client && losesCommit(bytes)) return;
        to.write(from === client && greeting ? greeting(bytes) : bytes);
        if (from === client) greeting = undefined;
      });
      from.once("close", () => {
        sockets.delete(from);
        // The other end of a dead line gets no notice.
        if (!isLost && (!line.isDead || from === client)) to.destroy();
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
    loseCommitOf(text, what = "the answer") {
      return new Promise((resolve) => {
        uncommitted = { text, what, tell: resolve };
      });
    },
    setReadOnly(value) {
      isReadOnly = value;
    },
    close: down,
  };
}

/** The first message of a connection (StartupMessage, without TLS) with one more setting. */
function readOnlyGreeting(bytes: Buffer): Buffer {
  const setting = Buffer.from("options\0-c default_transaction_read_only=on\0\0");
  const greeting = Buffer.concat([bytes.subarray(0, -1), setting]);
  greeting.writeInt32BE(greeting.length, 0);
  return greeting;
}
