import { expectOk, flood, searchLetters } from "./stage.mjs";

export const title =
  "sign-ins at the console with recovery codes and passkeys that nobody has, 32 at once from one network";

const PARALLEL = 32;

const text = (value) => Buffer.from(value).toString("base64url");

/** A well-formed passkey response. Its user handle is 16 bytes of a tenant's id and 16 of a person's. */
export const answerOf = (tenant) => ({
  id: text("nobody's key"),
  rawId: text("nobody's key"),
  type: "public-key",
  response: {
    userHandle: Buffer.from(`${tenant.replaceAll("-", "")}0192a5c07d4e7c3b9f102b6f0c8a4e11`, "hex").toString(
      "base64url",
    ),
    clientDataJSON: text(
      JSON.stringify({ type: "webauthn.get", challenge: text("c".repeat(32)), origin: "http://localhost" }),
    ),
    authenticatorData: text("a".repeat(37)),
    signature: text("s".repeat(64)),
  },
  clientExtensionResults: {},
});

export function attack(stage) {
  const ask = (path, body, headers = {}) => send(stage, path, body, headers);
  return flood(stage, PARALLEL, async (index) => {
    if (index % 2 === 0) {
      const body = { email: `somebody-${index}@example.com`, code: "aaaaa-bbbbb-ccccc-ddddd" };
      return `recover ${(await ask("sign-in/recover", body)).status}`;
    }
    const begun = await ask("sign-in/begin", {});
    const cookie = begun.headers["set-cookie"]?.map((one) => one.split(";")[0]).join("; ");
    if (!cookie) return `begin ${begun.status}`;
    const finished = await ask("sign-in/finish", { answer: answerOf(stage.attacker.tenant) }, { cookie });
    return `finish ${finished.status}`;
  });
}

/** A person on the same network opens the console and is asked for their passkey, while a program of another tenant works. */
export async function honest(stage) {
  await expectOk(send(stage, "session", {}));
  await expectOk(send(stage, "sign-in/begin", {}));
  await searchLetters(stage);
}

function send(stage, path, body, headers = {}) {
  return stage.send({
    method: "POST",
    path: `/console/api/${path}`,
    headers: { "content-type": "application/json", origin: stage.origin, ...headers },
    body: JSON.stringify(body),
  });
}
