import { Body, Controller, Header, HttpCode, Post } from '@nestjs/common';
import { IsString } from 'class-validator';
import { ForServices } from '../internal/service-credential.guard.ts';
import { KeyCheck } from './key-check.ts';
import type { KeyScope } from './scopes.ts';

class IntrospectionRequest {
  @IsString()
  key!: string;
}

interface IntrospectionResponse {
  active: boolean;
  key_id: number | null;
  workspace_id: number | null;
  customer_id: number | null;
  scopes: KeyScope[];
}

const INACTIVE: IntrospectionResponse = {
  active: false,
  key_id: null,
  workspace_id: null,
  customer_id: null,
  scopes: [],
};

/**
 * Validates keys for the telemetry platform and website-api, on the internal port
 * (`docs/account-service.md#key-introspection`).
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
    if (key === null) return INACTIVE;
    const { id, workspace_id, customer_id, scopes } = key;
    return { active: true, key_id: id, workspace_id, customer_id, scopes };
  }
}
