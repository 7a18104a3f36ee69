import { type ClientRequest, get as getPlain } from "node:http";
import { get, type RequestOptions } from "node:https";
import { describe, expect, it, onTestFinished } from "vitest";
import { createAuthority } from "./stand-in/certificates.js";
import { type Fault, type InstitutionOptions, startInstitution } from "./stand-in/institution.js";

const clock = () => new Date("2026-11-20T06:00:00Z");

async function institution(options: Partial<InstitutionOptions> = {}) {
  const answer = () => ({ headers: { "content-type": "text/plain" }, body: "0123456789" });
  const started = await startInstitution({ clock, answer, ...options });
  onTestFinished(() => started.close());
  return started;
}

/** The body, or the error code that the client sees. */
function outcome(send: (options: RequestOptions) => ClientRequest, options: RequestOptions = {}): Promise<string> {
  return new Promise((resolve) => {
    const request = send({ ...options, agent: false });
    const failed = (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message);
    request.on("error", failed);
    request.on("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => resolve(Buffer.concat(chunks).toString()));
      response.on("error", failed);
    });
  });
}

describe("An institution's stand-in", () => {
  it.each<[Fault, RegExp]>([
    [{ kind: "half" }, /^01234$/],
    [{ kind: "cut" }, /^ECONNRESET$/],
    [{ kind: "cut_in_the_middle" }, /^ECONNRESET$|aborted/],
    [{ kind: "huge", bytes: 3_000_001 }, /^0123456789 {2999991}$/],
    [{ kind: "html" }, /temporarily unavailable/],
    [{ kind: "slow", milliseconds: 60_000 }, /^0123456789$/],
    [{ kind: "trickle", pieces: 4, milliseconds: 60_000 }, /^0123456789$/],
    [{ kind: "instead", reply: { body: "else" } }, /^else$/],
  ])("meets the next request with %o, and answers the one after it", async (fault, seen) => {
    const waited: number[] = [];
    const { url, fail, requests } = await institution({ sleep: async (milliseconds) => waited.push(milliseconds) });
    fail(({ path }) => path === "/broken", fault);
    expect(await outcome((options) => getPlain(`${url}/broken?a=1`, options))).toMatch(seen);
    expect(await outcome((options) => getPlain(`${url}/broken`, options))).toBe("0123456789");
    expect(requests.map(({ path, query }) => `${path} ${query.get("a")}`)).toEqual(["/broken 1", "/broken null"]);
    expect(new Set(waited)).toEqual(new Set("milliseconds" in fault ? [60_000] : []));
  });

  it("shows certificates that a client of its authority takes, and others that it does not", async () => {
    const authority = createAuthority();
    const right = await institution({ tls: authority.issue({ names: ["127.0.0.1"] }) });
    const send = (url: string) => (options: RequestOptions) => get(url, { ca: authority.cert, ...options });
    expect(await outcome(send(right.url))).toBe("0123456789");

    const past = { not_before: new Date("2020-01-01T00:00:00Z"), not_after: new Date("2021-01-01T00:00:00Z") };
    const expired = await institution({ tls: authority.issue({ names: ["127.0.0.1"], ...past }) });
    expect(await outcome(send(expired.url))).toBe("CERT_HAS_EXPIRED");
    const elsewhere = await institution({ tls: authority.issue({ names: ["bank.example"] }) });
    expect(await outcome(send(elsewhere.url))).toBe("ERR_TLS_CERT_ALTNAME_INVALID");
    const stranger = await institution({ tls: createAuthority("Somebody").issue({ names: ["127.0.0.1"] }) });
    expect(await outcome(send(stranger.url))).toMatch(/UNABLE_TO|SELF_SIGNED/);
  });

  it("lets in who shows a certificate of its authority, and nobody else", async () => {
    const authority = createAuthority();
    const names: (string | null)[] = [];
    const { url } = await institution({
      tls: { ...authority.issue({ names: ["127.0.0.1"] }), ca: authority.cert },
      answer: ({ client_name }) => {
        names.push(client_name);
        return { body: "in" };
      },
    });
    const send = (keys: object) => outcome((options) => get(url, { ca: authority.cert, ...keys, ...options }));
    expect(await send(authority.issue({ names: ["wealth-connect.example"] }))).toBe("in");
    expect(await send({})).not.toBe("in");
    expect(await send(createAuthority("Somebody").issue({ names: ["wealth-connect.example"] }))).not.toBe("in");
    expect(names).toEqual(["wealth-connect.example"]);
  });
});
