export * from './access-cookie.ts';
export * from './claims.ts';
export * from './revocation-feed.ts';
export {
  httpRevocationSource,
  type RevocationPage,
  type RevocationPosition,
  type RevocationSource,
} from './revocation-source.ts';
export * from './revocations.ts';
export * from './signing-keys.ts';
export * from './token-verifier.ts';
