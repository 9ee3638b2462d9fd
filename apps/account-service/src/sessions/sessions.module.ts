import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.ts';
import { AuthorizationCodesModule } from '../authorization-codes/authorization-codes.module.ts';
import { RequestsModule } from '../requests/requests.module.ts';
import { LogoutController } from './logout.controller.ts';
import { RefreshController } from './refresh.controller.ts';
import { SessionCookies } from './session-cookies.ts';
import { SessionResponses } from './session-responses.ts';
import { SessionsController } from './sessions.controller.ts';
import { Sessions } from './sessions.service.ts';
import { TokenController } from './token.controller.ts';

@Module({
  imports: [AuditModule, AuthorizationCodesModule, RequestsModule],
  controllers: [TokenController, RefreshController, LogoutController, SessionsController],
  providers: [Sessions, SessionCookies, SessionResponses],
})
export class SessionsModule {}
