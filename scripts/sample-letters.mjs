// Letters in all states over three tenants, seven of them stuck, each for a different reason (docs/how-to/letters-desk.md): for pictures of the console and
// for the test of the CLI with them. Its own mail server stands in for those of custodians and clients.
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const tenantNames = ["Aurelia Family Office", "Borealis Wealth", "Castellan Partners"];

/** Percentage of letters in each status. */
const shares = {
  NewRequest: 4,
  UsersDetail: 4,
  Generated: 4,
  SentToUser: 7,
  Signed: 8,
  SentToCustodian: 12,
  AcceptedByCustodian: 6,
  ConnectionSetup: 5,
  WaitingForData: 8,
  Connected: 24,
  Blocked: 0,
  Cancelled: 8,
  Discontinued: 3,
  Revoked: 7,
};

/**
 * Seeds a server through its API.
 * @param target `url`, the `operator`'s client_id and client_secret, the server's drop folder, and the number of letters including the seven
 * @returns the stuck letters, in the order of the table in docs/how-to/letters-desk.md
 */
export async function seedLetters({ url, operator, dropDir, letters = 200 }) {
  const desk = await apiOf(url, operator);
  const tenants = [];
  for (const name of tenantNames) {
    const { tenant } = await desk("/operator/v1/tenants/create", { name });
    const made = await desk("/operator/v1/applications/create", {
      tenant_id: tenant.tenant_id,
      name: `${name}: portal`,
    });
    const secret = { client_id: made.application.client_id, client_secret: made.client_secret };
    tenants.push({ ...tenant, api: await apiOf(url, secret) });
  }
  const { items } = await desk("/operator/v1/connectors/list", { page_size: 500 });
  const custodians = items.filter(({ type, available }) => type === "datafeed" && available).map(({ id }) => id);
  let made = 0;
  /** Creates the next letter, for tenants and custodians in turn, and advances it to its status. */
  const letter = async (status, contact = { banker_email: `desk@custodian-${made % 5}.example` }, details = {}) => {
    made += 1;
    const tenant = tenants[made % tenants.length];
    const about = {
      connector_id: custodians[made % custodians.length],
      labels: { client: `c${String(made).padStart(4, "0")}` },
      contact_info: contact,
    };
    return takeTo(status, { desk, tenant, about, client: { ...clientOf(made), ...details } });
  };

  const stuck = [
    // the custodian's address is wrong: its mail server refused the letter
    await letter("SentToCustodian", { banker_email: "gone@custodian-1.example" }),
    // no address of the custodian is known: nothing was mailed
    await letter("SentToCustodian", { phone: "+34 600 000 000" }),
    // the connection broke while the letter was sent: it is unknown whether it arrived
    await letter("SentToCustodian", { banker_email: "doubt@custodian-3.example" }),
    // the client's address is wrong: the letter to sign did not arrive
    await letter("SentToUser", undefined, { email: "gone@client.example" }),
    // the connection was interrupted; the custodian sends again
    await letter("Blocked"),
    // the custodian's first file arrived before the letter waited for it, and is held
    await letter("ConnectionSetup"),
    // the custodian must be notified of the end, and there is no address
    await letter("Discontinued", {}),
  ];
  const early = join(dropDir, stuck[5]);
  mkdirSync(early, { recursive: true });
  writeFileSync(join(early, "january.xml"), statement);

  const wanted = Object.entries(shares).flatMap(([status, share]) =>
    Array.from({ length: Math.round((share / 100) * (letters - stuck.length)) }, () => status),
  );
  while (wanted.length < letters - stuck.length) wanted.push("Connected");
  // A notice that waits: the mail server asks to come back later.
  for (const status of wanted.slice(0, letters - stuck.length))
    await (status === "Discontinued" ? letter(status, { banker_email: "later@custodian-2.example" }) : letter(status));
  // The server scans the drop folder every few seconds.
  for (let seconds = 0; seconds < 60; seconds += 1) {
    if ((await desk("/operator/v1/datafeeds/list-pending", {})).held > 0) return stuck;
    await delay(1_000);
  }
  throw new Error("the file in the drop folder was not held");
}

async function takeTo(status, { desk, tenant, about, client }) {
  const { tenant_id, api } = tenant;
  const operate = (action, letter_id, more = {}) => desk(`/operator/v1/letters/${action}`, { letter_id, ...more });
  const advance = async (letter_id, steps) => {
    for (let step = 0; step < steps; step += 1) await operate("advance", letter_id);
  };
  const generated = ["NewRequest", "UsersDetail", "Generated", "SentToUser"].indexOf(status);
  if (generated >= 0) {
    const { letter } = await desk("/operator/v1/letters/request", { tenant_id, ...about });
    if (generated > 0) await operate("details", letter.id, { details: client });
    await advance(letter.id, generated - 1);
    return letter.id;
  }
  const { letter_id } = await api("/letters/v1/create-signed", { ...about, data: signedLetter });
  const steps = ["Signed", "SentToCustodian", "AcceptedByCustodian", "ConnectionSetup", "WaitingForData", "Connected"];
  await advance(letter_id, status === "Cancelled" ? 1 : steps.includes(status) ? steps.indexOf(status) : 5);
  if (status === "Blocked") await operate("block", letter_id, { note: "the custodian moves its systems" });
  if (status === "Cancelled") await operate("cancel", letter_id);
  if (status === "Discontinued" || status === "Revoked") await api("/letters/v1/discontinue-letter", { letter_id });
  if (status === "Revoked") await operate("advance", letter_id, { to: "Revoked" }).catch(() => undefined);
  return letter_id;
}

function clientOf(number) {
  const full_name = `Client ${number}`;
  return { full_name, address: [`Calle Mayor ${number}`, "28013 Madrid"], email: `client-${number}@client.example` };
}

async function apiOf(url, { client_id, client_secret }) {
  const form = new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret });
  const { access_token } = await (await fetch(`${url}/token`, { method: "POST", body: form })).json();
  return async (path, body) => {
    const headers = { authorization: `Bearer ${access_token}`, "content-type": "application/json" };
    const answer = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text}`);
    return JSON.parse(text);
  };
}

/** A mail server that accepts everything, except: `gone@` has no mailbox, `later@` is busy, and with `doubt@` the connection breaks at the end. */
export function startCustodianMail() {
  const server = createServer((socket) => {
    const say = (line) => socket.write(`${line}\r\n`);
    let recipient = "";
    let rest = "";
    let isData = false;
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => {
      rest += chunk.toString("latin1");
      for (let end = rest.indexOf(isData ? "\r\n.\r\n" : "\r\n"); end >= 0; ) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + (isData ? 5 : 2));
        if (isData) {
          isData = false;
          if (recipient.startsWith("doubt@")) return socket.destroy();
          say("250 taken");
        } else if (/^RCPT TO/i.test(line)) {
          recipient = /<(.*)>/.exec(line)?.[1] ?? "";
          if (recipient.startsWith("gone@")) say("550 5.1.1 no such mailbox");
          else say(recipient.startsWith("later@") ? "450 4.2.1 the mailbox is busy" : "250 ok");
        } else if (/^DATA/i.test(line)) {
          isData = true;
          say("354 go on");
        } else if (/^QUIT/i.test(line)) socket.end("221 bye\r\n");
        else say("250 ok");
        end = rest.indexOf(isData ? "\r\n.\r\n" : "\r\n");
      }
    });
    say("220 custodians");
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

/** The smallest PDF with a page, in Base64. */
const signedLetter = Buffer.from(
  "%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>\nendobj\nxref\n0 4\n0000000000 65535 f \n0000000009 00000 n \n0000000058 00000 n \n0000000115 00000 n \ntrailer\n<< /Size 4 /Root 1 0 R >>\nstartxref\n186\n%%EOF\n",
).toString("base64");

const statement = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt>
<GrpHdr><MsgId>1</MsgId><CreDtTm>2026-01-31T18:00:00</CreDtTm></GrpHdr>
<Stmt><Id>1</Id><CreDtTm>2026-01-31T18:00:00</CreDtTm><Acct><Id><IBAN>ES9121000418450200051332</IBAN></Id><Ccy>EUR</Ccy></Acct>
<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">1523.47</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-01-31</Dt></Dt></Bal>
</Stmt></BkToCstmrStmt></Document>
`;
