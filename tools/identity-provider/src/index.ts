export { accountServiceEnvironment } from './account-service-environment.ts';
export { ordinaryAccount, type Account } from './accounts.ts';
export type { Client, Clients } from './clients.ts';
export { demoAccounts } from './demo-accounts.ts';
export {
  startIdentityProvider,
  type IdentityProvider,
  type IdentityProviderEndpoints,
  type IdentityProviderOptions,
} from './identity-provider.ts';
export { signInWithoutBrowser } from './scripted-sign-in.ts';
export { startTokenIssuer, type TokenIssuer } from './token-issuer.ts';
