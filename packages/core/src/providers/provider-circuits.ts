/** A connector that calls do not go to, because they fail too often. */
export interface ProviderCircuit {
  readonly connector_id: string;
  /** The provider's name. */
  readonly provider: string;
  /** Whose settings the provider works with; null = everybody's. */
  readonly tenant_id: string | null;
}

/**
 * Which circuits some server has open. Each server has breakers of its own, and what operators are told is one thing: the first that opens
 * says `provider.degraded`, the first that closes again `provider.recovered`, in the transaction that notes it.
 */
export interface ProviderCircuits {
  /** Notes that a server has opened a circuit, or still has it open. Returns whether it is the first. */
  opened(circuit: ProviderCircuit, at: Date): Promise<boolean>;
  /** Notes that a call has come through. Returns whether any server had the circuit open. */
  closed(circuit: Pick<ProviderCircuit, "connector_id" | "tenant_id">): Promise<boolean>;
  /** Lets go of circuits that no server has said to be open since a moment: their servers are gone, or nobody asks. Returns how many. */
  forget(before: Date): Promise<number>;
}
