import { TokenVerifier } from '@gpu-observatory/token-verification';

/** Verifies like the guard's, but without the revocations: it tells whose session is to be ended, once more. */
export class EndedSessionVerifier extends TokenVerifier {}
