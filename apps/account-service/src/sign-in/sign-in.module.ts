import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.ts';
import { AuthorizationCodesModule } from '../authorization-codes/authorization-codes.module.ts';
import { RequestsModule } from '../requests/requests.module.ts';
import { Admission } from './admission.ts';
import { FrontendUrls } from './frontend-urls.ts';
import { MethodsController } from './methods.controller.ts';
import { PasswordAttempts } from './passwords/password-attempts.ts';
import { PasswordController } from './passwords/password.controller.ts';
import { PasswordSignIn } from './passwords/password-sign-in.ts';
import { Providers } from './strategies/providers.ts';
import { SignInRequests } from './sign-in-requests.ts';
import { SignInStateStore } from './strategies/sign-in-state-store.ts';
import { SignInAttempts } from './sign-in-attempts.ts';
import { SignInController } from './sign-in.controller.ts';

@Module({
  imports: [AuditModule, AuthorizationCodesModule, RequestsModule],
  controllers: [SignInController, PasswordController, MethodsController],
  providers: [
    FrontendUrls,
    Providers,
    SignInAttempts,
    SignInStateStore,
    SignInRequests,
    Admission,
    PasswordAttempts,
    PasswordSignIn,
  ],
})
export class SignInModule {}
