import type { JsonObject } from "../../../../packages/provider-openwealth/test/stand-in/exact-json.js";
import { Exact } from "../../../../packages/provider-openwealth/test/stand-in/exact-json.js";
import type { PlaidInstitution } from "./plaid-bank.js";
import { PlaidRefusal } from "./plaid-errors.js";

interface Query {
  readonly count: number;
  readonly offset: number;
  readonly country_codes: readonly string[];
  readonly institution_id: string;
  readonly options?: {
    readonly products?: readonly string[] | null;
    readonly routing_numbers?: readonly string[] | null;
    readonly oauth?: boolean | null;
    readonly include_optional_metadata?: boolean;
    readonly include_status?: boolean;
  };
}

const COUNT = 500;

/** The institutions that Plaid reaches, in the order of their ids. */
export class PlaidCatalogue {
  readonly #institutions = new Map<string, PlaidInstitution>();
  /** Products that the application is enabled for. */
  enabled: readonly string[] = ["investments", "transactions"];

  add(name: string, more: Partial<PlaidInstitution> = {}): PlaidInstitution {
    const institution: PlaidInstitution = {
      institution_id: `ins_${this.#institutions.size + 1}`,
      name,
      country_codes: ["US"],
      products: ["investments", "transactions", "auth", "balance", "identity"],
      oauth: false,
      url: `https://${name.toLowerCase().replace(/[^a-z0-9]+/g, "-")}.example.com`,
      routing_numbers: [],
      consent_days: null,
      can_refresh: true,
      health: "HEALTHY",
      ...more,
    };
    this.#institutions.set(institution.institution_id, institution);
    return institution;
  }

  /** As many more, in all of Plaid's countries; every fifth has no investments, every seventh is reached by OAuth. */
  generate(count: number): void {
    const countries = "US GB ES NL FR IE CA DE IT PL DK NO SE EE LT LV PT BE AT FI".split(" ");
    for (let index = 0; index < count; index += 1) {
      const country = countries[index % countries.length] ?? "US";
      this.add(`Bank No. ${index} of ${country}`, {
        country_codes: index % 100 === 0 ? [country, "IE"] : [country],
        products: index % 5 === 4 ? ["auth", "balance"] : ["investments", "transactions", "auth", "balance"],
        oauth: index % 7 === 6,
        routing_numbers: country === "US" ? [String(11_000_000 + index).padStart(9, "0")] : [],
      });
    }
  }

  find(id: string): PlaidInstitution | undefined {
    return this.#institutions.get(id);
  }

  /** Those of any of the countries with all of the products, by words of their name. */
  search(words: string, countries: readonly string[], products: readonly string[]): readonly PlaidInstitution[] {
    return [...this.#institutions.values()].filter(
      (each) =>
        each.country_codes.some((code) => countries.includes(code)) &&
        products.every((product) => each.products.includes(product)) &&
        each.name.toLowerCase().includes(words.toLowerCase()),
    );
  }

  /**
   * The answer of `/institutions/get`. Institutions without any product that the application is enabled for are left out of the
   * page afterwards, so that a page may have fewer than `count` before the end; `total` counts them.
   */
  page(body: JsonObject): JsonObject {
    const { count, offset, country_codes, options = {} } = body as unknown as Query;
    if (count < 1 || count > COUNT) throw invalid("count must be between 1 and 500");
    if (offset < 0) throw invalid("offset must be greater than or equal to 0");
    if (country_codes.length === 0) throw invalid("country_codes must not be empty");
    const numbers = options.routing_numbers ?? [];
    const found = this.search("", country_codes, options.products ?? []).filter(
      (each) =>
        numbers.every((number) => each.routing_numbers.includes(number)) &&
        (options.oauth ?? each.oauth) === each.oauth,
    );
    return {
      institutions: found
        .slice(offset, offset + count)
        .filter(({ products }) => products.some((product) => this.enabled.includes(product)))
        .map((each) => answerOf(each, options)),
      total: found.length,
    };
  }

  /** The answer of `/institutions/get_by_id`. */
  one(body: JsonObject): JsonObject {
    const { institution_id, country_codes, options = {} } = body as unknown as Query;
    const found = this.find(institution_id);
    if (!found?.country_codes.some((code) => country_codes.includes(code)))
      throw new PlaidRefusal("INVALID_INSTITUTION");
    return { institution: answerOf(found, options) };
  }
}

function answerOf(institution: PlaidInstitution, options: NonNullable<Query["options"]>): JsonObject {
  const { institution_id, name, products, country_codes, routing_numbers, oauth, url, health } = institution;
  const breakdown = {
    success: new Exact(health === "HEALTHY" ? "0.98" : "0.02"),
    error_plaid: new Exact("0.01"),
    error_institution: new Exact(health === "HEALTHY" ? "0.01" : "0.97"),
  };
  const status = { status: health, last_status_change: "2026-11-02T08:22:00Z" };
  return {
    institution_id,
    name,
    products,
    country_codes,
    routing_numbers,
    dtc_numbers: [],
    oauth,
    ...(options.include_optional_metadata && { url, primary_color: "#004966", logo: null }),
    ...(options.include_status && {
      status: {
        item_logins: { ...status, breakdown },
        investments: { ...status, breakdown },
        investments_updates: { ...status, breakdown: { ...breakdown, refresh_interval: "NORMAL" } },
      },
    }),
  };
}

const invalid = (message: string) => new PlaidRefusal("INVALID_FIELD", { message });
