import { setTimeout as delay } from "node:timers/promises";
import { expectOk, flood } from "./stage.mjs";

export const title = "Four custodian files at once, of one tenant, each of 40 MB";

const CUSTODIAN = { id: "che:custody", name: "Custodian", country: "che", type: "datafeed" };

/** Creates letters that wait for their first file: four for the attacker, one for the honest tenant. */
export async function prepare(stage) {
  await prepareCustodian(stage);
  const attacked = [];
  for (let feed = 0; feed < 4; feed += 1) attacked.push(await waitingLetter(stage, stage.attacker));
  return { attacked, served: await waitingLetter(stage, stage.honest) };
}

export async function prepareCustodian({ post, operator }) {
  const lines = `${JSON.stringify(CUSTODIAN)}\n`;
  await expectOk(post(operator, "/operator/v1/connectors/import", lines, { "content-type": "application/x-ndjson" }));
}

export function attack(stage) {
  // Created once, because this process also measures.
  const file = statement(200_000, 1);
  return flood(stage, stage.attacked.length, async (index) => {
    const { status } = await ingest(stage, stage.attacked[index % stage.attacked.length], file);
    if (status === 429) await delay(500);
    return status;
  });
}

let files = 0;

/** Uploads a file that is large enough to be read in a thread. */
export async function honest(stage) {
  files += 1;
  await expectOk(ingest(stage, stage.served, statement(1_000, files)));
}

export function ingest({ post, operator }, letter_id, bytes, name = "statement.ofx") {
  const query = new URLSearchParams({ letter_id, name });
  return post(operator, `/operator/v1/datafeeds/ingest?${query}`, bytes, {
    "content-type": "application/octet-stream",
  });
}

export async function waitingLetter({ post, operator }, tenant) {
  const pdf = Buffer.from(
    "%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Count 1/Kids[3 0 R]>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\ntrailer<</Size 4/Root 1 0 R>>\nstartxref\n0\n%%EOF\n",
  );
  const submission = { connector_id: CUSTODIAN.id, data: pdf.toString("base64") };
  const { letter_id } = JSON.parse(await expectOk(post(tenant, "/letters/v1/create-signed", submission)));
  for (const to of ["SentToCustodian", "AcceptedByCustodian", "ConnectionSetup", "WaitingForData"])
    await expectOk(post(operator, "/operator/v1/letters/advance", { letter_id, to }));
  return letter_id;
}

/** An OFX 1.x investment statement with this many positions; `number` makes each file different. */
export function statement(positions, number) {
  const ids = Array.from({ length: positions }, (_, index) => String(index).padStart(9, "0"));
  const security = (id) => `<SECID><UNIQUEID>${id}<UNIQUEIDTYPE>PRIVATE</SECID>`;
  const held = ids.map(
    (id) =>
      `<POSSTOCK><INVPOS>${security(id)}<HELDINACCT>CASH<POSTYPE>LONG<UNITS>${number}<UNITPRICE>1.25<MKTVAL>2.50<DTPRICEASOF>20240131</INVPOS></POSSTOCK>`,
  );
  const known = ids.map((id) => `<STOCKINFO><SECINFO>${security(id)}<SECNAME>Share ${id}</SECINFO></STOCKINFO>`);
  const status = "<STATUS><CODE>0<SEVERITY>INFO</STATUS>";
  return Buffer.from(`OFXHEADER:100
DATA:OFXSGML
VERSION:102
SECURITY:NONE
ENCODING:USASCII
CHARSET:1252
COMPRESSION:NONE
OLDFILEUID:NONE
NEWFILEUID:NONE

<OFX><SIGNONMSGSRSV1><SONRS>${status}<DTSERVER>20240131<LANGUAGE>ENG</SONRS></SIGNONMSGSRSV1>
<INVSTMTMSGSRSV1><INVSTMTTRNRS><TRNUID>1${status}<INVSTMTRS><DTASOF>20240131<CURDEF>USD<INVACCTFROM><BROKERID>broker.example<ACCTID>42</INVACCTFROM>
<INVPOSLIST>${held.join("\n")}</INVPOSLIST></INVSTMTRS></INVSTMTTRNRS></INVSTMTMSGSRSV1>
<SECLISTMSGSRSV1><SECLIST>${known.join("\n")}</SECLIST></SECLISTMSGSRSV1></OFX>
`);
}
