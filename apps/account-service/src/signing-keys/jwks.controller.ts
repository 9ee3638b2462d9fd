import { Controller, Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { PublicRoute } from '@gpu-observatory/token-verification/guard';
import { ErrorResponses } from '../requests/error-responses.ts';
import { SigningKeys } from './signing-keys.service.ts';

class PublicSigningKey {
  @ApiProperty({ enum: ['EC'] })
  kty!: string;
  @ApiProperty({ enum: ['P-256'] })
  crv!: string;
  @ApiProperty()
  x!: string;
  @ApiProperty()
  y!: string;
  @ApiProperty({ description: 'In the header of every token that the key signed.' })
  kid!: string;
  @ApiProperty({ enum: ['ES256'] })
  alg!: string;
  @ApiProperty({ enum: ['sig'] })
  use!: string;
}

class PublicSigningKeys {
  @ApiProperty({ type: [PublicSigningKey] })
  keys!: PublicSigningKey[];
}

/** Serves the public keys of the access tokens as a JWKS (https://www.rfc-editor.org/rfc/rfc7517). */
@ApiTags('Signing keys')
@PublicRoute()
@Controller('.well-known/jwks.json')
export class JwksController {
  constructor(private readonly signingKeys: SigningKeys) {}

  @Get()
  // Far shorter than the lead time between the publication of a key and its first signature.
  @Header('cache-control', 'public, max-age=60')
  @ApiOperation({
    summary: 'Get the public keys that verify access tokens',
    description: 'Verifiers select a key by the `kid` of the token and reload the set for an unknown one.',
  })
  @ApiOkResponse({ type: PublicSigningKeys, description: 'A JSON Web Key Set (RFC 7517).' })
  @ErrorResponses()
  listSigningKeys() {
    return this.signingKeys.published;
  }
}
