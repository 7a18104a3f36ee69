import { PDFDocument } from "@cantoo/pdf-lib";
import type { TestServer, TestTenant } from "./harness.js";

/** Base64 of a PDF with one empty page. */
export async function signedPdf(): Promise<string> {
  const document = await PDFDocument.create();
  document.addPage();
  return document.saveAsBase64();
}

/** Submits a letter; returns its id. */
export async function submitLetter(tenant: TestTenant, connectorId: string, more: object = {}): Promise<string> {
  const body = { connector_id: connectorId, data: await signedPdf(), ...more };
  const { status, text, body: created } = await tenant.post("/letters/v1/create-signed", body);
  if (status !== 200) throw new Error(`create-signed: ${status} ${text}`);
  return created.letter_id;
}

/** A letter that waits for its custodian's first file. */
export async function waitingLetter(server: TestServer, tenant: TestTenant, connectorId: string): Promise<string> {
  const letterId = await submitLetter(tenant, connectorId);
  for (const to of ["SentToCustodian", "AcceptedByCustodian", "ConnectionSetup", "WaitingForData"])
    await server.operate("/operator/v1/letters/advance", { letter_id: letterId, to });
  return letterId;
}

/** A letter that the service makes, which names these accounts and waits for its custodian's first file. */
export async function letterNaming(
  server: TestServer,
  { tenantId }: Pick<TestTenant, "tenantId">,
  connectorId: string,
  accounts: readonly string[],
): Promise<string> {
  const operate = (path: string, body: object) => server.operate(`/operator/v1/letters/${path}`, body);
  const { letter } = await operate("request", { tenant_id: tenantId, connector_id: connectorId });
  const letter_id: string = letter.id;
  const details = { full_name: "Ana Ejemplo", address: ["Calle Mayor 1", "28013 Madrid"], accounts };
  await operate("details", { letter_id, details });
  for (const to of ["Generated", "SentToUser"]) await operate("advance", { letter_id, to });
  await operate("sign", { letter_id, data: await signedPdf() });
  for (const to of ["SentToCustodian", "AcceptedByCustodian", "ConnectionSetup", "WaitingForData"])
    await operate("advance", { letter_id, to });
  return letter_id;
}

/** Delivers a custodian's file. */
export function ingest(
  server: TestServer,
  target: { letter_id: string } | { connection_id: string },
  bytes: Uint8Array,
  name = "statement.ofx",
) {
  const query = new URLSearchParams({ ...target, name });
  return server.operator.post(`/operator/v1/datafeeds/ingest?${query}`, bytes, {
    headers: { "content-type": "application/octet-stream" },
  });
}
