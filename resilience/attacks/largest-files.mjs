import { makeFile } from "@org/bench/feed-formats/files.mjs";
import { ingest, prepareCustodian, statement, waitingLetter } from "./custodian-files.mjs";
import { expectOk, flood } from "./stage.mjs";

const TENANTS = 6;
const MEGABYTES = 67;

export const title = `Custodian files of ${TENANTS} tenants at once, each of 64 MiB with 600,000 movements`;

/** Creates a letter that waits for its first file, for each tenant. */
export async function prepare(stage) {
  await prepareCustodian(stage);
  const attacked = [];
  for (let index = 0; index < TENANTS; index += 1)
    attacked.push(await waitingLetter(stage, await newTenant(stage, index)));
  return { attacked, served: await waitingLetter(stage, stage.honest) };
}

export function attack(stage) {
  const { bytes } = makeFile("mt940", MEGABYTES * 1e6);
  let next = 0;
  return flood(stage, TENANTS, async () => {
    const index = next++;
    const { status } = await ingest(stage, stage.attacked[index % TENANTS], bytes, "statement.sta");
    return status;
  });
}

let files = 0;

/** Uploads a file that is large enough to be read in a thread. */
export async function honest(stage) {
  files += 1;
  await expectOk(ingest(stage, stage.served, statement(1_000, files)));
}

async function newTenant({ post, operator, send }, index) {
  const name = `Tenant ${index}`;
  const asked = async (path, body) => JSON.parse(await expectOk(post(operator, path, body)));
  const { tenant_id } = (await asked("/operator/v1/tenants/create", { name })).tenant;
  const { application, client_secret } = await asked("/operator/v1/applications/create", { tenant_id, name });
  const body = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: application.client_id,
    client_secret,
  }).toString();
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  return { token: JSON.parse(await expectOk(send({ method: "POST", path: "/token", headers, body }))).access_token };
}
