import { pipeline } from "./pipeline.mjs";

export const title = "client ids and secrets that nobody has at /token, 2,000 on their way on each of four connections";

export function attack(stage) {
  return pipeline(stage, { connections: 4, ahead: 2_000 }, (index) => {
    const client_id = `wca_${String(index).padStart(22, "0")}`;
    const form = `grant_type=client_credentials&client_id=${client_id}&client_secret=a+guess`;
    return `POST /token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${form.length}\r\n\r\n${form}`;
  });
}
