import { afterAll, beforeAll, describe } from "vitest";
import { applicationCases } from "./conformance-applications.js";
import { codeCases, rememberedCases } from "./conformance-authorizations.js";
import { clientCases } from "./conformance-clients.js";
import { endedGrantCases } from "./conformance-ended-grants.js";
import { Cases, type OAuthStoreFixture } from "./conformance-fixture.js";
import { grantCases } from "./conformance-grants.js";
import { guessLimitCases } from "./conformance-guess-limits.js";
import { keyCases } from "./conformance-keys.js";
import { personCases } from "./conformance-people.js";
import { signingKeyCases } from "./conformance-signing-keys.js";
import { switchingOffCases } from "./conformance-switching-off.js";
import { trustedIssuerCases } from "./conformance-trusted-issuers.js";

/** Registers every vitest case that a backend of {@link OAuthStore} must pass, including races. */
export function describeOAuthStore(
  name: string,
  makeStore: () => Promise<OAuthStoreFixture> | OAuthStoreFixture,
): void {
  describe(`OAuth store: ${name}`, () => {
    let fixture: OAuthStoreFixture;
    let made: Cases;
    beforeAll(async () => {
      fixture = await makeStore();
      made = new Cases(fixture);
    });
    afterAll(() => fixture?.close?.());
    const cases = () => made;

    describe("applications", () => applicationCases(cases));
    describe("clients", () => clientCases(cases));
    describe("codes", () => codeCases(cases));
    describe("remembered credentials", () => rememberedCases(cases));
    describe("grants", () => grantCases(cases));
    describe("grants of people", () => personCases(cases));
    describe("grants that are bound to a key", () => keyCases(cases));
    describe("ended grants", () => endedGrantCases(cases));
    describe("switching off", () => switchingOffCases(cases));
    describe("guess limits", () => guessLimitCases(cases));
    describe("signing keys", () => signingKeyCases(cases));
    describe("trusted issuers", () => trustedIssuerCases(cases));
  });
}
