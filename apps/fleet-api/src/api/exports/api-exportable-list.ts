import type { Type } from '@nestjs/common';
import { ApiConditionalGet } from '../http-cache/api-conditional-get.ts';
import { EXPORT_TYPES } from './export-type.ts';

/** Documents a GET handler of a list that `ListResponder` sends. @param strength as for `ApiConditionalGet` */
export const ApiExportableList = (type: Type, strength?: 'strong' | 'weak'): MethodDecorator =>
  ApiConditionalGet(type, strength, EXPORT_TYPES);
