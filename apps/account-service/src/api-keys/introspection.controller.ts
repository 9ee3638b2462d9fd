import { Body, Controller, Header, HttpCode, Post } from '@nestjs/common';
import { IsString } from 'class-validator';
import { validated } from '../requests/request-validation.ts';
import { KeyCheck } from './key-check.ts';
import type { KeyScope } from './scopes.ts';

class IntrospectionRequest {
  @IsString()
  key!: string;
}

interface IntrospectionAnswer {
  active: boolean;
  key_id: number | null;
  workspace_id: number | null;
  customer_id: number | null;
  scopes: KeyScope[];
}

const INACTIVE: IntrospectionAnswer = {
  active: false,
  key_id: null,
  workspace_id: null,
  customer_id: null,
  scopes: [],
};

/** The check of a key for the telemetry platform and website-api, on the internal port (decisions, section 3, Key check). */
@Controller('internal/v1/keys/introspect')
export class IntrospectionController {
  constructor(private readonly keys: KeyCheck) {}

  @Post()
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  async introspectKey(@Body() body: unknown): Promise<IntrospectionAnswer> {
    const { key: secret } = await validated(IntrospectionRequest, body);
    const key = await this.keys.check(secret);
    if (key === null) return INACTIVE;
    const { id, workspace_id, customer_id, scopes } = key;
    return { active: true, key_id: id, workspace_id, customer_id, scopes };
  }
}
