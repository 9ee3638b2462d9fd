import { Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { ConditionalGet, ExchangeOf } from '../http-cache/conditional-get.ts';
import type { Exchange, ValidatorStrength } from '../http-cache/conditional-request.ts';
import { ResponseCache } from '../http-cache/response-cache.ts';
import { TokenGuard } from '../tokens/token-guard.ts';
import { EXPORT_TYPES } from './export-type.ts';
import { ListRequest } from './list-request.ts';
import { RunningExports } from './running-exports.ts';

/** Documents a GET handler of a list that can be exported, and sets the strength of its validators. */
export const ExportableList = (type: Type, strength?: ValidatorStrength): MethodDecorator =>
  ConditionalGet(type, strength, EXPORT_TYPES);

@Injectable()
class ListRequestPipe implements PipeTransform<Exchange, ListRequest> {
  constructor(
    private readonly cache: ResponseCache,
    private readonly running: RunningExports,
    private readonly tokens: TokenGuard,
  ) {}

  transform(exchange: Exchange): ListRequest {
    return new ListRequest(exchange, this.cache, {
      running: this.running,
      isCurrent: (caller) => this.tokens.isCurrent(caller),
    });
  }
}

/** Parameter decorator: injects the `ListRequest` into a handler with `@ExportableList`. */
export const Listed = (): ParameterDecorator => ExchangeOf(ListRequestPipe);
