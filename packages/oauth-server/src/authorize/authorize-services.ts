import type { PageCookies, PageLanguage } from "@org/pages";
import type { ClientDirectory } from "../clients/oauth-client.js";
import type { ErrorLog } from "../http/endpoint.js";
import type { AuthorizationPages } from "../pages/page-views.js";
import type { ApplicationStore } from "../ports/application-store.js";
import type { CodeStore } from "../ports/authorization-store.js";
import type { ClientStore } from "../ports/client-store.js";
import type { GrantedClients } from "../ports/granted-clients.js";
import type { RequestRecorder } from "../token/request-recorder.js";
import type { TokenServices } from "../token/token-context.js";
import type { SignedInPeople } from "./login.js";
import type { RememberedLogins } from "./remembered-logins.js";
import type { RequestSeal } from "./request-seal.js";

/** The dependencies of the pages, beyond those of the token endpoint. */
export interface AuthorizeServices extends TokenServices {
  readonly directory: ClientDirectory;
  readonly clients: ClientStore;
  readonly codes: CodeStore;
  readonly logins: RememberedLogins;
  /** Null when people cannot sign in. */
  readonly people: SignedInPeople | null;
  /** Null when grants cannot be limited to clients. */
  readonly tenantClients: GrantedClients | null;
  readonly store: Pick<ApplicationStore, "ofPeople">;
  readonly seal: RequestSeal;
  readonly cookies: PageCookies;
  readonly pages: (language: PageLanguage) => AuthorizationPages;
  readonly recorder: RequestRecorder;
  readonly log: ErrorLog;
}
