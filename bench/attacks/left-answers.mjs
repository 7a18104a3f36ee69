import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

export const title =
  "API documents asked for one behind the other on connections that are left at once, from two networks";

/** Of this machine, in two networks: one alone has half of what answers may take. */
const NETWORKS = ["127.0.1.1", "127.0.2.1"];
const EACH = 16;
const AT_ONCE = 4;
const READ_MS = 50;

const document = "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n";

/** The honest tenant wants an answer of more than 16 KiB, which is counted. */
export async function honest({ send }) {
  const { status } = await send({ method: "GET", path: "/openapi.json", headers: {} });
  if (status !== 200) throw new Error(`answered ${status}`);
}

export async function attack({ port, signal }) {
  let left = 0;
  const leave = async (localAddress) => {
    while (!signal.aborted) {
      const socket = connect({ port, host: "127.0.0.1", localAddress });
      socket.on("error", () => {});
      socket.pause();
      socket.write(document.repeat(EACH));
      await delay(READ_MS);
      socket.destroy();
      left += EACH;
    }
  };
  await Promise.all(NETWORKS.flatMap((network) => Array.from({ length: AT_ONCE }, () => leave(network))));
  return { asked_for_and_left: left };
}
