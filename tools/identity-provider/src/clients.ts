/** An OAuth client that is registered at a provider. */
export interface Client {
  clientId: string;
  clientSecret: string;
  /** Compared exactly, as at both providers. */
  redirectUris: string[];
  /** Display name on the consent page. Default: the client id. */
  name?: string;
}

export interface Clients {
  github: Client;
  google: Client;
}
