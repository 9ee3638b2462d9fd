import { ApiProperty } from '@nestjs/swagger';
import { Allow } from 'class-validator';

/** `frontend_url` is judged by the allowlist alone, so that every fault of it is one answer: Invalid Frontend URL. */
export class SignInQuery {
  @Allow()
  @ApiProperty({
    type: String,
    description: 'Where the browser returns to: exactly one of the allowed addresses.',
    example: 'https://app.example.com',
  })
  frontend_url: unknown;
}

/** What providers send back. They add parameters of their own (`scope`, `iss`, …), which are left alone. */
export interface ProviderCallbackQuery {
  state?: unknown;
  code?: unknown;
  error?: unknown;
}
