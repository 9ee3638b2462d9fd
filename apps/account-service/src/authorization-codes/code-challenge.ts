import { createHash } from 'node:crypto';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, Matches } from 'class-validator';

/** PKCE parameters of the start of a sign-in (https://www.rfc-editor.org/rfc/rfc7636#section-4.3). */
export class CodeChallengeParameters {
  @IsOptional()
  @Matches(/^[\w-]{43}$/, { message: 'code_challenge must be 43 base64url characters: a SHA-256 hash.' })
  @ApiPropertyOptional({
    pattern: '^[A-Za-z0-9_-]{43}$',
    description: 'SHA-256 of a `code_verifier`, in base64url. The code then needs that verifier.',
  })
  code_challenge?: string;

  @IsOptional()
  @IsIn(['S256'])
  @ApiPropertyOptional({ enum: ['S256'], description: 'The only method.' })
  code_challenge_method?: 'S256';
}

/**
 * Returns whether the verifier matches the challenge. A verifier without a challenge does not: an attacker may have
 * removed the challenge from the start (https://www.rfc-editor.org/rfc/rfc9700#section-2.1.1).
 */
export function matchesChallenge(codeChallenge: string | null, codeVerifier: unknown): boolean {
  return (
    codeChallenge !== null &&
    typeof codeVerifier === 'string' &&
    /^[\w.~-]{43,128}$/.test(codeVerifier) &&
    createHash('sha256').update(codeVerifier).digest('base64url') === codeChallenge
  );
}
