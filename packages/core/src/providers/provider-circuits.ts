/** A connector that is not called because it fails too often. */
export interface ProviderCircuit {
  readonly connector_id: string;
  /** The provider's name. */
  readonly provider: string;
  /** The tenant whose settings the provider uses; null = the installation's. */
  readonly tenant_id: string | null;
}

/**
 * Tracks which circuits are open on any server. Each server has its own breakers, but operators get one event: the first server to
 * open a circuit emits `provider.degraded`, the first to close it again `provider.recovered`, in the transaction that records it.
 */
export interface ProviderCircuits {
  /** Records that a server has opened a circuit or still has it open. Returns whether it is the first. */
  opened(circuit: ProviderCircuit, at: Date): Promise<boolean>;
  /** Records that a call succeeded. Returns whether any server had the circuit open. */
  closed(circuit: Pick<ProviderCircuit, "connector_id" | "tenant_id">): Promise<boolean>;
  /** Deletes circuits that no server has reported open since `before`: their servers are gone, or no calls are made. Returns how many. */
  forget(before: Date): Promise<number>;
}
