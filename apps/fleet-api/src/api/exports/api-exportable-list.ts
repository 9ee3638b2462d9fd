import type { Type } from '@nestjs/common';
import { ConditionalGet } from '../http-cache/conditional-get.ts';
import { EXPORT_TYPES } from './export-type.ts';

/** Documents a GET handler of a list that `ListResponder` sends. @param strength as for `ConditionalGet` */
export const ExportableList = (type: Type, strength?: 'strong' | 'weak'): MethodDecorator =>
  ConditionalGet(type, strength, EXPORT_TYPES);
