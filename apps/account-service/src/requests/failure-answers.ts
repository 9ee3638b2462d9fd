import { ApiProperty } from '@nestjs/swagger';
import { accountFailures } from '@gpu-observatory/error-envelopes';
import { failureAnswersOf } from '@gpu-observatory/service-runtime';

/** Every failure's body (contract 7.2). */
export class Failure {
  @ApiProperty({ description: 'What failed, a name of the catalogue.' })
  title!: string;
  @ApiProperty({ description: 'What is wrong and what would be right.' })
  detail!: string;
}

/**
 * Documents which failures of the catalogue a route may answer, and those that every route may: text that is none (a NUL,
 * say) is refused wherever it stands, in a query string that nobody reads too.
 */
export const FailureAnswers = failureAnswersOf(accountFailures, { type: Failure, codeField: 'title' }, [
  // Text that is none (a NUL, say) is refused wherever it stands, in a query string that nobody reads too.
  'invalidRequest',
  'internalServerError',
  'serviceUnavailable',
]);
