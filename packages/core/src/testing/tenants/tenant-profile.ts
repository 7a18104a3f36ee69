import type { TenantProfileStore } from "../../tenants/tenant-profile-store.js";
import type { TenantState } from "../state.js";

/** {@link TenantProfileStore} over a draft. */
export function memoryTenantProfile(state: TenantState): TenantProfileStore {
  // A tenant has one transaction at a time, so whoever has the draft holds the lock.
  const find = async () => state.tenant && { name: state.tenant.name, ...state.profile };
  return {
    find,
    lock: find,

    async change({ logo, ...texts }) {
      state.profile = { ...state.profile, ...texts };
      if (logo === undefined) return;
      if (logo === null) {
        state.profile = { ...state.profile, logo };
        state.logo = logo;
        return;
      }
      const { content, ...facts } = logo;
      state.profile = { ...state.profile, logo: facts };
      state.logo = { media_type: facts.media_type, content };
    },
  };
}
