import { expectOk, flood } from "./stage.mjs";

export const title = "14 letters at once whose PDF of 200 kB takes a processor some 12 s";

const CONNECTOR = { id: "che:attacked", name: "Custodian", country: "che", type: "datafeed" };

export async function prepare({ post, operator }) {
  await expectOk(
    post(operator, "/operator/v1/connectors/import", `${JSON.stringify(CONNECTOR)}\n`, {
      "content-type": "application/x-ndjson",
    }),
  );
}

export function attack(stage) {
  const body = submission(slowPdf());
  return flood(stage, 14, async () => (await stage.post(stage.attacker, "/letters/v1/create-signed", body)).status);
}

export function honest({ honest: tenant, post }) {
  return expectOk(post(tenant, "/letters/v1/create-signed", submission(plainPdf())));
}

function submission(pdf) {
  return JSON.stringify({ connector_id: CONNECTOR.id, data: pdf.toString("base64") });
}

/** Many unterminated objects: the parser searches the rest of the file for the end of each. */
function slowPdf() {
  return pdfOf("1 0 obj ".repeat(25_000));
}

function plainPdf() {
  return Buffer.from(
    "%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Count 1/Kids[3 0 R]>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\ntrailer<</Size 4/Root 1 0 R>>\nstartxref\n0\n%%EOF\n",
  );
}

function pdfOf(objects) {
  return Buffer.from(
    `%PDF-1.7\n${objects}1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj trailer<</Size 3/Root 1 0 R>>\nstartxref\n0\n%%EOF\n`,
  );
}
