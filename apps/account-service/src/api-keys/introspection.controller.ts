import { Body, Controller, Header, HttpCode, Post } from '@nestjs/common';
import { IsString } from 'class-validator';
import { ForServices } from '../internal/service-credential.guard.ts';
import { type CheckedKey, KeyCheck } from './key-check.ts';

class IntrospectionRequest {
  @IsString()
  key!: string;
}

const INACTIVE = { active: false, key_id: null, workspace_id: null, customer_id: null, scopes: [] } as const;

type IntrospectionResponse = typeof INACTIVE | ({ active: true } & CheckedKey);

/**
 * Validates keys for the telemetry platform and website-api, on the internal port
 * (`docs/tokens.md#api-keys`).
 */
@ForServices('introspection')
@Controller('internal/v1/keys/introspect')
export class IntrospectionController {
  constructor(private readonly keys: KeyCheck) {}

  @Post()
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  async introspectKey(@Body() { key: secret }: IntrospectionRequest): Promise<IntrospectionResponse> {
    const key = await this.keys.check(secret);
    return key === null ? INACTIVE : { active: true, ...key };
  }
}
