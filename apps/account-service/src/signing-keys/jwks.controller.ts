import { Controller, Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { PublicRoute } from '@gpu-observatory/token-verification';
import { ErrorResponses } from '../requests/error-responses.ts';
import { SigningKeys } from './signing-keys.ts';

class PublicSigningKey {
  @ApiProperty({ enum: ['EC'] })
  kty!: string;
  @ApiProperty({ enum: ['P-256'] })
  crv!: string;
  @ApiProperty()
  x!: string;
  @ApiProperty()
  y!: string;
  @ApiProperty({ description: 'Named by the header of each token it signed.' })
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

/** The public keys of our access tokens (RFC 7517). */
@ApiTags('tokens')
@PublicRoute()
@Controller('.well-known/jwks.json')
export class JwksController {
  constructor(private readonly signingKeys: SigningKeys) {}

  @Get()
  // Shorter than the time between a key's publication and its first signature, by far.
  @Header('cache-control', 'public, max-age=60')
  @ApiOperation({ summary: 'The public keys that verify access tokens' })
  @ApiOkResponse({ type: PublicSigningKeys, description: 'A JSON Web Key Set (RFC 7517).' })
  @ErrorResponses()
  listSigningKeys() {
    return this.signingKeys.published;
  }
}
