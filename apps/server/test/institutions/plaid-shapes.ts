// Names, types and presence of the fields of version 2020-09-14_1.697.4 of Plaid's API, in a notation of our own: `*` after a name
// is required, `?` after a type nullable, `[]` a list; a field without a type is text, n is a number, i an integer, b a boolean.
const ACCOUNT = "account_id* mask*:s? name* official_name*:s? type*:AccountType subtype*:s? holder_category:s?";
const BALANCE =
  "available*:n? current*:n? limit*:n? iso_currency_code*:s? unofficial_currency_code*:s? last_updated_datetime:time?";
const ITEM =
  "item_id* institution_id:s? institution_name:s? webhook*:s? auth_method:s? error*:PlaidError? available_products*:s[] billed_products*:s[] products:s[] consented_products:s[] consent_expiration_time*:time? update_type*:UpdateType";
const KEYS = "client_id secret";
const OF_ITEM = `${KEYS} access_token*`;
const HOOK = "webhook_type* webhook_code* environment*:Environment";
const TRANSACTIONS = "error:PlaidError? new_investments_transactions*:n cancelled_investments_transactions*:n";

/** Fields of `/link/token/create` for products that are not played. */
const OTHERS =
  "access_tokens:any android_package_name:any card_switch:any eu_config:any payment_configuration:any payment_initiation:any employment:any income_verification:any base_report:any credit_partner_insights:any cra_options:any consumer_report_permissible_purpose:any auth:any transfer:any identity_verification:any statements:any third_party_user_token:any investments_auth:any cashflow_report:any cra_enabled:any identity:any financekit_supported:any";

const objects: Readonly<Record<string, string>> = {
  AccountBalance: BALANCE,
  AccountBase: `${ACCOUNT} balances*:AccountBalance`,
  InvestmentAccountBalance: `${BALANCE} margin_loan_amount*:n?`,
  InvestmentAccount: `${ACCOUNT} balances*:InvestmentAccountBalance`,
  Holding:
    "account_id* security_id* institution_price*:n institution_price_as_of:date? institution_price_datetime:time? institution_value*:n cost_basis*:n? quantity*:n iso_currency_code*:s? unofficial_currency_code*:s? vested_quantity:n? vested_value:n? tax_lots:HoldingTaxLot[]",
  HoldingTaxLot:
    "institution_lot_id*:s? original_purchase_datetime*:time? quantity*:n? purchase_price*:n? cost_basis*:n? current_value*:n? position_type*:PositionType?",
  Security:
    "security_id* isin*:s? cusip*:s? sedol*:s? institution_security_id*:s? institution_id*:s? proxy_security_id*:s? name*:s? ticker_symbol*:s? is_cash_equivalent*:b? type*:s? subtype:s? close_price*:n? close_price_as_of*:date? update_datetime:time? iso_currency_code*:s? unofficial_currency_code*:s? market_identifier_code*:s? sector*:s? industry*:s? cfi_code*:s? option_contract*:OptionContract? fixed_income*:FixedIncome?",
  OptionContract: "contract_type* expiration_date*:date strike_price*:n underlying_security_ticker*",
  FixedIncome: "yield_rate*:YieldRate? maturity_date*:date? issue_date*:date? face_value*:n?",
  YieldRate: "percentage*:n type*:YieldRateType?",
  InvestmentTransaction:
    "investment_transaction_id* cancel_transaction_id:s? account_id* security_id*:s? date*:date transaction_datetime:time? name* quantity*:n amount*:n price*:n fees*:n? type*:TransactionType subtype*:TransactionSubtype iso_currency_code*:s? unofficial_currency_code*:s?",
  Item: ITEM,
  ItemWithConsentFields: `${ITEM} created_at:time consented_use_cases:s[] consented_data_scopes:s[]`,
  ItemStatus: "investments:ItemStatusInvestments? last_webhook:LastWebhook?",
  ItemStatusInvestments: "last_successful_update:time? last_failed_update:time?",
  LastWebhook: "sent_at:time? code_sent",
  Institution:
    "institution_id* name* products*:s[] country_codes*:Country[] url:s? primary_color:s? logo:s? routing_numbers*:s[] dtc_numbers:s[] oauth*:b status:InstitutionStatus?",
  InstitutionStatus: "item_logins:ProductStatus? investments:ProductStatus? investments_updates:ProductStatus?",
  ProductStatus: "status*:Health last_status_change*:time breakdown*:Breakdown",
  Breakdown: "success*:n error_plaid*:n error_institution*:n refresh_interval:s",
  PlaidError:
    "error_type* error_code* error_code_reason:s? error_message* display_message*:s? request_id status:i? documentation_url suggested_action:s?",
  JWKPublicKey: "alg* crv* kid* kty* use* x* y* created_at*:i expired_at*:i?",
  LinkEvent: "event_name*:LinkEventName timestamp*:time event_id* event_metadata*:LinkEventMetadata",
  LinkEventMetadata:
    "error_code error_message error_type exit_status institution_id institution_name institution_search_query request_id mfa_type view_name",
  LinkInstitution: "name institution_id",
  LinkAccount: "id name mask:s? type subtype verification_status:s? class_type:s?",
  ItemAddResult: "public_token* accounts*:LinkAccount[] institution*:LinkInstitution?",
  LinkResults:
    "item_add_results*:ItemAddResult[] cra_item_add_results*:any[] cra_update_results*:any[] bank_income_results*:any[] payroll_income_results*:any[] document_income_results*:any?",
  LinkExit: "error*:PlaidError? metadata*:LinkExitMetadata?",
  LinkExitMetadata: "institution:LinkInstitution? status link_session_id request_id",
  LinkSession:
    "link_session_id* started_at:time finished_at:time? exit:LinkExit? events:LinkEvent[] results:LinkResults?",
  LinkMetadata:
    "initial_products*:s[] webhook*:s? country_codes*:Country[] language*:s? redirect_uri*:s? client_name*:s? account_filters:AccountFilters",
  // Requests and answers by address.
  "> /link/token/create": `${KEYS} client_name* language*:Language country_codes*:Country[] user:LinkUser user_id products:Product[]? required_if_supported_products:Product[]? optional_products:Product[]? additional_consented_products:Product[]? webhook:url access_token:s? link_customization_name appearance_mode:any redirect_uri institution_data:any account_filters:AccountFilters institution_id update:LinkUpdate investments:any hosted_link:HostedLink transactions:any enable_multi_item_link:b user_token ${OTHERS}`,
  LinkUser:
    "client_user_id* legal_name name:any phone_number phone_number_verified_time:any email_address email_address_verified_time:any ssn date_of_birth:any address:any id_number:any",
  AccountFilters:
    "depository:AccountFilter credit:AccountFilter loan:AccountFilter investment:AccountFilter other:AccountFilter",
  AccountFilter: "account_subtypes*:s[]",
  LinkUpdate: "account_selection_enabled:b reauthorization_enabled:b user:b item_ids:s[]?",
  HostedLink: "delivery_method completion_redirect_uri url_lifetime_seconds:i is_mobile_app:b",
  "/link/token/create": "link_token* expiration*:time hosted_link_url request_id*",
  "> /link/token/get": `${KEYS} link_token*`,
  "/link/token/get":
    "link_token* created_at*:time? expiration*:time? link_sessions:LinkSession[] metadata*:LinkMetadata user_id request_id*",
  "> /item/public_token/exchange": `${KEYS} public_token*`,
  "/item/public_token/exchange": "access_token* item_id* request_id*",
  "> /item/get": OF_ITEM,
  "/item/get": "item*:ItemWithConsentFields status:ItemStatus? request_id*",
  "> /item/remove": `${OF_ITEM} reason_code:s? reason_note:s?`,
  "/item/remove": "request_id*",
  "> /item/webhook/update": `${OF_ITEM} webhook:url?`,
  "/item/webhook/update": "item*:Item request_id*",
  "> /item/access_token/invalidate": OF_ITEM,
  "/item/access_token/invalidate": "new_access_token* request_id*",
  "> /accounts/get": `${OF_ITEM} options:AccountOptions`,
  AccountOptions: "account_ids:s[]",
  "/accounts/get": "accounts*:AccountBase[] item*:Item request_id*",
  "> /investments/holdings/get": `${OF_ITEM} options:AccountOptions`,
  "/investments/holdings/get":
    "accounts*:InvestmentAccount[] holdings*:Holding[] securities*:Security[] item*:Item request_id* is_investments_fallback_item:b",
  "> /investments/transactions/get": `${OF_ITEM} start_date*:date end_date*:date options:TransactionOptions`,
  TransactionOptions: "account_ids:s[] count:i offset:i async_update:b",
  "/investments/transactions/get":
    "item*:Item accounts*:InvestmentAccount[] securities*:Security[] investment_transactions*:InvestmentTransaction[] total_investment_transactions*:i request_id* is_investments_fallback_item:b",
  "> /investments/refresh": OF_ITEM,
  "/investments/refresh": "request_id*",
  "> /institutions/get": `${KEYS} count*:i offset*:i country_codes*:Country[] options:InstitutionsOptions`,
  InstitutionsOptions:
    "products:Product[]? routing_numbers:s[]? oauth:b? include_optional_metadata:b include_auth_metadata:b include_payment_initiation_metadata:b",
  "/institutions/get": "institutions*:Institution[] total*:i request_id*",
  "> /institutions/get_by_id": `${KEYS} institution_id* country_codes*:Country[] options:InstitutionOptions`,
  InstitutionOptions:
    "include_optional_metadata:b include_status:b include_auth_metadata:b include_payment_initiation_metadata:b",
  "/institutions/get_by_id": "institution*:Institution request_id*",
  "> /webhook_verification_key/get": `${KEYS} key_id*`,
  "/webhook_verification_key/get": "key*:JWKPublicKey request_id*",
  "> /sandbox/public_token/create": `${KEYS} institution_id* initial_products*:Product[] options:SandboxOptions user_token user_id`,
  SandboxOptions: "webhook:url override_username:s? override_password:s? transactions:any",
  "/sandbox/public_token/create": "public_token* request_id*",
  "> /sandbox/item/fire_webhook": `${OF_ITEM} webhook_type webhook_code*`,
  "/sandbox/item/fire_webhook": "webhook_fired*:b request_id*",
  "> /sandbox/item/reset_login": OF_ITEM,
  "/sandbox/item/reset_login": "reset_login*:b request_id*",
  // Webhooks by type and code.
  "ITEM ERROR": `${HOOK} item_id* error*:PlaidError`,
  "ITEM LOGIN_REPAIRED": `${HOOK} item_id*`,
  "ITEM NEW_ACCOUNTS_AVAILABLE": `${HOOK} item_id* error:PlaidError?`,
  "ITEM PENDING_DISCONNECT": `${HOOK} item_id* reason*:DisconnectReason disconnect_time*:time`,
  "ITEM PENDING_EXPIRATION": `${HOOK} item_id* consent_expiration_time*:time`,
  "ITEM USER_PERMISSION_REVOKED": `${HOOK} item_id* error:PlaidError?`,
  "ITEM USER_ACCOUNT_REVOKED": `${HOOK} item_id* account_id*`,
  "ITEM WEBHOOK_UPDATE_ACKNOWLEDGED": `${HOOK} item_id* new_webhook_url* error:PlaidError?`,
  "HOLDINGS DEFAULT_UPDATE": `${HOOK} item_id* error:PlaidError? new_holdings*:n updated_holdings*:n`,
  "INVESTMENTS_TRANSACTIONS DEFAULT_UPDATE": `${HOOK} item_id* ${TRANSACTIONS}`,
  "INVESTMENTS_TRANSACTIONS HISTORICAL_UPDATE": `${HOOK} item_id* ${TRANSACTIONS}`,
  "LINK SESSION_FINISHED": `${HOOK} status*:Finish link_session_id* link_token* public_token public_tokens:s[]`,
  "LINK ITEM_ADD_RESULT": `${HOOK} link_session_id* link_token* public_token*`,
  "LINK EVENTS": "webhook_type* webhook_code* events*:LinkEvent[] link_session_id* link_token*",
};

const values: Readonly<Record<string, readonly string[]>> = {
  AccountType: ["investment", "credit", "depository", "loan", "brokerage", "other"],
  Country: "US GB ES NL FR IE CA DE IT PL DK NO SE EE LT LV PT BE AT FI".split(" "),
  DisconnectReason: ["INSTITUTION_MIGRATION", "INSTITUTION_TOKEN_EXPIRATION"],
  Environment: ["sandbox", "production"],
  Finish: ["SUCCESS", "EXITED"],
  Health: ["HEALTHY", "DEGRADED", "DOWN"],
  Language: "da nl en et fr de hi it lv lt no pl pt ro es sv vi".split(" "),
  LinkEventName:
    "CLOSE_OAUTH ERROR EXIT FAIL_OAUTH HANDOFF OPEN OPEN_OAUTH SEARCH_INSTITUTION SELECT_INSTITUTION SUBMIT_CREDENTIALS SUBMIT_MFA TRANSITION_VIEW".split(
      " ",
    ),
  PositionType: ["LONG", "SHORT"],
  Product:
    "assets auth balance identity investments investments_auth liabilities payment_initiation transactions income_verification standing_orders transfer signal statements".split(
      " ",
    ),
  TransactionType: ["buy", "sell", "cancel", "cash", "fee", "transfer"],
  TransactionSubtype:
    "account fee,adjustment,assignment,buy,buy to cover,contribution,deposit,distribution,dividend,dividend reinvestment,exercise,expire,fund fee,interest,interest receivable,interest reinvestment,legal fee,loan payment,long-term capital gain,long-term capital gain reinvestment,management fee,margin expense,merger,miscellaneous fee,non-qualified dividend,non-resident tax,pending credit,pending debit,qualified dividend,rebalance,return of principal,request,sell,sell short,send,short-term capital gain,short-term capital gain reinvestment,spin off,split,stock distribution,tax,tax withheld,trade,transfer,transfer fee,trust fee,unqualified gain,withdrawal".split(
      ",",
    ),
  UpdateType: ["background", "user_present_required"],
  YieldRateType: ["coupon", "coupon_equivalent", "discount", "yield"],
};

/** What a value has wrong, each as a path and what is the matter with it: `missing`, `unknown` or `type`. */
export interface Misfit {
  readonly path: string;
  readonly fault: "missing" | "unknown" | "type";
}

const day = /^\d{4}-\d\d-\d\d$/;
const scalars: Readonly<Record<string, (value: unknown) => boolean>> = {
  s: (value) => typeof value === "string",
  n: (value) => typeof value === "number",
  i: (value) => Number.isInteger(value),
  b: (value) => typeof value === "boolean",
  any: () => true,
  url: (value) => typeof value === "string" && URL.canParse(value),
  date: (value) => typeof value === "string" && day.test(value) && !Number.isNaN(Date.parse(value)),
  time: (value) => typeof value === "string" && value.length > 10 && !Number.isNaN(Date.parse(value)),
};

/** Whether a shape of that name is known: a schema, an answer's address, a request's after `> `, or a webhook's type and code. */
export function isShape(name: string): boolean {
  return name in objects;
}

/** Faults of a value that JSON.parse made, by the shape of that name. */
export function misfits(shape: string, value: unknown, path = ""): readonly Misfit[] {
  const fields = objects[shape];
  if (fields === undefined) throw new Error(`no shape ${shape}`);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [{ path, fault: "type" }];
  const members = value as Readonly<Record<string, unknown>>;
  const known = fields.split(" ").map((field) => {
    const [, name = "", isRequired, type = "s"] = /^(\w+)(\*?)(?::(.+))?$/.exec(field) ?? [];
    return { name, type, isRequired: isRequired !== "" };
  });
  const at = (name: string) => (path ? `${path}.${name}` : name);
  return [
    ...Object.keys(members)
      .filter((name) => !known.some((each) => each.name === name))
      .map((name): Misfit => ({ path: at(name), fault: "unknown" })),
    ...known.flatMap(({ name, type, isRequired }): readonly Misfit[] => {
      if (members[name] !== undefined) return ofType(type, members[name], at(name));
      return isRequired ? [{ path: at(name), fault: "missing" }] : [];
    }),
  ];
}

function ofType(type: string, value: unknown, path: string): readonly Misfit[] {
  if (type.endsWith("?")) return value === null ? [] : ofType(type.slice(0, -1), value, path);
  if (type.endsWith("[]")) {
    if (!Array.isArray(value)) return [{ path, fault: "type" }];
    return value.flatMap((each, index) => ofType(type.slice(0, -2), each, `${path}[${index}]`));
  }
  if (type in objects) return misfits(type, value, path);
  const isFit = values[type] ? typeof value === "string" && values[type].includes(value) : scalars[type]?.(value);
  return isFit ? [] : [{ path, fault: "type" }];
}
