import { ApiProperty } from '@nestjs/swagger';
import { Allow } from 'class-validator';
import { CodeChallengeParameters } from '../authorization-codes/code-challenge.ts';

/** `frontend_url` is checked by the allowlist alone, which reports any invalid value as Invalid Frontend URL. */
export class SignInQuery extends CodeChallengeParameters {
  @Allow()
  @ApiProperty({
    type: String,
    description: 'Frontend that receives the browser after the sign-in: exactly one of the allowed URLs.',
    example: 'https://app.example.com',
  })
  frontend_url: unknown;
}

/** Query parameters of the callback. Providers add others (`scope`, …), which are ignored. */
export interface ProviderCallbackQuery {
  state?: unknown;
  code?: unknown;
  error?: unknown;
  iss?: unknown;
}
