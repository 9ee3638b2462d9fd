import pg from 'pg';

const BIGINT = pg.types.builtins.INT8;
const BIGINT_ARRAY = 1016;
const TEXT_ARRAY = 1009;
const parseTextArray = (pg.types.getTypeParser as (oid: number) => (text: string) => (string | null)[])(
  TEXT_ARRAY,
);

/** Parses `bigint` and `bigint[]` as numbers: keys and counts stay far below 2^53. */
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (format !== 'binary') {
      if (oid === BIGINT) return Number;
      if (oid === BIGINT_ARRAY) return parseBigintArray;
    }
    return pg.types.getTypeParser(oid, format as 'text');
  }) as pg.CustomTypesConfig['getTypeParser'],
};

function parseBigintArray(text: string): (number | null)[] {
  return parseTextArray(text).map((member) => (member === null ? null : Number(member)));
}
