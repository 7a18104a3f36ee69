// oidc-provider with JWT access tokens signed with ES256: client_credentials, which stores nothing there, and rotating refresh tokens. STORE=postgres
// keeps them in a table, like its example adapters; otherwise they are in a Map.
import { createServer } from "node:http";
import { exportJWK, generateKeyPair } from "jose";
import Provider from "oidc-provider";
import pg from "pg";

const issuer = `http://localhost:${process.env.PORT}`;
const resource = `${issuer}/mcp`;
const client = {
  client_id: "bench",
  client_secret: "bench-secret-of-256-bits-or-more-0123456789",
  grant_types: ["client_credentials", "refresh_token", "authorization_code"],
  redirect_uris: ["https://client.example/callback"],
  token_endpoint_auth_method: "client_secret_post",
  id_token_signed_response_alg: "ES256",
  scope: "openid offline_access read",
};
const { privateKey } = await generateKeyPair("ES256", { extractable: true });
const resourceServer = {
  scope: "read",
  audience: resource,
  accessTokenTTL: 3600,
  accessTokenFormat: "jwt",
  jwt: { sign: { alg: "ES256" } },
};
const provider = new Provider(issuer, {
  clients: [client],
  jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: "k1", alg: "ES256", use: "sig" }] },
  scopes: ["openid", "offline_access", "read"],
  findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
  rotateRefreshToken: true,
  ttl: { AccessToken: 3600, ClientCredentials: 3600, RefreshToken: 86_400, Grant: 86_400 },
  features: {
    clientCredentials: { enabled: true },
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => resource,
      useGrantedResource: () => true,
      getResourceServerInfo: () => resourceServer,
    },
  },
  adapter: process.env.STORE === "postgres" ? postgresAdapter(process.env.DATABASE_URL) : memoryAdapter(),
});
provider.on("server_error", (_context, error) => console.error(error));
const handle = provider.callback();

createServer(async (request, response) => {
  if (request.url === "/refresh-token") {
    response.end(JSON.stringify({ refresh_token: await newRefreshToken() }));
    return;
  }
  handle(request, response);
}).listen(Number(process.env.PORT), "127.0.0.1");

/** Creates what the authorization code flow would leave. */
async function newRefreshToken() {
  const found = await provider.Client.find(client.client_id);
  const grant = new provider.Grant({ accountId: "account", clientId: client.client_id });
  grant.addOIDCScope("openid offline_access");
  grant.addResourceScope(resource, "read");
  const token = new provider.RefreshToken({
    client: found,
    accountId: "account",
    grantId: await grant.save(),
    scope: "offline_access read",
    resource,
    gty: "authorization_code",
    expiresWithSession: false,
    rotations: 0,
  });
  return token.save();
}

/** Its own memory adapter holds a thousand rows, fewer than a run creates. */
function memoryAdapter() {
  const rows = new Map();
  return class {
    constructor(type) {
      this.keyOf = (id) => `${type} ${id}`;
    }
    async upsert(id, payload) {
      rows.set(this.keyOf(id), payload);
    }
    async find(id) {
      return rows.get(this.keyOf(id));
    }
    async consume(id) {
      rows.get(this.keyOf(id)).consumed = Math.floor(Date.now() / 1000);
    }
    async destroy(id) {
      rows.delete(this.keyOf(id));
    }
    async revokeByGrantId() {}
    findByUid() {}
    findByUserCode() {}
  };
}

function postgresAdapter(connectionString) {
  const pool = new pg.Pool({ connectionString, max: 10 });
  const ready = pool.query(`create table if not exists oidc_provider (
    id text, type text, payload jsonb not null, grant_id text, expires_at timestamptz, consumed_at timestamptz, primary key (id, type))`);
  const query = async (name, text, values) => {
    await ready;
    return (await pool.query({ name, text, values })).rows;
  };
  return class {
    constructor(type) {
      this.type = type;
    }
    async upsert(id, payload, expiresIn) {
      const expires = expiresIn ? new Date(Date.now() + expiresIn * 1000) : null;
      await query(
        "upsert",
        `insert into oidc_provider (id, type, payload, grant_id, expires_at) values ($1, $2, $3, $4, $5)
         on conflict (id, type) do update set payload = excluded.payload, expires_at = excluded.expires_at`,
        [id, this.type, payload, payload.grantId ?? null, expires],
      );
    }
    async find(id) {
      const [row] = await query(
        "find",
        "select payload, expires_at, consumed_at from oidc_provider where id = $1 and type = $2",
        [id, this.type],
      );
      if (!row || (row.expires_at && row.expires_at <= new Date())) return undefined;
      return { ...row.payload, ...(row.consumed_at ? { consumed: Math.floor(row.consumed_at / 1000) } : {}) };
    }
    async consume(id) {
      await query("consume", "update oidc_provider set consumed_at = now() where id = $1 and type = $2", [
        id,
        this.type,
      ]);
    }
    async destroy(id) {
      await query("destroy", "delete from oidc_provider where id = $1 and type = $2", [id, this.type]);
    }
    async revokeByGrantId(grantId) {
      await query("revoke", "delete from oidc_provider where grant_id = $1", [grantId]);
    }
    findByUid() {}
    findByUserCode() {}
  };
}
