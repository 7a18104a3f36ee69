import type {
  Challenge,
  ConnectorView,
  CredentialField,
  CustomerView,
  SessionErrorCode,
  SessionLanguage,
  SessionStatus,
} from "@org/core";
import type { FormFault } from "./form-faults.js";
import type { NoticeKind } from "./notice-kinds.js";
import { type QrDrawing, qrDrawing } from "./qr-drawing.js";

/** Statuses that nothing leads out of. */
export type FinishedStatus = Extract<SessionStatus, `Finished:${string}`>;

/** What a browser shows of a session, in both versions of the pages. */
export type WidgetState =
  | {
      readonly screen: "landing";
      /** Name of the bank where it is settled already. */
      readonly bank: string | null;
      readonly privacy_notice: string | null;
    }
  | { readonly screen: "bank-choice" }
  | {
      readonly screen: "credentials";
      readonly bank: ConnectorView;
      /** Whether the customer could not choose it. */
      readonly bank_fixed: boolean;
      readonly fields: readonly CredentialField[];
      readonly refused: Refusal | null;
    }
  | { readonly screen: "processing" }
  | {
      readonly screen: "challenge";
      readonly kind: Challenge["kind"];
      /** The bank's own words, in English. */
      readonly message: string;
      readonly qr: { readonly text: string; readonly drawing: QrDrawing | null } | null;
      /** Whether looking again may show something else: the bank changes or ends it by itself. */
      readonly follows_bank: boolean;
      readonly refused: Refusal | null;
    }
  | {
      readonly screen: "outcome";
      readonly status: FinishedStatus;
      readonly error_code: SessionErrorCode | null;
      /** Where the browser goes by itself; null = the page can be closed. */
      readonly return_url: string | null;
    }
  | { readonly screen: "notice"; readonly notice: NoticeKind; readonly trace_id?: string };

/** The bank took the last attempt for wrong. */
export interface Refusal {
  readonly attempts_left: number;
}

/** Answer to `GET <link>/state` and to a form that is sent with `Accept: application/json`. */
export interface StateAnswer {
  readonly language: SessionLanguage;
  /** Goes along with every form; empty where this browser may send none. */
  readonly csrf_token: string;
  /** What is wrong with the form that was sent. */
  readonly faults: readonly FormFault[];
  readonly state: WidgetState;
}

/** Answer to `GET <link>/banks?name&country&page`: one page of the list. */
export interface BanksAnswer {
  readonly items: readonly { readonly id: string; readonly name: string; readonly detail: string }[];
  readonly total: number;
  readonly page: number;
  readonly pages: number;
  /** Where the offered banks are, by name. */
  readonly countries: readonly { readonly code: string; readonly name: string }[];
}

/** What there is to show of what the browser may see. */
export function stateOf(view: CustomerView): WidgetState {
  if (view.kind === "unknown") return { screen: "notice", notice: "unknownLink" };
  if (view.kind === "taken") return { screen: "notice", notice: "taken" };
  if (view.kind === "unclaimed") return { screen: "landing", bank: view.bank, privacy_notice: view.privacy_notice };

  const refused = view.error_code === null ? null : { attempts_left: view.attempts_left };
  switch (view.status) {
    case "Waiting:ProvideCredentials": {
      const { connector: bank, connector_fixed: bank_fixed, credential_fields: fields } = view;
      return bank === null ? { screen: "bank-choice" } : { screen: "credentials", bank, bank_fixed, fields, refused };
    }
    case "Waiting:Challenge": {
      if (view.challenge === null) throw new Error("A session waits for an answer without a challenge");
      const { kind, message, qr: text } = view.challenge;
      const qr = text === undefined ? null : { text, drawing: qrDrawing(text) };
      return { screen: "challenge", kind, message, qr, follows_bank: view.follows_bank, refused };
    }
    case "Processing:ProvideCredentials":
    case "Processing:Challenge":
      return { screen: "processing" };
    default: {
      const { status, error_code, return_url } = view;
      return { screen: "outcome", status, error_code, return_url };
    }
  }
}
