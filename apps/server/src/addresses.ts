import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { type Config, ConfigError, type ListenAddress } from "@org/installation";

/** Listens on the public address. @returns its port @throws ConfigError */
export async function listenPublicly(server: Server, config: Pick<Config, "host" | "port">): Promise<number> {
  try {
    await listen(server, config);
  } catch (error) {
    throw new ConfigError([publicFault(config, error)]);
  }
  return (server.address() as AddressInfo).port;
}

/**
 * Length of the backlog of connections that the process has not accepted yet. Once it is full, the system drops further connection attempts, and
 * honest clients wait a second before they retry; Node's default is 511. The system has a bound of its own (`somaxconn`, 4,096 on Linux).
 */
const BACKLOG = 4_096;

/** Resolves when a server listens on an address, rejects when it cannot. */
export async function listen(server: Server, address: ListenAddress): Promise<void> {
  const at = "path" in address ? { path: address.path } : { host: address.host, port: address.port };
  server.listen({ ...at, backlog: BACKLOG });
  await once(server, "listening");
}

/**
 * Checks which addresses cannot be listened on: one line each, beginning with the setting. Only for a server that will not start anyway, or that
 * is the only one of its database, because it refuses clients that connect meanwhile.
 * @param faulty settings that are not tried
 */
export async function findAddressFaults(
  config: Pick<Config, "host" | "port" | "operatorListen" | "metricsListen">,
  faulty: ReadonlySet<string> = new Set(),
): Promise<readonly string[]> {
  const { operatorListen, metricsListen } = config;
  const lines: string[] = [];
  if (!faulty.has("HOST") && !faulty.has("PORT")) {
    const error = await errorAt(config);
    if (error !== null) lines.push(publicFault(config, error));
  }
  for (const [setting, address] of Object.entries({ OPERATOR_LISTEN: operatorListen, METRICS_LISTEN: metricsListen })) {
    const error = address === undefined || faulty.has(setting) ? null : await errorAt(address);
    if (error !== null) lines.push(`${setting}: ${addressReason(error)}`);
  }
  return lines;
}

async function errorAt(address: ListenAddress): Promise<unknown> {
  const server = createServer((socket) => socket.destroy());
  try {
    await listen(server, address);
    server.close();
    await once(server, "close");
    return null;
  } catch (error) {
    return error;
  }
}

/** Explains why an address cannot be listened on. */
export function addressReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE") return "the address is in use by another program";
  if (code === "EADDRNOTAVAIL") return "the address is none of this machine's";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN" || code === "EINVAL") return "there is no such address";
  if (code === "EACCES") return "this process has no right to listen there";
  return message;
}

function publicFault({ host, port }: Pick<Config, "host" | "port">, error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE")
    return `PORT: port ${port} on ${host} is in use by another program: stop that one, or set PORT to a free port`;
  if (code === "EACCES") return `PORT: this process has no right to listen on port ${port} of ${host}`;
  return `HOST: ${host} cannot be listened on: ${addressReason(error)}`;
}
