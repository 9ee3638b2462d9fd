import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';

@ApiTags('site')
@Controller('api/site')
export class SiteController {
  @Get()
  @ApiOperation({ operationId: 'getSiteIdentity' })
  getSiteIdentity() {
    return { name: 'GPU Observatory' };
  }
}
