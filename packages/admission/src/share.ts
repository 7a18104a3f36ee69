/** The party that work is charged to. */
export interface Share {
  /** For example a tenant or a network. */
  readonly name: string;
  /** Whether the party is authenticated, as a tenant is. A network is not: one caller may have thousands of them. */
  readonly isKnown: boolean;
}
