import { pipeline } from "./pipeline.mjs";

export const title = "/healthz, which is answered under any load, a thousand on their way on each of four connections";

export function attack(stage) {
  return pipeline(stage, { connections: 4, ahead: 1_000 }, () => "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
}
