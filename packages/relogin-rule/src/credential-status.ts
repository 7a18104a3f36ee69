/** Products of a bank connection, each true or false. */
export interface ProductFlags {
  readonly auth: boolean;
  readonly account: boolean;
  readonly card: boolean;
  readonly portfolio: boolean;
  readonly investment: boolean;
  readonly liability: boolean;
  readonly holders: boolean;
}

/** Kinds of transactions, each true or false. */
export interface TransactionFlags {
  readonly account: boolean;
  readonly card: boolean;
  readonly investment: boolean;
  readonly liability: boolean;
}

/** Flags for what failed, or for what was created. */
export interface StatusFlags {
  readonly product: ProductFlags;
  readonly transaction: TransactionFlags;
}

/** Health of a bank connection (contract §4). Times are RFC 3339. The connection is ready when neither `pending` nor `blocked`. */
export interface CredentialStatus {
  readonly pending: boolean;
  readonly blocked: boolean;
  readonly reset_token: string | null;
  readonly sca_token: string | null;
  readonly transaction_token: string | null;
  readonly last_update: string | null;
  readonly created_at: string;
  readonly errored: StatusFlags;
  readonly created: StatusFlags;
  readonly consent_expires_at: string | null;
}
