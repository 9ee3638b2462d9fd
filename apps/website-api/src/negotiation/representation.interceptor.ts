import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Representation, startResponse } from '@gpu-observatory/service-runtime';
import { map, type Observable } from 'rxjs';

/** Sends the representation that a handler returns, with its entity tag, or 304. Other results pass unchanged. */
@Injectable()
export class RepresentationInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    return next
      .handle()
      .pipe(
        map((result: unknown) =>
          result instanceof Representation
            ? startResponse(http.getRequest(), http.getResponse(), result)
            : result,
        ),
      );
  }
}
