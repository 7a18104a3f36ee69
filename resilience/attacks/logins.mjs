import { expectOk } from "./stage.mjs";

export const title = "190 bank customers of one tenant who log in at once at a slow bank";

const BANK = "esp:sandbox-slow";

export async function prepare({ post, operator }) {
  const connector = { id: BANK, name: "Slow Bank", country: "esp" };
  await expectOk(
    post(operator, "/operator/v1/connectors/import", `${JSON.stringify(connector)}\n`, {
      "content-type": "application/x-ndjson",
    }),
  );
}

/** All logins run concurrently; the bank takes 8 s for each. */
export async function attack(stage) {
  const statuses = await Promise.all(
    Array.from({ length: 190 }, (_, index) =>
      login(stage, stage.attacker, `slow ${index}`, "SLOW").catch((error) => error.message),
    ),
  );
  return Object.fromEntries(
    [...new Set(statuses)].map((name) => [name, statuses.filter((one) => one === name).length]),
  );
}

let customers = 0;

/** One customer's login, from the session to the connection. */
export async function honest(stage) {
  customers += 1;
  const status = await login(stage, stage.honest, `honest ${customers}`, "secret");
  if (status !== "Finished:OK") throw new Error(status);
}

/** Goes through the widget as a browser does; returns the status in which the session ends. */
async function login({ post, send, signal }, tenant, username, password) {
  const made = JSON.parse(
    await expectOk(post(tenant, "/connect/v2/sessions/create-session", { configuration: { connector_id: BANK } })),
  );
  const page = new URL(made.widget_url).pathname;
  let cookie = "";
  const browse = async (options) => {
    const answer = await send({ ...options, headers: { ...options.headers, ...(cookie && { cookie }) } });
    cookie = answer.headers["set-cookie"]?.map((one) => one.split(";")[0]).join("; ") ?? cookie;
    return answer;
  };
  const submit = async (step, fields) => {
    const { body } = await browse({ method: "GET", path: page });
    const csrf_token = /name="csrf_token" value="([^"]*)"/.exec(body)?.[1] ?? "";
    const answer = await browse({
      method: "POST",
      path: `${page}/${step}`,
      headers: { "content-type": "application/x-www-form-urlencoded", origin: "http://localhost" },
      body: new URLSearchParams({ csrf_token, ...fields }).toString(),
    });
    if (answer.status !== 303) throw new Error(`${step}: ${answer.status} ${answer.body.slice(0, 200)}`);
  };
  await submit("continue", {});
  await submit("credentials", { username, password });
  for (let look = 0; look < 1_200; look += 1) {
    const list = await expectOk(
      post(tenant, "/connect/v2/sessions/list-sessions", { query: { session_id_in: [made.session.session_id] } }),
    );
    const { status } = JSON.parse(list).items[0];
    if (status.startsWith("Finished:") || signal.aborted) return status;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return "never ended";
}
