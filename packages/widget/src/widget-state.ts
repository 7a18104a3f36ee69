import type { ConnectorView, CustomerView, SessionErrorCode, SessionRemark, SessionStatus } from "@org/core";
import type { AccessTerms, Challenge, CredentialField, LocalizedText } from "@org/provider-kit";

/** Final statuses. */
export type FinishedStatus = Extract<SessionStatus, `Finished:${string}`>;

/** Why a page cannot be shown, or why a form was not accepted. */
export type NoticeKind =
  | "taken"
  | "unknownLink"
  | "callbackElsewhere"
  | "callbackUnknown"
  | "forbidden"
  | "badRequest"
  | "notAllowed"
  | "tooLarge"
  | "tooMany"
  | "away"
  | "defect";

/** What a browser shows of a session. */
export type WidgetState =
  | {
      readonly screen: "landing";
      /** Name of the bank if it is fixed. */
      readonly bank: string | null;
      readonly terms: AccessTerms | null;
      /** Whether an existing connection gets a new login. */
      readonly relogin: boolean;
      readonly privacy_notice: string | null;
    }
  | { readonly screen: "bank-choice" }
  | {
      readonly screen: "credentials";
      readonly bank: ConnectorView;
      readonly terms: AccessTerms | null;
      readonly relogin: boolean;
      /** Whether the customer had no choice of bank. */
      readonly bank_fixed: boolean;
      readonly fields: readonly CredentialField[];
      readonly refused: Refusal | null;
      /** The last attempt was interrupted on our side and does not count. */
      readonly cut_off: boolean;
    }
  | { readonly screen: "processing"; readonly bank: string | null; readonly relogin: boolean }
  | {
      readonly screen: "challenge";
      readonly bank: string | null;
      readonly relogin: boolean;
      readonly kind: Challenge["kind"];
      /** The bank's own words, in English. */
      readonly message: string;
      /** Content of the QR code to scan. */
      readonly qr: { readonly text: string } | null;
      /** Whether polling may show something else, because the bank changes or ends the challenge itself. */
      readonly follows_bank: boolean;
      readonly refused: Refusal | null;
    }
  | {
      readonly screen: "redirect";
      readonly bank: string | null;
      readonly relogin: boolean;
      readonly terms: AccessTerms | null;
      /** Whether the customer had no choice of bank. */
      readonly bank_fixed: boolean;
      /** Host of the bank's own page, where the customer continues. */
      readonly host: string;
      /** The customer was there and declined. */
      readonly declined: boolean;
      readonly refused: Refusal | null;
    }
  | {
      readonly screen: "ask";
      readonly bank: string | null;
      readonly relogin: boolean;
      readonly fields: readonly CredentialField[];
      readonly message: LocalizedText | null;
      readonly refused: Refusal | null;
    }
  | {
      readonly screen: "outcome";
      /** Null if it ended before a bank was chosen. */
      readonly bank: string | null;
      readonly relogin: boolean;
      readonly status: FinishedStatus;
      readonly error_code: SessionErrorCode | null;
      readonly remark: SessionRemark | null;
      /** Where the browser is sent; null = the page can be closed. */
      readonly return_url: string | null;
    }
  | {
      readonly screen: "notice";
      readonly notice: NoticeKind;
      readonly trace_id?: string;
      /** Bank of a session that continues in another browser. */
      readonly bank?: string | null;
    };

/** The last attempt was refused. */
export interface Refusal {
  readonly attempts_left: number;
  /** The bank accepted the login, but it belongs to another connection than the one to renew. */
  readonly other_login: boolean;
  /** The customer turned back on the bank's own page. */
  readonly declined?: boolean;
}

/** Returns the state to show for what the browser may see. */
export function widgetStateOf(view: CustomerView): WidgetState {
  if (view.kind === "unknown") return { screen: "notice", notice: "unknownLink" };
  if (view.kind === "taken") return { screen: "notice", notice: "taken" };
  if (view.kind === "unclaimed") {
    const { bank, terms, relogin, privacy_notice } = view;
    return { screen: "landing", bank, terms, relogin, privacy_notice };
  }

  const cut_off = view.error_code === "InternalError";
  const { terms, attempts_left, relogin, remark, connector_fixed: bank_fixed } = view;
  const declined = view.error_code === "AbortedByUser";
  const refused =
    view.error_code === null || cut_off ? null : { attempts_left, other_login: remark === "other_login", declined };
  const bankName = view.connector?.name ?? null;
  switch (view.status) {
    case "Waiting:ProvideCredentials": {
      const { connector: bank, credential_fields: fields } = view;
      if (bank === null) return { screen: "bank-choice" };
      return { screen: "credentials", bank, terms, relogin, bank_fixed, fields, refused, cut_off };
    }
    case "Waiting:Challenge": {
      if (view.challenge === null) throw new Error("A session waits for an answer without a challenge");
      const { challenge, follows_bank } = view;
      const at = { bank: bankName, relogin, refused };
      if (challenge.kind === "redirect")
        return {
          screen: "redirect",
          ...at,
          terms,
          bank_fixed,
          host: challenge.host,
          declined,
        };
      if (challenge.kind === "ask")
        return { screen: "ask", ...at, fields: challenge.fields, message: challenge.message };
      const { kind, message, qr: text } = challenge;
      const qr = text === undefined ? null : { text };
      return { screen: "challenge", bank: bankName, relogin, kind, message, qr, follows_bank, refused };
    }
    case "Processing:ProvideCredentials":
    case "Processing:Challenge":
      return { screen: "processing", bank: bankName, relogin };
    default: {
      const { status, error_code, return_url } = view;
      return { screen: "outcome", bank: bankName, relogin, status, error_code, remark, return_url };
    }
  }
}
