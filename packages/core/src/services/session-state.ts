/** Context under which a provider's state between two exchanges is sealed. */
export const stateContext = ({ session_id }: { readonly session_id: string }) => ({
  purpose: "session-state",
  row: session_id,
});
